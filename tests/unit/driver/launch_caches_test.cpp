// Counts of the modelled caches by kernel, and their table.

#include "driver/server/launch_caches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;
using testing::Not;

LaunchCaches counts_of(uint64_t sectors, uint64_t hits, uint64_t dram_read, double seconds) {
  return {.sectors = sectors,
          .l1_hits = hits,
          .l2_to_l1 = sectors - hits,
          .dram_read = dram_read,
          .dram_read_low = dram_read,
          .dram_read_high = dram_read,
          .is_whole = true,
          .least_seconds = seconds,
          .limit = "dram"};
}

TEST(LaunchCaches, sums_of_launches) {
  LaunchCaches sum;
  add(sum, counts_of(100, 50, 10, 1e-6));
  add(sum, counts_of(300, 50, 30, 3e-6));
  EXPECT_EQ(sum.sectors, 400u);
  EXPECT_EQ(sum.l1_hits, 100u);
  EXPECT_EQ(sum.dram_read, 40u);
  EXPECT_DOUBLE_EQ(sum.least_seconds.value(), 4e-6);
  EXPECT_TRUE(sum.is_whole);
  LaunchCaches part = counts_of(1, 0, 0, 0);
  part.is_whole = false;
  add(sum, part);
  EXPECT_FALSE(sum.is_whole);
}

TEST(LaunchCaches, table_begins_with_the_kernel_that_needs_most_time) {
  LaunchCaches slow = counts_of(1'000'000, 250'000, 500'000, 90e-6);
  slow.gains = {"line 3: 2.00 times faster without the excess sectors of its load"};
  const std::string table = cache_table_of({{"first", 2, counts_of(0, 0, 100, 10e-6)}, {"slow", 1, slow}});
  EXPECT_LT(table.find("slow"), table.find("first"));
  EXPECT_THAT(table, HasSubstr("25.0 %"));    // 250,000 of 1,000,000
  EXPECT_THAT(table, HasSubstr("24.00 MB"));  // 750,000 x 32
  EXPECT_THAT(table, HasSubstr("16.00 MB"));  // 500,000 x 32
  EXPECT_THAT(table, HasSubstr("90 %"));      // of 100 us
  EXPECT_THAT(table, HasSubstr("slow: line 3: 2.00 times faster"));
  EXPECT_EQ(cache_table_of({}), "");
}

TEST(LaunchCaches, band_and_what_is_not_known_are_said) {
  LaunchCaches edge = counts_of(100, 0, 1'000'000, 1e-6);
  edge.dram_read_low = 500'000;
  edge.dram_read_high = 2'000'000;
  EXPECT_THAT(cache_table_of({{"edge", 1, edge}}), HasSubstr("16.00 to 64.00 MB"));
  EXPECT_THAT(cache_table_of({{"edge", 1, edge}}), Not(HasSubstr("?")));
  edge.is_whole = false;
  edge.least_seconds.reset();
  const std::string table = cache_table_of({{"edge", 1, edge}});
  EXPECT_THAT(table, HasSubstr("?: a launch is so large"));
  EXPECT_THAT(table, Not(HasSubstr("64.00 MB")));
  EXPECT_FALSE(to_json(edge).contains("dram_read_sectors"));
  EXPECT_EQ(to_json(edge).at("provenance"), "modelled");
}

}  // namespace
}  // namespace lanescope::driver
