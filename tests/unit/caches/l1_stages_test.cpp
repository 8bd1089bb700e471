// Cycles of the stages of the L1, by hand and beside what an H200 took (tests/data/l1_stages.csv.gz).

#include "caches/l1_stages.h"

#include "support/h200_run.h"
#include "support/project.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

struct Cycles {
  uint32_t tags = 0, data = 0;
  bool operator==(const Cycles&) const = default;
};

/// Of a request whose lane n asks for `bytes` at `offset_of(n)`.
template <typename OffsetOf>
Cycles cycles_of(uint32_t bytes, OffsetOf offset_of) {
  LineRequests lines;
  DataStage data;
  data.begin(bytes);
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint64_t address = offset_of(static_cast<uint32_t>(lane));
    lines.add(address, bytes);
    data.add(lane, address, bytes);
  }
  return {tag_cycles_of(lines.lines()), data.cycles(lines.lines())};
}

TEST(L1Stages, neighboring_words_take_a_cycle_for_128_bytes) {
  EXPECT_EQ(cycles_of(4, [](uint32_t lane) { return 4 * lane; }), (Cycles{.tags = 1, .data = 1}));
  EXPECT_EQ(cycles_of(8, [](uint32_t lane) { return 8 * lane; }), (Cycles{.tags = 1, .data = 2}));
  EXPECT_EQ(cycles_of(16, [](uint32_t lane) { return 16 * lane; }), (Cycles{.tags = 1, .data = 4}));
  EXPECT_EQ(cycles_of(1, [](uint32_t lane) { return lane; }), (Cycles{.tags = 1, .data = 1}));
}

TEST(L1Stages, one_word_is_read_once_for_lanes_that_go_together) {
  EXPECT_EQ(cycles_of(4, [](uint32_t) { return 0; }), (Cycles{.tags = 1, .data = 1}));
  EXPECT_EQ(cycles_of(16, [](uint32_t) { return 0; }), (Cycles{.tags = 1, .data = 4}));
}

TEST(L1Stages, a_column_has_one_bank) {
  EXPECT_EQ(cycles_of(4, [](uint32_t lane) { return 128 * lane; }), (Cycles{.tags = 8, .data = 32}));
}

TEST(L1Stages, a_diagonal_has_all_banks) {
  EXPECT_EQ(cycles_of(4, [](uint32_t lane) { return 132 * lane; }), (Cycles{.tags = 8, .data = 1}));
}

TEST(L1Stages, words_over_the_end_of_a_line_are_in_two) {
  // Lane 31 has the last two bytes of line 0 and the first two of line 1, so bank 0 is wanted twice.
  EXPECT_EQ(cycles_of(4, [](uint32_t lane) { return 2 + 4 * lane; }), (Cycles{.tags = 1, .data = 2}));
}

TEST(L1Stages, partition_of_a_line_is_that_of_its_set) {
  std::array<int, kL1Partitions> lines{};
  for (uint64_t line = 0x1234567; line < 0x1234567 + 4096; ++line) {
    EXPECT_EQ(l1_partition_of_line(line), l1_partition_of(l1_set_of(line))) << line;
    ++lines[l1_partition_of_line(line)];
  }
  for (const int count : lines) EXPECT_NEAR(count, 1024, 3);
}

TEST(L1Stages, take_the_cycles_of_an_h200) {
  const auto bytes = tests::unzip(tests::source_dir() / "tests/data/l1_stages.csv.gz");
  ASSERT_TRUE(bytes) << describe(bytes.error());
  std::istringstream rows(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  std::string row, cell;
  std::getline(rows, row);  // the header
  int loads = 0, beside_shared_memory = 0;
  while (std::getline(rows, row)) {
    std::istringstream cells(row);
    const auto next = [&] { return std::getline(cells, cell, ',') ? std::stod(cell) : -1; };
    const auto width = static_cast<uint32_t>(next());
    const auto wavefronts = static_cast<uint32_t>(next());
    const double measured = next();
    std::array<uint64_t, kLanes> offsets{};
    for (uint64_t& offset : offsets) offset = static_cast<uint64_t>(next());
    const Cycles found = cycles_of(width, [&](uint32_t lane) { return offsets[lane]; });
    const double modelled = std::max(found.tags, found.data + wavefronts);
    // The loop of the measurement takes 1.2 cycles a request, with a load of shared memory 6.3.
    const double least = wavefronts == 0 ? 1.25 : 6.7, more = wavefronts == 0 ? 1.03 : 1.08;
    EXPECT_GT(measured, 0.97 * modelled) << row;
    EXPECT_LT(measured, std::max(least, more * modelled)) << row;
    ++(wavefronts == 0 ? loads : beside_shared_memory);
  }
  EXPECT_EQ(loads, 314);
  EXPECT_EQ(beside_shared_memory, 414);
}

}  // namespace
}  // namespace lanescope::caches
