// Wavefronts of asynchronous copies: patterns by hand, and those that were measured on an H100.

#include "model/copy_schedule.h"

#include "model/banks.h"
#include "model/cost.h"
#include "support/h200_run.h"
#include "support/project.h"

#include <array>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using Addresses = std::array<uint64_t, kLanes>;

struct Copy {
  uint8_t bytes = 4;
  trace::Detail detail = trace::Detail::Plain;
  LaneMask active = kAllLanes;
  Addresses to{}, from{};  // [lane]
};

/// Addresses of active lanes, as an access lists them.
Addresses listed(const Copy& copy, const Addresses& all) {
  Addresses list{};
  size_t n = 0;
  for_each_lane(copy.active, [&](int lane) { list[n++] = all[static_cast<size_t>(lane)]; });
  return list;
}

/// Calls f(access) for the write of the copy.
template <class F>
auto with_access(const Copy& copy, F&& f) {
  const Addresses to = listed(copy, copy.to), from = listed(copy, copy.from);
  return f(
      trace::WarpAccess{.site = {},
                        .cta = {},
                        .warp = {},
                        .step = 0,
                        .active = copy.active,
                        .operation = {trace::Space::Shared, trace::Kind::AsyncCopy, copy.bytes, copy.detail},
                        .addresses = {.list = to.data()},
                        .reading = copy.active,
                        .source = {.list = from.data()}});
}

CopySchedule schedule(const Copy& copy) {
  return with_access(copy, [](const trace::WarpAccess& access) { return schedule_copy(access); });
}

template <class To, class From>
Copy copy_of(uint8_t bytes, To&& to, From&& from) {
  Copy copy{.bytes = bytes};
  for (size_t lane = 0; lane < kLanes; ++lane) copy.to[lane] = to(lane), copy.from[lane] = from(lane);
  return copy;
}

TEST(CopySchedule, words_side_by_side_take_a_wavefront_for_128_bytes) {
  const auto side_by_side = [](uint8_t bytes) {
    return schedule(copy_of(
        bytes, [=](size_t lane) { return bytes * lane; }, [=](size_t lane) { return 4096 + bytes * lane; }));
  };
  EXPECT_EQ(side_by_side(4).wavefronts, 1);
  EXPECT_EQ(side_by_side(8).wavefronts, 2);
  EXPECT_EQ(side_by_side(16).wavefronts, 4);
  EXPECT_EQ(side_by_side(16).ideal, 4);
}

TEST(CopySchedule, equal_words_are_merged_on_neither_side) {
  const auto lanes = [](size_t lane) { return 4 * lane; };
  const auto none = [](size_t) { return size_t{256}; };
  const CopySchedule of_one_word = schedule(copy_of(4, lanes, none));
  EXPECT_EQ(of_one_word.wavefronts, 32);
  const CopySchedule to_one_word = schedule(copy_of(4, none, lanes));
  EXPECT_EQ(to_one_word.wavefronts, 32);
}

TEST(CopySchedule, stride_of_the_source_conflicts_by_its_banks) {
  // 32 bytes apart: lanes l and l + 4 read words of one bank, so 8 lanes for each of 4 banks.
  const CopySchedule column =
      schedule(copy_of(4, [](size_t lane) { return 4 * lane; }, [](size_t lane) { return 32 * lane; }));
  EXPECT_EQ(column.wavefronts, 8);
  EXPECT_EQ(column.ideal, 1);
}

TEST(CopySchedule, past_the_l1_padded_rows_split_at_rows_of_banks_and_sectors) {
  // 8 lanes of 16 bytes read a line of 128 bytes. Rows are 144 bytes apart: the second lies in two rows of
  // banks, 7 chunks shifted by one, which splits its sectors, and 1 chunk; the third 6 and 2 chunks, shifted
  // by two; the fourth 5 and 3, both split.
  Copy copy = copy_of(
      16, [](size_t lane) { return 144 * (lane / 8) + 16 * (lane % 8); },
      [](size_t lane) { return 16 * lane; });
  copy.detail = trace::Detail::BypassL1;
  EXPECT_EQ(schedule(copy).wavefronts, 1 + (2 + 1) + (1 + 1) + (2 + 2));
  for (size_t lane = 0; lane < kLanes; ++lane) copy.to[lane] = 16 * lane;
  EXPECT_EQ(schedule(copy).wavefronts, 4);
}

TEST(CopySchedule, past_the_l1_an_xor_swizzle_costs_nothing) {
  // Row r of 128 bytes has its chunk c at c XOR r.
  Copy copy = copy_of(
      16, [](size_t lane) { return 128 * (lane / 8) + 16 * ((lane % 8) ^ (lane / 8)); },
      [](size_t lane) { return 4096 * (lane / 8) + 16 * (lane % 8); });
  copy.detail = trace::Detail::BypassL1;
  EXPECT_EQ(schedule(copy).wavefronts, 4);
}

TEST(CopySchedule, lanes_that_write_zeros_read_no_bank) {
  // The source conflicts 8 ways where all lanes read; the last half writes zeros.
  const Copy copy = copy_of(4, [](size_t lane) { return 4 * lane; }, [](size_t lane) { return 32 * lane; });
  with_access(copy, [](trace::WarpAccess access) {
    access.reading = {0xffff};
    EXPECT_EQ(schedule_copy(access).wavefronts, 4);
    access.reading = {};
    EXPECT_EQ(schedule_copy(access).wavefronts, 1);
  });
}

TEST(CopySchedule, past_the_l1_lanes_to_one_address_are_one) {
  Copy copy = copy_of(16, [](size_t) { return size_t{0}; }, [](size_t lane) { return 16 * lane; });
  copy.detail = trace::Detail::BypassL1;
  EXPECT_EQ(schedule(copy).wavefronts, 1);
  EXPECT_EQ(schedule(copy).ideal, 1);
}

TEST(CopySchedule, words_of_the_report_fill_the_wavefronts) {
  const Copy copy = copy_of(4, [](size_t lane) { return 4 * lane; }, [](size_t lane) { return 64 * lane; });
  with_access(copy, [](const trace::WarpAccess& access) {
    const BankReport report = count_banks(access);
    EXPECT_EQ(report.wavefronts, 16);
    EXPECT_EQ(report.words.size(), 32u);
    EXPECT_TRUE(report.is_by_source);
    std::array<int, 16> words{};
    for (const BankWord& word : report.words) ++words[word.wavefront];
    for (const int count : words) EXPECT_EQ(count, 2);  // sources of lanes with even and odd numbers
    EXPECT_EQ(cost_of(access).wavefronts, 16);
    EXPECT_EQ(cost_of(access).ideal_wavefronts, 1);
  });
}

/// Measured patterns, and those that the schedule predicts.
struct Agreement {
  int rows = 0, exact = 0, within_one = 0;
  int ideal = 0;
};

TEST(CopySchedule, measured_on_an_h100_and_an_h200_are_these) {
  const auto bytes = tests::unzip(tests::source_dir() / "tests/data/copies.csv.gz");
  ASSERT_TRUE(bytes) << describe(bytes.error());
  std::istringstream rows(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
  std::string line;
  std::getline(rows, line);  // the header
  std::map<std::string, Agreement> agreements;
  while (std::getline(rows, line)) {
    std::istringstream columns(line);
    std::array<std::string, 8> column;  // gpu, op, width, mask, shared, global, wavefronts, ideal
    for (std::string& one : column) std::getline(columns, one, ',');
    Copy copy{.bytes = static_cast<uint8_t>(std::stoi(column[2])),
              .detail = column[1] == "cg" ? trace::Detail::BypassL1 : trace::Detail::Plain,
              .active = {static_cast<uint32_t>(std::stoul(column[3], nullptr, 16))}};
    std::istringstream to(column[4]), from(column[5]);
    for (uint64_t& address : copy.to) to >> address;
    for (uint64_t& address : copy.from) from >> address;
    const CopySchedule found = schedule(copy);
    const int difference = std::abs(found.wavefronts - std::stoi(column[6]));
    Agreement& agreement = agreements[column[0] + " " + column[1] + column[2]];
    ++agreement.rows;
    agreement.exact += difference == 0;
    agreement.within_one += difference <= 1;
    agreement.ideal += found.ideal == std::stoi(column[7]);
  }
  ASSERT_EQ(agreements.size(), 8u);
  const auto expect = [&](const std::string& name, Agreement expected) {
    EXPECT_EQ(agreements[name].rows, expected.rows) << name;
    EXPECT_EQ(agreements[name].exact, expected.exact) << name;
    EXPECT_EQ(agreements[name].within_one, expected.within_one) << name;
    EXPECT_EQ(agreements[name].ideal, expected.rows) << name;
  };
  // Rows of the H100 are random for the greater part, those of the H200 tiles as programs copy them.
  expect("h100 ca4", {.rows = 291, .exact = 234, .within_one = 285});
  expect("h100 ca8", {.rows = 291, .exact = 192, .within_one = 255});
  expect("h100 ca16", {.rows = 291, .exact = 165, .within_one = 220});
  expect("h100 cg16", {.rows = 291, .exact = 261, .within_one = 288});
  expect("h200 ca4", {.rows = 81, .exact = 81, .within_one = 81});
  expect("h200 ca8", {.rows = 48, .exact = 48, .within_one = 48});
  expect("h200 ca16", {.rows = 80, .exact = 80, .within_one = 80});
  expect("h200 cg16", {.rows = 80, .exact = 70, .within_one = 78});
}

}  // namespace
}  // namespace lanescope::model
