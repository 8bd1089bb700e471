// mma.sp of numbers of 8 and 4 bits against plain sums: A is made with half of it zero, put together with its
// metadata as the manual draws them. Small whole numbers, so that every rounding is exact.

#include "kernel_run.h"
#include "ptx/matrix_fragment.h"

#include <bit>

namespace lanescope::emulator {
namespace {

using ptx::Fragment;
using ptx::FragmentOf;
using ptx::MatrixRole;
using ptx::MatrixShape;
using ptx::Type;

int element(MatrixRole role, int row, int column) {
  return (row * 3 + column * 11 + static_cast<int>(role)) % 5 - 2;
}

uint64_t bits_of_number(Type type, int value) {
  if (type == Type::f32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == Type::e4m3) {  // exponent 7 is 2^0
    constexpr uint64_t kCodes[] = {0xc0, 0xb8, 0x00, 0x38, 0x40};
    return kCodes[value + 2];
  }
  return static_cast<uint64_t>(int64_t{value}) & ~uint64_t{0} >> (64 - ptx::element_bits(type));
}

/// Of four neighbors in a row (of eight, in pairs) the two that are kept, all six ways in turn.
std::pair<int, int> kept(int row, int chunk) {
  constexpr std::pair<int, int> kWays[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return kWays[(row + chunk) % 6];
}

/// Column of the n-th element of a row that is kept.
int column_of(Type type, int row, int n) {
  const int width = type == Type::s4 ? 2 : 1;  // numbers that are kept or not together
  const int place = n / width;
  const auto [first, second] = kept(row, place / 2);
  return width * (4 * (place / 2) + (place % 2 == 0 ? first : second)) + n % width;
}

/// A row's metadata: two bits for each of its places. 32 bits of a row lie with one lane of the pair that the
/// selector names, the even one for the first eight rows; 64 with that lane of both pairs.
std::vector<uint32_t> metadata_of(MatrixShape shape, Type type, int selector) {
  std::vector<uint32_t> words(32, 0xffffffff);  // of the others nothing is read
  const int places = shape.depth / 2 / (type == Type::s4 ? 2 : 1);
  for (int row = 0; row < 16; ++row) {
    uint64_t bits = 0;
    for (int place = 0; place < places; ++place) {
      const auto [first, second] = kept(row, place / 2);
      bits |= static_cast<uint64_t>(place % 2 == 0 ? first : second) << 2 * place;
    }
    const auto lane = static_cast<size_t>(4 * (row % 8) + row / 8);
    if (places == 16) {
      words[lane + 2 * static_cast<size_t>(selector)] = static_cast<uint32_t>(bits);
    } else {
      words[lane] = static_cast<uint32_t>(bits);
      words[lane + 2] = static_cast<uint32_t>(bits >> 32);
    }
  }
  return words;
}

std::string list_of(int first, int count, char name) {
  std::string text;
  for (int n = 0; n < count; ++n) text += fmt::format("{}%{}{}", n == 0 ? "" : ", ", name, first + n);
  return "{" + text + "}";
}

void expect_sparse_product(MatrixShape shape, Type d, Type type, int selector) {
  const Fragment a(MatrixRole::A, shape, type, FragmentOf::SparseMma);
  const Fragment b(MatrixRole::B, shape, type, FragmentOf::SparseMma);
  const Fragment c(MatrixRole::C, shape, d, FragmentOf::SparseMma);
  const std::vector<uint32_t> metadata = metadata_of(shape, type, selector);
  std::vector<uint32_t> in;  // [lane][register of A, B, C, metadata]
  for (int lane = 0; lane < 32; ++lane) {
    const auto add = [&](const Fragment& fragment, Type of, auto&& value) {
      for (int reg = 0; reg < fragment.registers(); ++reg) {
        uint64_t word = 0;
        for (int n = 0; n < fragment.per_register(); ++n) {
          const ptx::MatrixElement place = fragment.place(reg, lane, n);
          word |= bits_of_number(of, value(place.row, place.column)) << fragment.bits() * n;
        }
        in.push_back(static_cast<uint32_t>(word));
      }
    };
    add(a, type, [&](int row, int n) { return element(MatrixRole::A, row, column_of(type, row, n)); });
    add(b, type, [](int row, int column) { return element(MatrixRole::B, row, column); });
    add(c, d, [](int row, int column) { return element(MatrixRole::C, row, column); });
    in.push_back(metadata[static_cast<size_t>(lane)]);
  }
  const int na = a.registers(), nb = b.registers(), words = na + nb + 5;
  std::string body = fmt::format(
      ".reg .b32 %x<20>, %y<8>; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd3, %r1, {}; add.u64 %rd1, %rd1, %rd3; mul.wide.u32 %rd3, %r1, 16; add.u64 %rd2, %rd2, "
      "%rd3;\n",
      4 * words);
  for (int n = 0; n < words; ++n) body += fmt::format("ld.global.b32 %x{}, [%rd1+{}];\n", n, 4 * n);
  body += fmt::format(
      "mma.sp::ordered_metadata.sync.aligned.m16n8k{}.row.col.{}.{}.{}.{} {}, {}, {}, {}, %x{}, {};\n",
      shape.depth, name_of(d), name_of(type), name_of(type), name_of(d), list_of(0, 4, 'y'),
      list_of(0, na, 'x'), list_of(na, nb, 'x'), list_of(na + nb, 4, 'x'), words - 1, selector);
  for (int n = 0; n < 4; ++n) body += fmt::format("st.global.b32 [%rd2+{}], %y{};\n", 4 * n, n);
  LaunchBuilder builder;
  builder.buffer("in", in).buffer("out", std::vector<uint32_t>(128));
  KernelRun kernel;
  run_kernel(kernel, kernel_text(".param .u64 in, .param .u64 out", body + "ret;"), builder.launch);
  ASSERT_EQ(kernel.outcome.buffers.size(), 2u);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers[1]);
  for (int lane = 0; lane < 32; ++lane)
    for (int n = 0; n < 4; ++n) {
      const ptx::MatrixElement place = c.place(n, lane, 0);
      int sum = element(MatrixRole::C, place.row, place.column);
      for (int k = 0; k < shape.depth / 2; ++k) {
        const int column = column_of(type, place.row, k);
        sum += element(MatrixRole::A, place.row, column) * element(MatrixRole::B, column, place.column);
      }
      ASSERT_EQ(out[static_cast<size_t>(4 * lane + n)], bits_of_number(d, sum))
          << name_of(type) << " row " << place.row << " column " << place.column;
    }
}

TEST(Sparse, bytes_are_chosen_one_by_one) {
  for (const int selector : {0, 1}) expect_sparse_product({16, 8, 32}, Type::s32, Type::s8, selector);
  expect_sparse_product({16, 8, 64}, Type::s32, Type::s8, 0);
}

TEST(Sparse, numbers_of_4_bits_are_chosen_in_pairs) {
  for (const int selector : {0, 1}) expect_sparse_product({16, 8, 64}, Type::s32, Type::s4, selector);
  expect_sparse_product({16, 8, 128}, Type::s32, Type::s4, 0);
}

TEST(Sparse, floats_of_8_bits_are_chosen_as_bytes_are) {
  expect_sparse_product({16, 8, 64}, Type::f32, Type::e4m3, 0);
}

}  // namespace
}  // namespace lanescope::emulator
