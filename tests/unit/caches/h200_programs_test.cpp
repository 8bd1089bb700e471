// What the model says of kernels of other people beside the counters of an H200, as
// tests/data/caches/h200_programs.csv has both: their sources are not here, so the table is held to the
// limits that the documents tell, and the model to the table by who makes it anew.

#include "support/project.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> rows() {
  std::ifstream file(tests::source_dir() / "tests/data/caches/h200_programs.csv");
  std::vector<std::string> names;
  std::vector<Row> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(words, field, ',');) fields.push_back(field);
    if (line.ends_with(',')) fields.emplace_back();
    if (names.empty()) {
      names = fields;
      continue;
    }
    EXPECT_EQ(fields.size(), names.size()) << line;
    Row row;
    for (size_t n = 0; n < std::min(names.size(), fields.size()); ++n) row[names[n]] = fields[n];
    all.push_back(std::move(row));
  }
  return all;
}

double number(const Row& row, const std::string& name) {
  const std::string& text = row.at(name);
  return text.empty() ? NAN : std::stod(text);
}

std::string name_of(const Row& row) {
  return row.at("program") + " " + row.at("kernel") + " " + row.at("launch");
}

TEST(H200Programs, are_kernels_of_many_programs) {
  std::set<std::string> programs;
  for (const Row& row : rows()) programs.insert(row.at("program"));
  EXPECT_GE(programs.size(), 60u);
  EXPECT_GE(rows().size(), 140u);
}

TEST(H200Programs, hit_rates_are_within_ten_points_and_bytes_within_a_tenth) {
  size_t hit = 0, read = 0, dram = 0, known = 0;
  const std::vector<Row> all = rows();
  for (const Row& row : all) {
    const auto rate = [&](const std::string& of, const std::string& from) {
      return number(row, from) == 0 ? 0 : 100 * number(row, of) / number(row, from);
    };
    const double points =
        rate("load_hits", "load_sectors") - rate("modelled_load_hits", "modelled_load_sectors");
    hit += std::abs(points) <= 10 ? 1 : 0;
    const double l2 = number(row, "l2_to_l1");
    read += std::abs(number(row, "modelled_l2_to_l1") - l2) <= std::max(0.1 * l2, 64.0) ? 1 : 0;
    if (std::isnan(number(row, "modelled_dram_read"))) continue;
    ++known;
    const double sectors = number(row, "dram_read");  // 600: the launch itself
    dram += std::abs(number(row, "modelled_dram_read") - sectors) <= std::max(0.1 * sectors, 600.0) ? 1 : 0;
  }
  const auto share = [](size_t part, size_t of) {
    return static_cast<double>(part) / static_cast<double>(of);
  };
  EXPECT_GE(share(hit, all.size()), 0.97);
  EXPECT_GE(share(read, all.size()), 0.92);
  EXPECT_GE(share(dram, known), 0.92);
}

TEST(H200Programs, bound_is_above_no_measured_time_by_more_than_a_twentieth) {
  std::vector<double> shares;
  for (const Row& row : rows()) {
    const double bound = number(row, "bound_microseconds");
    if (std::isnan(bound)) continue;
    shares.push_back(bound / number(row, "microseconds"));
    EXPECT_LE(shares.back(), 1.05) << name_of(row);
  }
  ASSERT_GE(shares.size(), 150u);
  std::ranges::sort(shares);
  EXPECT_GE(shares[shares.size() / 2], 0.49) << "the share of the time that it explains for half of them";
}

}  // namespace
}  // namespace lanescope::caches
