#include "model/access_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::Space;

AccessFilter parsed(std::string_view text) {
  const auto filter = parse_access_filter(text);
  EXPECT_TRUE(filter) << text;
  return filter.value_or(AccessFilter{});
}

TEST(AccessFilter, words_are_conditions_in_any_order_and_case) {
  EXPECT_EQ(parsed(""), AccessFilter{});
  EXPECT_EQ(parsed("  , "), AccessFilter{});
  EXPECT_EQ(parsed("shared, over 4 wavefronts"), (AccessFilter{.space = Space::Shared, .above = 4}));
  EXPECT_EQ(parsed("SHARED >4"), (AccessFilter{.space = Space::Shared, .above = 4}));
  EXPECT_EQ(parsed("> 4 shared"), (AccessFilter{.space = Space::Shared, .above = 4}));
  EXPECT_EQ(parsed("load>0 line 28"), (AccessFilter{.kind = Kind::Load, .line = 28, .above = 0}));
  EXPECT_EQ(parsed("28 excess"), (AccessFilter{.line = 28, .has_excess = true}));
}

TEST(AccessFilter, other_words_are_told) {
  for (const char* const text : {"shred", "> x", ">", "over", "line", "line x", ">-1", "4294967296", "1.5"})
    EXPECT_FALSE(parse_access_filter(text)) << text;
  EXPECT_THAT(parse_access_filter("shared shred").error().message,
              testing::HasSubstr("'shred' is no condition; known are global, shared"));
}

/// A load of a column in shared memory: 32 wavefronts where 1 is ideal; and a store of a row: 4 sectors.
TEST(AccessFilter, all_conditions_must_hold) {
  const TimelineEntry column{.operation = {Space::Shared, Kind::Load},
                             .site = {},
                             .line = 28,
                             .cost = {.wavefronts = 32, .ideal_wavefronts = 1},
                             .active = kAllLanes};
  const TimelineEntry row{.operation = {Space::Global, Kind::Store},
                          .site = {},
                          .line = 29,
                          .cost = {.sectors = 4, .ideal_sectors = 4, .lines = 1},
                          .active = kAllLanes};
  const auto shown = [](std::string_view text, const TimelineEntry& access) {
    return accepts(parsed(text), access);
  };
  EXPECT_TRUE(shown("", column));
  EXPECT_TRUE(shown("shared", column));
  EXPECT_FALSE(shown("shared", row));
  EXPECT_TRUE(shown(">31", column));
  EXPECT_FALSE(shown(">32", column));
  EXPECT_TRUE(shown(">3", row)) << "sectors, since the memory is global";
  EXPECT_FALSE(shown("excess", row));
  EXPECT_TRUE(shown("excess shared load line 28 >4", column));
  EXPECT_FALSE(shown("excess shared store line 28 >4", column));
  EXPECT_TRUE(shown("29", row));
}

}  // namespace
}  // namespace lanescope::model
