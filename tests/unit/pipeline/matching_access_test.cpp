#include "pipeline/matching_access.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

/// 'l', 's': loads and stores of global memory; 'L', 'S': of shared memory.
std::vector<model::TimelineEntry> warp(std::string_view accesses) {
  std::vector<model::TimelineEntry> timeline;
  for (const char access : accesses) {
    model::TimelineEntry entry;
    entry.operation.space = access >= 'a' ? trace::Space::Global : trace::Space::Shared;
    entry.operation.kind = access == 'l' || access == 'L' ? trace::Kind::Load : trace::Kind::Store;
    entry.operation.bytes_per_lane = 4;
    timeline.push_back(entry);
  }
  return timeline;
}

uint32_t match(std::string_view one, uint32_t index, std::string_view other) {
  return matching_access(warp(one), index, warp(other));
}

TEST(MatchingAccess, equal_warps_match_one_to_one) {
  for (uint32_t n = 0; n < 6; ++n) EXPECT_EQ(match("lSLsls", n, "lSLsls"), n);
}

TEST(MatchingAccess, the_nth_of_an_operation_matches_the_nth_of_the_same) {
  EXPECT_EQ(match("llSSLLss", 7, "lsls"), 3u) << "the second store to global memory";
  EXPECT_EQ(match("lsls", 2, "llSSLLss"), 1u);
}

TEST(MatchingAccess, where_there_are_fewer_it_is_the_last_of_them) { EXPECT_EQ(match("llll", 3, "lls"), 1u); }

TEST(MatchingAccess, without_such_an_operation_it_is_the_same_index_or_the_last) {
  EXPECT_EQ(match("lSLs", 1, "lsls"), 1u);
  EXPECT_EQ(match("lllS", 3, "ls"), 1u);
}

TEST(MatchingAccess, the_width_of_an_access_does_not_matter) {
  auto wide = warp("sl");
  wide[1].operation.bytes_per_lane = 16;
  EXPECT_EQ(matching_access(warp("ls"), 0, wide), 1u);
}

TEST(MatchingAccess, an_empty_warp_matches_anything) {
  EXPECT_EQ(match("", 4, "ls"), 1u);
  EXPECT_EQ(match("ls", 1, ""), 1u);
}

}  // namespace
}  // namespace lanescope::pipeline
