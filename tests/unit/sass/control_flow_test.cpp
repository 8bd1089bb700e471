// Instructions of control flow. Expected: the text that nvdisasm prints for these bits, of sm_90.

#include "sass/control_flow.h"

#include <cstring>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

using Control = ControlInstruction::Kind;

/// The instruction with these halves at address 0x210 of a code of 0x800 bytes.
std::optional<ControlInstruction> control_of(uint64_t low, uint64_t high = 0, uint32_t architecture = 90) {
  MachineFunction function;
  function.architecture = architecture;
  function.code.resize(0x800);
  std::memcpy(function.code.data() + 0x210, &low, sizeof low);
  std::memcpy(function.code.data() + 0x218, &high, sizeof high);
  return control_at(function, 0x210);
}

TEST(ControlFlow, a_branch_has_a_target_and_perhaps_a_predicate) {
  // @!P1 BRA to 0x370, 0x150 bytes from 0x220; BRA to itself.
  EXPECT_EQ(control_of(0x0000000000549947, 0x000fea0003800000),
            (ControlInstruction{.kind = Control::Bra, .is_conditional = true, .target = 0x370}));
  EXPECT_EQ(control_of(0xfffffffc00fc7947, 0x000fc0000383ffff),
            (ControlInstruction{.kind = Control::Bra, .target = 0x210}));
}

TEST(ControlFlow, the_distance_of_a_branch_has_other_bits_before_sm_90) {
  // sm_75: @!P0 BRA 0x490 bytes ahead, @!P0 BRA 0xd0 bytes back; sm_80: BRA to itself.
  EXPECT_EQ(control_of(0x0000049000008947, 0x000fea0003800000, 75)->target, 0x6b0u);
  EXPECT_EQ(control_of(0xffffff3000008947, 0x000fea000383ffff, 75)->target, 0x150u);
  EXPECT_EQ(control_of(0xfffffff000007947, 0x000fc0000383ffff, 80)->target, 0x210u);
}

TEST(ControlFlow, a_barrier_has_a_number_and_where_it_ends) {
  EXPECT_EQ(control_of(0x0000006000017945),
            (ControlInstruction{.kind = Control::Bssy, .barrier = 1, .target = 0x280}));
  EXPECT_EQ(control_of(0x0000000000017941), (ControlInstruction{.kind = Control::Bsync, .barrier = 1}));
  EXPECT_EQ(control_of(0x0000000000010942),
            (ControlInstruction{.kind = Control::Break, .is_conditional = true, .barrier = 1}));
  EXPECT_EQ(control_of(0x0000000000007948), (ControlInstruction{.kind = Control::Warpsync}));
  EXPECT_EQ(control_of(0x0000000000007946), (ControlInstruction{.kind = Control::Yield}));
}

TEST(ControlFlow, a_jump_by_a_table_chooses_lanes_and_other_instructions_lead_nowhere) {
  EXPECT_EQ(control_of(0x0000000000007949),
            (ControlInstruction{.kind = Control::Brx, .is_conditional = true}));
  EXPECT_EQ(control_of(0x000000000000794d), (ControlInstruction{.kind = Control::Exit}));
  EXPECT_EQ(control_of(0x000000000000894d),
            (ControlInstruction{.kind = Control::Exit, .is_conditional = true}));
  EXPECT_EQ(control_of(0x000000000000f94d), std::nullopt) << "@!PT: never";
  EXPECT_EQ(control_of(0x0000000000007918), std::nullopt) << "NOP";
}

TEST(ControlFlow, a_target_outside_of_the_code_is_none) {
  EXPECT_EQ(control_of(0x0001000000007945)->target, std::nullopt);
  EXPECT_EQ(control_of(0x8000000000007947)->target, std::nullopt);
  EXPECT_EQ(control_of(0x8000000000007947, 0x20000)->target, std::nullopt);
}

}  // namespace
}  // namespace lanescope::sass
