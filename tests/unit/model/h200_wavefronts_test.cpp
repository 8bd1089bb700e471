// The bank rules against every measured row of an H200: tests/data/h200_wavefronts.csv.gz.

#include "model/banks.h"
#include "model/cost.h"
#include "support/project.h"
#include "support/warp_pattern.h"

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using trace::Detail;
using trace::Kind;
using trace::Operation;
using trace::Space;

struct Row {
  std::string text;
  Operation operation;
  LaneMask active;
  std::array<uint64_t, kLanes> offset{};
  uint16_t wavefronts = 0, address_wavefronts = 0, ideal = 0;
};

Operation operation_of(const std::string& name, int width) {
  const auto bytes = static_cast<uint8_t>(width);
  if (name.starts_with("ldsm")) return {Space::Shared, Kind::Load, bytes, Detail::Matrix};
  if (name.starts_with("stsm")) return {Space::Shared, Kind::Store, bytes, Detail::Matrix};
  if (name.starts_with("ld")) return {Space::Shared, Kind::Load, bytes};
  if (name.starts_with("st")) return {Space::Shared, Kind::Store, bytes};
  if (name.starts_with("red")) return {Space::Shared, Kind::Reduction, bytes};
  if (name.starts_with("atom_cas")) return {Space::Shared, Kind::Atomic, bytes, Detail::CompareAndSwap};
  if (name == "atom_popc_inc") return {Space::Shared, Kind::Atomic, bytes, Detail::UnusedIncrement};
  return {Space::Shared, Kind::Atomic, bytes};
}

/// ldmatrix .xN takes addresses from its first 8 N lanes.
LaneMask address_lanes(const std::string& name, LaneMask mask) {
  const size_t x = name.find("_x");
  if (x == std::string::npos) return mask;
  const int matrices = name[x + 2] - '0';
  return {0xffffffffu >> (32 - 8 * matrices)};
}

Row parse_row(const std::string& line) {
  Row row{.text = line, .operation = {}, .active = {}};
  std::istringstream in(line);
  std::string name;
  std::string field;
  const auto next = [&] {
    std::getline(in, field, ',');
    return field;
  };
  name = next();
  row.operation = operation_of(name, std::stoi(next()));
  row.active = address_lanes(name, {static_cast<uint32_t>(std::stoul(next(), nullptr, 16))});
  row.wavefronts = static_cast<uint16_t>(std::stoi(next()));
  row.address_wavefronts = static_cast<uint16_t>(std::stoi(next()));
  row.ideal = static_cast<uint16_t>(std::stoi(next()));
  for (uint64_t& offset : row.offset) in >> offset;
  EXPECT_FALSE(in.fail()) << line;
  return row;
}

std::vector<Row> measured_rows() {
  const std::string command =
      "gzip -dc '" + (tests::source_dir() / "tests/data/h200_wavefronts.csv.gz").string() + "'";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 65536> part{};
  for (size_t got = 0; pipe && (got = std::fread(part.data(), 1, part.size(), pipe.get())) != 0;) {
    text.append(part.data(), got);
  }
  std::vector<Row> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);  // the header
  while (std::getline(lines, line)) rows.push_back(parse_row(line));
  return rows;
}

class H200Wavefronts : public ::testing::Test {
 protected:
  /// Compares what `count` gives with `expected` on every row.
  template <class F, class G>
  static void compare(F&& count, G&& expected) {
    const std::vector<Row> rows = measured_rows();
    ASSERT_EQ(rows.size(), 14640u);
    std::map<std::string, int> wrong;
    for (const Row& row : rows) {
      const tests::WarpPattern warp(row.operation, [&](int lane) { return row.offset[lane]; }, row.active);
      if (count(warp.access()) == expected(row)) continue;
      if (++wrong[row.text.substr(0, row.text.find(','))] == 1) {
        ADD_FAILURE() << count(warp.access()) << " instead of " << expected(row) << " for " << row.text;
      }
    }
    for (const auto& [operation, rows_wrong] : wrong)
      ADD_FAILURE() << operation << ": " << rows_wrong << " rows";
  }
};

TEST_F(H200Wavefronts, every_hardware_count) {
  compare(count_wavefronts, [](const Row& row) { return row.wavefronts; });
}

TEST_F(H200Wavefronts, every_count_from_addresses) {
  compare(count_address_wavefronts, [](const Row& row) { return row.address_wavefronts; });
}

TEST_F(H200Wavefronts, every_ideal) {
  compare(count_ideal_wavefronts, [](const Row& row) { return row.ideal; });
}

TEST_F(H200Wavefronts, the_fast_count_is_the_hardware_count) {
  compare([](const trace::WarpAccess& access) { return cost_of(access).wavefronts; },
          [](const Row& row) { return row.wavefronts; });
}

TEST_F(H200Wavefronts, the_fast_ideal_is_the_measured_ideal) {
  compare([](const trace::WarpAccess& access) { return cost_of(access).ideal_wavefronts; },
          [](const Row& row) { return row.ideal; });
}

}  // namespace
}  // namespace lanescope::model
