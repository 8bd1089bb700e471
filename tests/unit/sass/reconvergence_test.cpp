// Places where lanes reconverge in machine code, on an if whose machine code is written by hand.

#include "sass/reconvergence.h"

#include "ptx/lower.h"
#include "ptx/parser.h"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

using Place = Reconvergence::Kind;

/// Basic blocks: 0 up to the branch at line 9, 1 the addition at line 10, 2 from line 12 on, where paths
/// meet.
ptx::Program an_if() {
  constexpr std::string_view kText =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
      ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;\n"
      "ld.param.u64 %rd1, [out];\n"
      "mov.u32 %r1, %tid.x;\n"
      "setp.lt.u32 %p1, %r1, 7;\n"
      "@%p1 bra L1;\n"
      "add.u32 %r1, %r1, 5;\n"
      "L1:\n"
      "st.global.u32 [%rd1], %r1;\n"
      "ret;\n}\n";
  return *ptx::lower(*ptx::parse(std::string(kText), "k.ptx"), "k");
}

constexpr uint64_t kPlainHalf = 0x7918;
constexpr uint64_t kBranchHalf = 0x0000000400000947;  // @P0 BRA over one instruction
constexpr uint64_t kBsyncHalf = 0x0000000000007941;   // B0
constexpr uint64_t kYieldHalf = 0x0000000000007946;
constexpr uint64_t kExitHalf = 0x000000000000794d;
/// BSSY B0, to the instruction after the next `count`.
constexpr uint64_t bssy(uint64_t count) { return count * 16 << 32 | 0x7945; }

struct CodeLine {
  uint64_t half = kPlainHalf;
  uint32_t line = 0;  // of the PTX
};

Reconvergence of_code(const std::vector<CodeLine>& instructions) {
  MachineFunction function;
  function.code.resize(kInstructionBytes * instructions.size());
  for (size_t n = 0; n < instructions.size(); ++n) {
    std::memcpy(function.code.data() + kInstructionBytes * n, &instructions[n].half, sizeof(uint64_t));
    function.lines.push_back({static_cast<uint32_t>(kInstructionBytes * n), instructions[n].line});
  }
  return reconvergence_of(function, an_if());
}

TEST(Reconvergence, a_barrier_where_paths_meet_is_what_the_program_has) {
  const Reconvergence found = of_code({{kPlainHalf, 7},
                                       {bssy(3), 8},
                                       {kBranchHalf, 9},
                                       {kPlainHalf, 10},
                                       {kBsyncHalf, 10},
                                       {kPlainHalf, 12},
                                       {kExitHalf, 13}});
  EXPECT_EQ(found.kind, Place::WherePathsMeet);
  EXPECT_EQ(found.barriers, nullptr);
}

TEST(Reconvergence, lanes_stay_apart_behind_a_branch_without_a_barrier) {
  const Reconvergence found =
      of_code({{kPlainHalf, 7}, {kBranchHalf, 9}, {kPlainHalf, 10}, {kPlainHalf, 12}, {kExitHalf, 13}});
  ASSERT_EQ(found.kind, Place::AtBarriers);
  EXPECT_TRUE(found.barriers->at[2].empty());
}

TEST(Reconvergence, predicated_instructions_part_no_lanes) {
  EXPECT_EQ(
      of_code({{kPlainHalf, 7}, {kPlainHalf, 9}, {kPlainHalf, 10}, {kPlainHalf, 12}, {kExitHalf, 13}}).kind,
      Place::WherePathsMeet);
}

TEST(Reconvergence, a_barrier_that_leads_to_no_meeting_is_not_guessed) {
  EXPECT_EQ(of_code({{kPlainHalf, 7}, {bssy(1), 8}, {kBsyncHalf, 9}, {kExitHalf, 0}}).kind, Place::Unknown);
}

TEST(Reconvergence, lanes_that_may_go_on_while_they_wait_are_not_guessed) {
  const Reconvergence found = of_code({{kPlainHalf, 7},
                                       {bssy(4), 8},
                                       {kBranchHalf, 9},
                                       {kPlainHalf, 10},
                                       {kYieldHalf, 10},
                                       {kBsyncHalf, 10},
                                       {kPlainHalf, 12},
                                       {kExitHalf, 13}});
  EXPECT_EQ(found.kind, Place::Unknown);
}

TEST(Reconvergence, code_that_is_cut_or_leads_outside_is_read_to_its_end) {
  constexpr uint64_t kFarAway = 0x7ffffff000007947;
  EXPECT_EQ(of_code({{bssy(0xfffffff), 8}, {kFarAway, 9}}).kind, Place::Unknown);
  EXPECT_EQ(of_code({}).kind, Place::WherePathsMeet);
}

}  // namespace
}  // namespace lanescope::sass
