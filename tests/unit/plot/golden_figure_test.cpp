// Every kind of figure, mark by mark, against tests/golden/figures/*.txt. LANESCOPE_BLESS=1 rewrites the
// files; review the difference like code.

#include "support/figure_cases.h"
#include "support/figure_text.h"
#include "support/project.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

const std::filesystem::path kFolder = tests::source_dir() / "tests/golden/figures";

const std::set<std::string_view> kKept = {"banks-unpadded",
                                          "banks-broadcast",
                                          "sectors-copy-load",
                                          "sectors-naive-store",
                                          "partitions-128",
                                          "blocks-128",
                                          "totals-tiled",
                                          "timeline-tiled",
                                          "lanes-diverging",
                                          "elements-128",
                                          "strides",
                                          "published",
                                          "widths",
                                          "queues",
                                          "traffic",
                                          "remedies",
                                          "bound",
                                          "roofline",
                                          "blocks-wave",
                                          "assumptions",
                                          "layout-swizzle",
                                          "memory_chart-tiled",
                                          "occupancy-registers"};

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The first line where the two differ, with its number: a whole figure would not be read.
std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream left(expected);
  std::istringstream right(found);
  std::string a;
  std::string b;
  for (int line = 1;; ++line) {
    const bool more_left = static_cast<bool>(std::getline(left, a));
    const bool more_right = static_cast<bool>(std::getline(right, b));
    if (!more_left && !more_right) return "none";
    if (more_left != more_right || a != b) {
      return fmt::format("line {}\n  kept:  {}\n  drawn: {}", line, more_left ? a : "(end)",
                         more_right ? b : "(end)");
    }
  }
}

TEST(GoldenFigure, figures_equal_their_golden_files) {
  const bool bless = std::getenv("LANESCOPE_BLESS") != nullptr;
  size_t seen = 0;
  for_each_figure_case([&](std::string_view name, const FigureMaker& make) {
    if (!kKept.contains(name)) return;
    ++seen;
    const auto file = kFolder / (std::string(name) + ".txt");
    const std::string drawn =
        figure_text(make({.size = {440, 290}, .language = Language::English, .text = 13}));
    if (bless) std::ofstream(file, std::ios::binary) << drawn;
    ASSERT_TRUE(std::filesystem::exists(file)) << file << ": set LANESCOPE_BLESS=1 to write it";
    const std::string kept = read(file);
    EXPECT_TRUE(kept == drawn) << name << " differs from " << file << ": " << first_difference(kept, drawn);
  });
  EXPECT_EQ(seen, kKept.size());
}

}  // namespace
}  // namespace lanescope::tests
