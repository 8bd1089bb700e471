// Words that findings are filtered by.

#include "trace/hazard.h"

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

Hazard race() {
  Hazard hazard;
  hazard.kind = HazardKind::Race;
  hazard.where = {"sum.cu", 28};
  hazard.block = {1, 2, 0};
  hazard.thread = {5, 0, 0};
  hazard.message = "writes tile[0][16] without a barrier";
  hazard.element = "tile[0][16]";
  hazard.other = Culprit{.where = {"sum.cu", 31}};
  return hazard;
}

TEST(Hazard, all_words_of_a_filter_must_stand_in_what_is_said) {
  EXPECT_TRUE(matches(race(), ""));
  EXPECT_TRUE(matches(race(), "  race "));
  EXPECT_TRUE(matches(race(), "Tile RACE"));
  EXPECT_TRUE(matches(race(), "block (1,2,0)"));
  EXPECT_FALSE(matches(race(), "race other"));
  EXPECT_FALSE(matches(race(), "out_of_bounds"));
}

TEST(Hazard, a_line_is_that_of_either_side) {
  EXPECT_TRUE(matches(race(), "line 28"));
  EXPECT_TRUE(matches(race(), "line 31 race"));
  EXPECT_FALSE(matches(race(), "line 2"));
  EXPECT_TRUE(matches(race(), "line")) << "a number is still to be typed";
}

}  // namespace
}  // namespace lanescope::trace
