// Instructions of convergence, as nvdisasm prints them of a kernel with a loop that some lanes leave early.

#include "sass/convergence.h"

#include <cstring>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

using Kind = ConvergenceInstruction::Kind;

constexpr uint64_t kNop = 0x7918;

/// A function with these lower halves of instructions; the upper halves do not matter.
MachineFunction function_of(const std::vector<uint64_t>& halves) {
  MachineFunction function;
  function.code.resize(16 * halves.size());
  for (size_t n = 0; n < halves.size(); ++n)
    std::memcpy(function.code.data() + 16 * n, &halves[n], sizeof halves[n]);
  function.lines = {{0, 40}, {0x20, 41}};
  return function;
}

/// sm_90: BSSY B0 to 0x80, BSSY B1 to 0x60, @P0 BREAK B1, BSYNC B1, BSYNC B0, WARPSYNC.ALL.
MachineFunction two_regions() {
  return function_of({kNop, 0x0000006000007945, 0x0000003000017945, 0x0000000000010942, kNop,
                      0x0000000000017941, kNop, 0x0000000000007941, 0x0000000000007948});
}

ptx::Program program_of_lines() {
  ptx::Program program;
  program.origins = {{.source = {"k.cu", 7}, .ptx_line = 40, .ptx_text = {}},
                     {.source = {"k.cu", 9}, .ptx_line = 41, .ptx_text = {}}};
  return program;
}

TEST(Convergence, barriers_targets_and_lines_are_read_from_the_bits) {
  const auto all = convergence_of(two_regions(), program_of_lines());
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], (ConvergenceInstruction{.kind = Kind::Bssy,
                                            .pc = 0x10,
                                            .ptx_line = 40,
                                            .barrier = 0,
                                            .target = 0x80,
                                            .where = {"k.cu", 7}}));
  EXPECT_EQ(all[1].target, 0x60u);
  EXPECT_EQ(all[1].barrier, 1);
  EXPECT_EQ(all[1].where, (Location{"k.cu", 9}));
  EXPECT_EQ(name_of(all[1]) + " " + operands_of(all[1]), "BSSY B1, 0x60");
  EXPECT_EQ(name_of(all[2]) + " " + operands_of(all[2]), "BREAK B1");
  EXPECT_EQ(name_of(all[4]) + " " + operands_of(all[4]), "BSYNC B0");
  EXPECT_EQ(name_of(all[5]) + operands_of(all[5]), "WARPSYNC");
}

TEST(Convergence, the_innermost_region_encloses_an_instruction_by_its_address) {
  const auto all = convergence_of(two_regions(), {});
  EXPECT_EQ(enclosing_bssy(all, 0x00), nullptr);
  EXPECT_EQ(enclosing_bssy(all, 0x10), nullptr) << "the BSSY itself is outside";
  EXPECT_EQ(enclosing_bssy(all, 0x20), &all[0]);
  EXPECT_EQ(enclosing_bssy(all, 0x40), &all[1]);
  EXPECT_EQ(enclosing_bssy(all, 0x60), &all[0]);
  EXPECT_EQ(enclosing_bssy(all, 0x80), nullptr);
  EXPECT_EQ(bsync_of(all[0]), 0x70u);
  EXPECT_EQ(bsync_of(all[1]), 0x50u);
}

TEST(Convergence, a_bsync_and_a_break_belong_to_the_bssy_of_their_barrier) {
  const auto all = convergence_of(two_regions(), {});
  EXPECT_EQ(bssy_of(all, all[2]), &all[1]);
  EXPECT_EQ(bssy_of(all, all[3]), &all[1]);
  EXPECT_EQ(bssy_of(all, all[4]), &all[0]);
  EXPECT_EQ(bssy_of(all, all[0]), nullptr);
  EXPECT_EQ(bssy_of(all, all[5]), nullptr);
}

TEST(Convergence, an_instruction_that_never_runs_is_none) {
  // @!PT BSYNC B0, as 0xf in the bits of the predicate.
  EXPECT_TRUE(convergence_of(function_of({0x000000000000f941}), {}).empty());
  EXPECT_TRUE(convergence_of({}, {}).empty());
}

}  // namespace
}  // namespace lanescope::sass
