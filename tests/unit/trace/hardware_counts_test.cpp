// The table of hardware counts, and the sums over it.

#include "trace/hardware_counts.h"

#include <set>

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

TEST(HardwareCounts, names_are_unique_and_find_their_row) {
  std::set<std::string_view> names;
  for (const HardwareCountRow& row : hardware_count_rows()) {
    EXPECT_EQ(find_hardware_count(row.name), row.count) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
  EXPECT_EQ(names.size(), kHardwareCounts);
  EXPECT_FALSE(find_hardware_count("l1_temperature"));
}

TEST(HardwareCounts, a_missing_count_is_absent_and_not_zero) {
  HardwareCounts counts;
  EXPECT_TRUE(counts.empty());
  EXPECT_FALSE(dram_bytes(counts));
  counts[HardwareCount::DramReadBytes] = 96;
  EXPECT_FALSE(counts.empty());
  EXPECT_FALSE(dram_bytes(counts)) << "what was written is not known";
  counts[HardwareCount::DramWriteBytes] = 0;
  EXPECT_EQ(dram_bytes(counts), 96);
}

TEST(HardwareCounts, a_sum_is_absent_if_one_of_its_counts_is) {
  using enum HardwareCount;
  HardwareCounts counts;
  counts[GlobalLoadSectors] = 40;
  EXPECT_EQ(sum_of(counts, {GlobalLoadSectors}), 40);
  EXPECT_FALSE(sum_of(counts, {GlobalLoadSectors, GlobalStoreSectors}));
  counts[GlobalStoreSectors] = 2;
  EXPECT_EQ(sum_of(counts, {GlobalLoadSectors, GlobalStoreSectors}), 42);
}

TEST(HardwareCounts, an_l2_sector_has_32_bytes) {
  HardwareCounts counts;
  EXPECT_FALSE(l2_bytes(counts));
  counts[HardwareCount::L2Sectors] = 3;
  EXPECT_EQ(l2_bytes(counts), 96);
}

}  // namespace
}  // namespace lanescope::trace
