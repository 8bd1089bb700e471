// How wmma moves fragments. Expected: the instructions that ptxas of CUDA 13.0 makes for sm_80 and sm_90,
// read from its machine code.

#include "ptx/fragment_access.h"

#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using enum MatrixRole;

struct Case {
  std::string_view name;
  MatrixRole role;
  MatrixShape shape;
  Type type;
  bool by_rows;
  Space space;
  int count;
  int bytes;
};

class FragmentAccesses : public testing::TestWithParam<Case> {};

constexpr MatrixShape kSquare{16, 16, 16};
constexpr MatrixShape kTall{32, 8, 16};
constexpr MatrixShape kWide{8, 32, 16};

INSTANTIATE_TEST_SUITE_P(
    Ptxas, FragmentAccesses,
    testing::Values(Case{"a_rows", A, kSquare, Type::f16, true, Space::Global, 4, 4},       // LDG
                    Case{"a_columns", A, kSquare, Type::f16, false, Space::Global, 4, 4},   // LDG, MOVM
                    Case{"b_rows", B, kSquare, Type::f16, true, Space::Global, 4, 4},       // LDG, MOVM
                    Case{"b_columns", B, kSquare, Type::bf16, false, Space::Global, 4, 4},  // LDG
                    Case{"a_generic", A, kSquare, Type::f16, true, Space::Generic, 4, 4},   // LD
                    Case{"a_tall", A, kTall, Type::f16, true, Space::Global, 8, 4},
                    Case{"b_tall", B, kTall, Type::f16, true, Space::Global, 2, 4},
                    Case{"a_wide", A, kWide, Type::f16, false, Space::Global, 2, 4},
                    Case{"b_wide", B, kWide, Type::f16, true, Space::Global, 8, 4},
                    Case{"a_shared", A, kSquare, Type::f16, true, Space::Shared, 1, 16},  // LDSM.16.M88.4
                    Case{"a_shared_columns", A, kSquare, Type::f16, false, Space::Shared, 1, 16},  // MT88
                    Case{"a_shared_tall", A, kTall, Type::bf16, true, Space::Shared, 2, 16},
                    Case{"b_shared_tall", B, kTall, Type::f16, false, Space::Shared, 1, 16},  // LDSM.16.M88.2
                    Case{"bytes", A, kSquare, Type::s8, true, Space::Global, 2, 4},
                    Case{"bytes_across", A, kSquare, Type::s8, false, Space::Global, 8, 1},   // LDG.U8
                    Case{"bytes_shared", B, kSquare, Type::s8, false, Space::Shared, 1, 16},  // LDSM.16.M88.2
                    Case{"bytes_shared_across", B, kSquare, Type::s8, true, Space::Shared, 8, 1},  // LDS.U8
                    Case{"nibbles", A, {8, 8, 32}, Type::s4, true, Space::Global, 1, 4},
                    Case{"nibbles_shared", A, {8, 8, 32}, Type::s4, true, Space::Shared, 1, 16},
                    Case{"bits_shared", B, {8, 8, 128}, Type::b1, false, Space::Shared, 1, 16},
                    Case{"tf32", A, {16, 16, 8}, Type::tf32, true, Space::Global, 4, 4},
                    Case{"tf32_shared", B, {16, 16, 8}, Type::tf32, true, Space::Shared, 4, 4},  // LDS
                    Case{"doubles", A, {8, 8, 4}, Type::f64, true, Space::Global, 1, 8},
                    Case{"sums", C, kSquare, Type::f32, true, Space::Global, 4, 8},          // LDG.64
                    Case{"sums_across", C, kSquare, Type::s32, false, Space::Shared, 8, 4},  // LDS
                    Case{"sums_tall", C, kTall, Type::f32, true, Space::Shared, 4, 8},
                    Case{"sums_wide", C, kWide, Type::s32, true, Space::Global, 8, 4},
                    Case{"sums_wide_along", C, kWide, Type::s32, false, Space::Global, 4, 8},
                    Case{"half_sums", C, kSquare, Type::f16, true, Space::Shared, 4, 4},          // LDS
                    Case{"half_sums_across", C, kSquare, Type::f16, false, Space::Global, 4, 4},  // MOVM
                    Case{"half_sums_wide", C, kWide, Type::f16, true, Space::Global, 4, 4},
                    Case{"small_sums", C, {8, 8, 32}, Type::s32, true, Space::Global, 1, 8},
                    Case{"double_sums", C, {8, 8, 4}, Type::f64, true, Space::Global, 1, 16},  // LDG.128
                    Case{"double_sums_across", C, {8, 8, 4}, Type::f64, false, Space::Global, 2, 8}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_P(FragmentAccesses, are_those_of_the_machine_code) {
  const Case& one = GetParam();
  const FragmentAccess access(one.role, one.shape, one.type, one.by_rows, one.space);
  EXPECT_EQ(access.count(), one.count);
  EXPECT_EQ(access.bytes(), one.bytes);
  EXPECT_EQ(access.is_of_matrices(), one.space == Space::Shared && one.role != C && one.bytes == 16);
}

TEST_P(FragmentAccesses, move_every_element_once) {
  const Case& one = GetParam();
  const FragmentAccess access(one.role, one.shape, one.type, one.by_rows, one.space);
  std::map<std::pair<int, int>, int> moved;
  for (int n = 0; n < access.count(); ++n)
    for (int lane = 0; lane < 32; ++lane) {
      if ((access.lanes(n) >> lane & 1) == 0) continue;
      const PlaceInMemory first = access.first(n, lane);
      for (int k = 0; k < 8 * access.bytes() / access.fragment().bits(); ++k)
        ++moved[{first.line, first.element + k}];
    }
  EXPECT_EQ(static_cast<int>(moved.size()), access.lines() * access.elements());
  for (const auto& [place, times] : moved) {
    EXPECT_EQ(times, 1) << place.first << ' ' << place.second;
    EXPECT_LT(place.first, access.lines());
    EXPECT_LT(place.second, access.elements());
  }
}

TEST(FragmentAccess, halves_go_along_the_lines_of_memory_also_where_registers_go_across) {
  constexpr FragmentAccess access(B, kSquare, Type::f16, true, Space::Global);
  // Lanes 0 to 3 have 16 bytes of line 0, lane 4 begins line 1.
  EXPECT_EQ(access.first(0, 3).line, 0);
  EXPECT_EQ(access.first(0, 3).element, 6);
  EXPECT_EQ(access.first(0, 4).line, 1);
  EXPECT_EQ(access.first(0, 4).element, 0);
}

TEST(FragmentAccess, lanes_supply_the_lines_of_four_cores_in_shared_memory) {
  constexpr FragmentAccess access(A, kSquare, Type::f16, true, Space::Shared);
  // Core 1 is the lower left one, as register 1 of the product.
  EXPECT_EQ(access.first(0, 9).line, 9);
  EXPECT_EQ(access.first(0, 9).element, 0);
  EXPECT_EQ(access.first(0, 17).line, 1);
  EXPECT_EQ(access.first(0, 17).element, 8);
  EXPECT_EQ(access.lanes(0), 0xffffffffu);
  EXPECT_EQ(FragmentAccess(A, kWide, Type::f16, true, Space::Shared).lanes(0), 0xffffu);
}

}  // namespace
}  // namespace lanescope::ptx
