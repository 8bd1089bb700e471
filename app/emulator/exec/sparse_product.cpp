// mma.sp: products with a matrix A half of which is zero. Method: the metadata select the elements of B that
// the nonzero elements of A multiply; the others are ignored, also infinities. Source: PTX ISA, "Matrix
// multiply-accumulate operation using mma.sp instruction with sparse matrix A"; sums as in tensor_sum.h.
// Tests: tests/unit/emulator/matrix_test.cpp, probe_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/matrix_parts.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::Type;

/// The columns of A's elements: [row][element].
class Columns {
 public:
  Columns(const Warps& warps, const Step& step, const Product& product, uint32_t n)
      : elements_(product.shape.depth / 2),
        columns_(static_cast<size_t>(product.shape.rows) * static_cast<size_t>(elements_)) {
    const auto* metadata = cells<const uint32_t>(warps, step.source[3], n);
    for (int row = 0; row < product.shape.rows; ++row)
      for (int element = 0; element < elements_; ++element) {
        const ptx::SparsePlace place =
            ptx::sparse_place(product.shape, product.a.type, step.immediate, row, element);
        const auto index = static_cast<int>(metadata[place.lane] >> place.bit & 3);
        columns_[at(row, element)] = ptx::sparse_column(product.a.type, element, index);
      }
  }
  int elements() const { return elements_; }
  int of(int row, int element) const { return columns_[at(row, element)]; }

 private:
  size_t at(int row, int element) const {
    return static_cast<size_t>(row) * static_cast<size_t>(elements_) + static_cast<size_t>(element);
  }
  int elements_;
  std::vector<int> columns_;
};

void multiply_floats(Warps& warps, const Step& step) {
  const Product product = product_of(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const Columns columns(warps, step, product, n);
    const int depth = columns.elements();
    const TensorSum how = sum_of(product, ptx::Op::mma_sp, depth);
    Matrix<Factor> a(product.shape.rows, depth);
    Matrix<Factor> b(product.shape.columns, product.shape.depth);  // by columns
    Matrix<double> sums(product.shape.rows, product.shape.columns);
    for_each_element(warps, product.a, n, [&](int row, int element, uint64_t bits) {
      a.at(row, place_in_sum(product, element, depth)) = factor(product.a.type, bits);
    });
    for_each_element(warps, product.b, n, [&](int row, int column, uint64_t bits) {
      b.at(column, row) = factor(product.b.type, bits);
    });
    const auto count = static_cast<size_t>(depth);
    std::vector<Factor> chosen(count);  // the elements of B's column for those of A's row
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      for (int element = 0; element < depth; ++element)
        chosen[static_cast<size_t>(place_in_sum(product, element, depth))] =
            b.row(column)[columns.of(row, element)];
      sums.at(row, column) =
          sum_of_products(how, product.d.type, {a.row(row), count}, chosen, number(product.c.type, bits));
    });
    write_elements(warps, product.d, mask, n, [&](int row, int column) -> uint32_t {
      const double sum = sums.at(row, column);
      return product.d.type == Type::f16 ? uint32_t{to_half(to_odd(sum)).bits} : float_bits(sum);
    });
  });
}

void multiply_integers(Warps& warps, const Step& step) {
  const Product product = product_of(warps, step);
  const ptx::Program& program = *warps.block.code.program;
  const bool saturates = program.modifiers[program.steps[step.index].modifiers].saturate_finite;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const Columns columns(warps, step, product, n);
    Matrix<int64_t> a(product.shape.rows, columns.elements());
    Matrix<int64_t> b(product.shape.columns, product.shape.depth);
    Matrix<uint32_t> sums(product.shape.rows, product.shape.columns);
    read_factors(warps, product, n, a, b, integer);
    for_each_element(warps, product.c, n, [&](int row, int column, uint64_t bits) {
      int64_t sum = integer(Type::s32, bits);
      for (int element = 0; element < columns.elements(); ++element)
        sum += a.row(row)[element] * b.row(column)[columns.of(row, element)];
      if (saturates) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      sums.at(row, column) = static_cast<uint32_t>(sum);
    });
    write_elements(warps, product.d, mask, n, [&](int row, int column) { return sums.at(row, column); });
  });
}

}  // namespace

Handler sparse_product_handler(const ptx::Program&, const ptx::Step& step) {
  if (step.op != ptx::Op::mma_sp) return nullptr;
  return step.type == Type::s32 ? multiply_integers : multiply_floats;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
