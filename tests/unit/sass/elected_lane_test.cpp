// Guards of atomics. Expected: the text that nvdisasm prints for these bits, of sm_90 and sm_80.

#include "sass/elected_lane.h"

#include <cstring>
#include <initializer_list>
#include <utility>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

using Halves = std::pair<uint64_t, uint64_t>;

constexpr Halves kLaneToR3{0x0000000000037919, 0x000e620000000000};    // S2R R3, SR_LANEID
constexpr Halves kThreadToR5{0x0000000000057919, 0x000e220000002100};  // S2R R5, SR_TID.X
constexpr Halves kP1IsR4EqualsR3{0x000000030400720c,
                                 0x002fc40003f22070};  // ISETP.EQ.U32.AND P1, PT, R4, R3, PT
constexpr Halves kP1IsR5AtLeast1{0x000000010500780c, 0x001fda0003f26270};  // ISETP.GE.AND P1, PT, R5, 0x1, PT
constexpr Halves kP0IsR5Not0{0x000000ff0500720c, 0x001fe20003f05270};      // ISETP.NE.AND P0, PT, R5, RZ, PT
constexpr Halves kAddIfP1{0x00000000ff09198c, 0x001e280008000004};         // @P1 ATOMS.ADD R9, [UR4], R0
constexpr Halves kAddIfNotP1{0x00001c03ff09998c, 0x0000620008000004};  // @!P1 ATOMS.ADD R9, [UR4+0x1c], R3
constexpr Halves kAdd{0x0000000d0404798c, 0x0000a80008000004};         // ATOMS.ADD R4, [R4+UR4], R13

/// Whether the last of these instructions is of one lane.
bool last_is_of_one_lane(std::initializer_list<Halves> code) {
  MachineFunction function;
  for (const Halves& halves : code) {
    std::byte bytes[kInstructionBytes];
    std::memcpy(bytes, &halves.first, 8);
    std::memcpy(bytes + 8, &halves.second, 8);
    function.code.insert(function.code.end(), bytes, bytes + kInstructionBytes);
  }
  return is_of_one_lane(function, static_cast<uint32_t>(function.code.size()) - kInstructionBytes);
}

TEST(ElectedLane, its_number_is_compared_with_that_of_the_lane) {
  EXPECT_TRUE(last_is_of_one_lane({kLaneToR3, kP1IsR4EqualsR3, kAddIfP1}));
  EXPECT_TRUE(last_is_of_one_lane({kLaneToR3, kP1IsR4EqualsR3, kThreadToR5, kP0IsR5Not0, kAddIfP1}));
}

TEST(ElectedLane, other_predicates_are_those_of_a_branch) {
  EXPECT_FALSE(last_is_of_one_lane({kLaneToR3, kP1IsR4EqualsR3, kAdd})) << "no predicate";
  EXPECT_FALSE(last_is_of_one_lane({kLaneToR3, kP1IsR4EqualsR3, kAddIfNotP1})) << "all other lanes";
  EXPECT_FALSE(last_is_of_one_lane({kLaneToR3, kP1IsR4EqualsR3, kThreadToR5, kP1IsR5AtLeast1, kAddIfP1}));
  EXPECT_FALSE(last_is_of_one_lane({kThreadToR5, kP1IsR5AtLeast1, kAddIfP1}));
  EXPECT_FALSE(last_is_of_one_lane({kP1IsR4EqualsR3, kAddIfP1})) << "the register has another value";
  EXPECT_FALSE(last_is_of_one_lane({kAddIfP1}));
}

}  // namespace
}  // namespace lanescope::sass
