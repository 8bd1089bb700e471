// Where the elements of a fragment are: places from the tables of the PTX ISA, "Matrix Fragments for mma".

#include "ptx/matrix_fragment.h"
#include "support/ptx_text.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

constexpr int kLane = 5;  // group 1, place 1 within it

void expect_place(const Fragment& fragment, int reg, int n, int row, int column) {
  const MatrixElement place = fragment.place(reg, kLane, n);
  EXPECT_EQ(place.row, row) << "register " << reg;
  EXPECT_EQ(place.column, column) << "register " << reg;
}

TEST(Matrix, fragments_of_halves) {
  const Fragment a(MatrixRole::A, {16, 8, 16}, Type::f16, FragmentOf::Mma);
  EXPECT_EQ(a.registers(), 4);
  expect_place(a, 0, 0, 1, 2);
  expect_place(a, 1, 1, 9, 3);
  expect_place(a, 2, 0, 1, 10);
  expect_place(a, 3, 1, 9, 11);
  const Fragment b(MatrixRole::B, {16, 8, 16}, Type::f16, FragmentOf::Mma);
  EXPECT_EQ(b.registers(), 2);
  expect_place(b, 0, 1, 3, 1);
  expect_place(b, 1, 0, 10, 1);
  const Fragment c(MatrixRole::C, {16, 8, 16}, Type::f32, FragmentOf::Mma);
  EXPECT_EQ(c.registers(), 4);
  expect_place(c, 1, 0, 1, 3);
  expect_place(c, 2, 0, 9, 2);
  const Fragment packed(MatrixRole::C, {16, 8, 16}, Type::f16, FragmentOf::Mma);
  EXPECT_EQ(packed.registers(), 2);
  expect_place(packed, 1, 1, 9, 3);
}

TEST(Matrix, fragments_of_other_types) {
  const Fragment tf32(MatrixRole::A, {16, 8, 8}, Type::tf32, FragmentOf::Mma);
  expect_place(tf32, 1, 0, 9, 1);
  expect_place(tf32, 2, 0, 1, 5);
  const Fragment bytes(MatrixRole::A, {16, 8, 32}, Type::s8, FragmentOf::Mma);
  expect_place(bytes, 1, 3, 9, 7);
  expect_place(bytes, 2, 0, 1, 20);
  const Fragment doubles(MatrixRole::A, {16, 8, 16}, Type::f64, FragmentOf::Mma);
  EXPECT_EQ(doubles.registers(), 8);
  expect_place(doubles, 3, 0, 9, 5);
  const Fragment bits(MatrixRole::B, {8, 8, 128}, Type::b1, FragmentOf::Mma);
  EXPECT_EQ(bits.registers(), 1);
  expect_place(bits, 0, 31, 63, 1);
}

TEST(Matrix, fragments_of_quad_pairs) {
  const auto expect = [](MatrixRole role, Type type, bool by_rows, int lane, int n, int row, int column) {
    const MatrixElement place = quad_place(role, type, by_rows, lane, n);
    EXPECT_EQ(place.row, row) << lane << " " << n;
    EXPECT_EQ(place.column, column) << lane << " " << n;
  };
  expect(MatrixRole::A, Type::f16, true, 6, 3, 2, 3);
  expect(MatrixRole::A, Type::f16, true, 22, 3, 6, 3);
  expect(MatrixRole::A, Type::f16, false, 22, 3, 7, 2);
  expect(MatrixRole::B, Type::f16, true, 17, 2, 1, 6);
  expect(MatrixRole::B, Type::f16, false, 17, 2, 2, 5);
  expect(MatrixRole::C, Type::f16, true, 17, 7, 5, 7);
  expect(MatrixRole::C, Type::f32, true, 3, 6, 3, 6);
  expect(MatrixRole::C, Type::f32, true, 18, 1, 4, 3);
  EXPECT_EQ(Fragment(MatrixRole::A, {8, 8, 4}, Type::f16, FragmentOf::Mma).registers(), 2);
  EXPECT_EQ(Fragment(MatrixRole::C, {8, 8, 4}, Type::f16, FragmentOf::Mma).registers(), 4);
  EXPECT_EQ(Fragment(MatrixRole::C, {8, 8, 4}, Type::f32, FragmentOf::Mma).registers(), 8);
}

TEST(Matrix, a_sparse_matrix_keeps_its_places_with_chosen_lanes) {
  const auto expect = [](MatrixShape shape, Type type, int selector, int row, int element, int lane,
                         int bit) {
    const SparsePlace place = sparse_place(shape, type, selector, row, element);
    EXPECT_EQ(place.lane, lane) << name_of(type) << " row " << row;
    EXPECT_EQ(place.bit, bit) << name_of(type) << " row " << row;
  };
  expect({16, 8, 16}, Type::f16, 2, 9, 3, 6, 22);  // a lane for two rows of 16 bits
  expect({16, 8, 8}, Type::tf32, 3, 0, 1, 3, 4);
  expect({16, 8, 32}, Type::f16, 1, 9, 9, 7, 18);  // a pair of lanes, each for half of two rows
  expect({16, 8, 32}, Type::s8, 1, 9, 3, 7, 6);    // a pair of lanes, one for each row of 32 bits
  expect({16, 8, 64}, Type::u8, 0, 9, 17, 7, 2);
  expect({16, 8, 64}, Type::s4, 1, 9, 7, 7, 6);  // two numbers have one place
  expect({16, 8, 128}, Type::u4, 0, 2, 35, 10, 2);
  expect({16, 8, 64}, Type::e4m3, 0, 9, 17, 7, 2);
  EXPECT_EQ(sparse_column(Type::f16, 3, 2), 6);
  EXPECT_EQ(sparse_column(Type::s4, 7, 2), 13);
  EXPECT_EQ(sparse_column(Type::e5m2, 3, 2), 6);
  EXPECT_EQ(sparse_column(Type::tf32, 3, 0), 6);
  EXPECT_EQ(sparse_column(Type::tf32, 3, 2), 7);
  EXPECT_EQ(Fragment(MatrixRole::A, {16, 8, 32}, Type::f16, FragmentOf::SparseMma).registers(), 4);
  EXPECT_EQ(Fragment(MatrixRole::B, {16, 8, 32}, Type::f16, FragmentOf::SparseMma).registers(), 4);
  const std::string_view text =
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}}, {{%r1, %r2}}, {{%r3, "
      "%r4}}, "
      "{{%f1, %f2, %f3, %f4}}, %r5, {};";
  EXPECT_NE(complaint(fmt::format(fmt::runtime(text), 4)).find("from 0 to 3"), std::string::npos);
}

TEST(Matrix, a_fragment_of_wmma_holds_every_element) {
  struct Case {
    MatrixRole role;
    MatrixShape shape;
    Type type;
    int registers;
  };
  for (const Case& one :
       {Case{MatrixRole::A, {16, 16, 16}, Type::f16, 8}, Case{MatrixRole::B, {32, 8, 16}, Type::f16, 8},
        Case{MatrixRole::A, {32, 8, 16}, Type::bf16, 8}, Case{MatrixRole::B, {32, 8, 16}, Type::bf16, 2},
        Case{MatrixRole::A, {8, 32, 16}, Type::s8, 1}, Case{MatrixRole::B, {8, 32, 16}, Type::s8, 4},
        Case{MatrixRole::C, {32, 8, 16}, Type::f32, 8}, Case{MatrixRole::C, {8, 32, 16}, Type::f16, 4},
        Case{MatrixRole::A, {16, 16, 8}, Type::tf32, 4}, Case{MatrixRole::A, {8, 8, 4}, Type::f64, 1},
        Case{MatrixRole::C, {8, 8, 4}, Type::f64, 2}}) {
    const Fragment fragment(one.role, one.shape, one.type, FragmentOf::Wmma);
    EXPECT_EQ(fragment.registers(), one.registers) << name_of(one.type);
    std::set<std::pair<int, int>> seen;
    for (int reg = 0; reg < fragment.registers(); ++reg)
      for (int lane = 0; lane < 32; ++lane)
        for (int n = 0; n < fragment.per_register(); ++n) {
          const MatrixElement place = fragment.place(reg, lane, n);
          seen.insert({place.row, place.column});
        }
    EXPECT_EQ(static_cast<int>(seen.size()), fragment.rows() * fragment.columns());
    EXPECT_EQ(seen.rbegin()->first, fragment.rows() - 1);
  }
}

TEST(Matrix, what_does_not_fit_is_refused) {
  EXPECT_NE(
      complaint("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r5, "
                "%r6}, {%f1, %f2, %f3, %f4};")
          .find("4 registers were expected"),
      std::string::npos);
  EXPECT_NE(complaint("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1}, {%r2}, {%f1, %f2};")
                .find("8 registers were expected"),
            std::string::npos);
  EXPECT_NE(
      complaint("mma.sync.aligned.m8n8k4.row.col.f32.bf16.bf16.f32 {%f1, %f2}, {%r1}, {%r2}, {%f1, %f2};")
          .find("no shape m8n8k4"),
      std::string::npos);
  EXPECT_NE(complaint("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [tile];").find("2 registers"),
            std::string::npos);
  EXPECT_NE(
      complaint("wmma.load.a.sync.aligned.m16n16k16.shared.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, "
                "[tile];")
          .find("layout"),
      std::string::npos);
}

}  // namespace
}  // namespace lanescope::ptx
