// Records that are kept by what differs, and their text.

#include "driver/server/launch_records.h"

#include "driver/server/program_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

LaunchRecord numbered_record(uint32_t number, uint64_t sectors) {
  LaunchRecord one;
  one.number = number;
  one.process = 17;
  one.kernel = "copy";
  one.entry = "_Z4copyPf";
  one.grid = one.block = {1, 1, 1};
  one.cost.sectors = sectors;
  one.seconds = 0.5 * number;
  one.allocated_bytes = 100 + number;
  return one;
}

TEST(LaunchRecords, are_those_that_were_added) {
  LaunchRecords records;
  std::vector<LaunchRecord> added;
  for (uint32_t n = 0; n < 100; ++n) {
    added.push_back(numbered_record(n, n % 20));
    if (n % 3 == 0) added.back().measured_seconds = 0.25;
    if (n % 7 == 0) added.back().repeats = n / 7;
    records.add(added.back());
  }
  ASSERT_EQ(records.size(), 100u);
  for (size_t n = 0; n < added.size(); ++n) EXPECT_EQ(to_json(records[n]), to_json(added[n]));
  size_t n = 0;
  for (const LaunchRecord& one : records) EXPECT_EQ(one.allocated_bytes, added[n++].allocated_bytes);
  EXPECT_EQ(n, added.size());
  EXPECT_EQ(records.find(42), 42u);
  EXPECT_EQ(records.find(100), std::nullopt);
}

TEST(LaunchRecords, name_the_first_that_one_is_like) {
  LaunchRecords records{numbered_record(0, 8), numbered_record(1, 9), numbered_record(2, 8),
                        numbered_record(3, 9), numbered_record(4, 10)};
  EXPECT_EQ(records.first_like(0), 0u);
  EXPECT_EQ(records.first_like(2), 0u);
  EXPECT_EQ(records.first_like(3), 1u);
  EXPECT_EQ(records.first_like(4), 4u);
  records.replace(0, numbered_record(0, 11));
  EXPECT_EQ(records[0].cost.sectors, 11u);
  EXPECT_EQ(records[2].cost.sectors, 8u);
  EXPECT_EQ(records.first_like(2), 2u) << "the first one is another now";
}

TEST(LaunchRecords, of_20000_launches_take_little_room_in_the_report) {
  ProgramLog log({}, {"x"}, "A100");
  for (uint32_t n = 0; n < 20000; ++n) log.add(numbered_record(log.take_number(), n % 2));
  const std::string text = log.text();
  EXPECT_LT(text.size(), size_t{12} << 20);
  const auto launches = nlohmann::json::parse(text)["launches"];
  ASSERT_EQ(launches.size(), 20000u);
  EXPECT_EQ(launches[9999]["sectors"], 1);
  EXPECT_EQ(launches[19999]["like"], 1) << "the first with its counts";
  EXPECT_EQ(launches[19999]["seconds"], 0.5 * 19999);
  EXPECT_EQ(launches[19999]["number"], 19999);
}

}  // namespace
}  // namespace lanescope::driver
