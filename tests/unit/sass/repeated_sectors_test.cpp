// Sectors of atomics: by hand, and as an H200 counts them.

#include "sass/repeated_sectors.h"

#include "model/cost.h"
#include "support/h200_run.h"
#include "support/project.h"

#include <array>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

using Addresses = std::array<uint64_t, kLanes>;

/// Calls f(access) for a reduction of 4 bytes. `address`: [lane].
template <class F>
auto with_reduction(const Addresses& address, LaneMask active, F&& f) {
  Addresses list{};
  size_t n = 0;
  for_each_lane(active, [&](int lane) { list[n++] = address[static_cast<size_t>(lane)]; });
  return f(trace::WarpAccess{.site = {},
                             .cta = {},
                             .warp = {},
                             .step = 0,
                             .active = active,
                             .operation = {MemorySpace::Global, MemoryKind::Reduction, 4},
                             .addresses = {.list = list.data()}});
}

template <class F>
uint64_t repeated(F&& address_of_lane) {
  Addresses address{};
  for (size_t lane = 0; lane < kLanes; ++lane) address[lane] = address_of_lane(lane);
  return with_reduction(address, kAllLanes, repeated_sectors);
}

TEST(RepeatedSectors, different_addresses_repeat_nothing) {
  EXPECT_EQ(repeated([](size_t lane) { return 4 * lane; }), 0u);
  EXPECT_EQ(repeated([](size_t lane) { return 32 * (31 - lane); }), 0u);
}

TEST(RepeatedSectors, one_address_of_all_lanes_is_31_more) {
  EXPECT_EQ(repeated([](size_t) { return size_t{64}; }), 31u);
}

TEST(RepeatedSectors, of_a_sector_the_address_of_most_lanes_counts) {
  // 8 words of one sector, four lanes each: three more. In two sectors with two lanes for a word: one more
  // each.
  EXPECT_EQ(repeated([](size_t lane) { return lane / 4 * 4; }), 3u);
  EXPECT_EQ(repeated([](size_t lane) { return lane / 2 * 4; }), 2u);
  // Five lanes at word 0; the others are apart: sectors 0 to 3, the first four times more.
  EXPECT_EQ(repeated([](size_t lane) { return lane < 5 ? 0 : lane * 4; }), 4u);
}

TEST(RepeatedSectors, all_measured_patterns_are_equal) {
  const auto bytes = tests::unzip(tests::source_dir() / "tests/data/atomics.csv.gz");
  ASSERT_TRUE(bytes) << describe(bytes.error());
  std::istringstream rows(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  std::string line;
  std::getline(rows, line);  // op, mask, offsets, requests, sectors
  int count = 0;
  while (std::getline(rows, line)) {
    std::istringstream columns(line);
    std::array<std::string, 5> column;
    for (std::string& one : column) std::getline(columns, one, ',');
    const LaneMask active{static_cast<uint32_t>(std::stoul(column[1], nullptr, 16))};
    std::istringstream offsets(column[2]);
    Addresses address{};
    for (uint64_t& one : address) offsets >> one;
    with_reduction(address, active, [&](const trace::WarpAccess& access) {
      EXPECT_EQ(model::cost_of(access).sectors + repeated_sectors(access), std::stoul(column[4])) << line;
    });
    ++count;
  }
  EXPECT_EQ(count, 180);
}

}  // namespace
}  // namespace lanescope::sass
