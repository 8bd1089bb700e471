#include "emulator/checks/footprints.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::emulator {
namespace {

std::set<int64_t> granules_of(const GranuleRows& rows) {
  std::set<int64_t> all;
  for (uint32_t row = 0; row < rows.rows; ++row)
    for (uint32_t n = 0; n < rows.width; ++n) all.insert(rows.first + rows.pitch * row + n);
  return all;
}

bool have_common(const std::set<int64_t>& a, const std::set<int64_t>& b) {
  for (const int64_t granule : a)
    if (b.contains(granule)) return true;
  return false;
}

std::string text_of(const GranuleRows& rows) {
  return std::to_string(rows.first) + " " + std::to_string(rows.width) + " " + std::to_string(rows.rows) +
         " " + std::to_string(rows.pitch);
}

/// All rows of up to 4 granules and rows, of these pitches, around 0.
std::vector<GranuleRows> small_rows() {
  std::vector<GranuleRows> all;
  for (int64_t first = -9; first <= 9; ++first)
    for (uint32_t width = 1; width <= 4; ++width) {
      all.push_back({first, width, 1, 0});
      for (const int64_t pitch : {4, 5, 7})
        for (uint32_t rows = 2; rows <= 4; ++rows) all.push_back({first, width, rows, pitch});
    }
  return all;
}

TEST(GranuleRows, overlap_exactly_where_a_granule_is_in_both) {
  const std::vector<GranuleRows> all = small_rows();
  std::vector<std::set<int64_t>> granules;
  for (const GranuleRows& rows : all) granules.push_back(granules_of(rows));
  for (size_t a = 0; a < all.size(); ++a)
    for (size_t b = 0; b < all.size(); ++b)
      ASSERT_EQ(overlap(all[a], all[b]), have_common(granules[a], granules[b]))
          << text_of(all[a]) << " and " << text_of(all[b]);
}

TEST(GranuleRows, overlap_a_footprint_that_is_no_rows) {
  Footprint footprint;
  footprint.runs = {{0, 2}, {5, 1}, {9, 3}};
  const std::set<int64_t> own{0, 1, 5, 9, 10, 11};
  for (const GranuleRows& rows : small_rows())
    for (int64_t origin = -12; origin <= 12; ++origin) {
      std::set<int64_t> moved;
      for (const int64_t granule : own) moved.insert(granule + origin);
      ASSERT_EQ(overlap(rows, footprint, origin), have_common(granules_of(rows), moved))
          << text_of(rows) << " and the footprint at " << origin;
    }
}

}  // namespace
}  // namespace lanescope::emulator
