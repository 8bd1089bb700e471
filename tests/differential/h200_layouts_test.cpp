// Random tiles and accesses: the computed wavefronts against a run in the emulator, and against an H200's
// counters (tests/data/layouts).

#include "layout/report.h"
#include "pipeline/layout_run.h"
#include "support/layout_cases.h"
#include "support/project_options.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using layout::QuestionText;

std::string shown(const QuestionText& text) {
  return fmt::format("{} {} swizzle '{}' triton '{}' padding '{}' {}", text.layout, text.element,
                     text.swizzle, text.triton, text.padding, text.accesses[0]);
}

layout::Report report_of(const QuestionText& text) {
  return layout::report_of(layout::parse(text).value()).value();
}

/// Runs every `step`-th case: run_layout() fails where counts or elements differ.
void run_cases(size_t step) {
  const auto cases = tests::random_layouts(tests::kLayoutCases, tests::kLayoutSeed);
  pipeline::Execution execution(tests::project_options());
  for (size_t n = 0; n < cases.size(); n += step) {
    const auto costs = pipeline::run_layout(report_of(cases[n]), execution, tests::project_options());
    EXPECT_TRUE(costs) << shown(cases[n]) << ": " << costs.error().message;
  }
}

TEST(RandomLayouts, every_family_of_accesses_and_of_arrangements_is_among_them) {
  const auto cases = tests::random_layouts(tests::kLayoutCases, tests::kLayoutSeed);
  std::set<std::string> families, arrangements;
  for (const QuestionText& text : cases) {
    families.insert(text.accesses[0].substr(0, text.accesses[0].find_last_of('.')));
    const std::string name = layout::name_of(layout::parse(text)->tile.arrangement);
    arrangements.insert(name.substr(0, name.find_first_of(" <")));
  }
  for (const char* family : {"ld.row", "ld.column", "ld.fragment", "st.row", "st.column", "st.fragment",
                             "cp.async", "ldmatrix", "stmatrix"})
    EXPECT_TRUE(families.contains(family)) << family;
  EXPECT_EQ(arrangements, (std::set<std::string>{"plain", "Swizzle", "Triton", "padding"}));
}

TEST(RandomLayouts, a_run_of_every_tenth_counts_what_is_computed) { run_cases(10); }
TEST(SlowRandomLayouts, a_run_of_each_counts_what_is_computed) { run_cases(1); }

/// A recorded row.
struct Row {
  QuestionText text;
  uint64_t total = 0, load = 0, store = 0, address = 0, ideal = 0;
};

std::vector<Row> recorded_rows() {
  std::ifstream file(tests::source_dir() / "tests/data/layouts/h200.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == ';')
        fields.emplace_back();
      else
        fields.back() += c;
    }
    Row row;
    row.text = {.layout = fields.at(1),
                .element = fields.at(2),
                .swizzle = fields.at(3),
                .triton = fields.at(4),
                .padding = fields.at(5),
                .accesses = {fields.at(6)}};
    row.total = std::stoull(fields.at(7));
    row.load = std::stoull(fields.at(8));
    row.store = std::stoull(fields.at(9));
    row.address = std::stoull(fields.at(11));
    row.ideal = std::stoull(fields.at(12));
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(H200Layouts, wavefronts_equal_the_counters) {
  const std::vector<Row> rows = recorded_rows();
  if (rows.empty()) GTEST_SKIP() << "not recorded yet: tests/data/layouts/README.md has the commands";
  const auto cases = tests::random_layouts(tests::kLayoutCases, tests::kLayoutSeed);
  ASSERT_EQ(rows.size(), cases.size());
  for (size_t n = 0; n < rows.size(); ++n) {
    const Row& row = rows[n];
    EXPECT_EQ(row.text, cases[n]) << "case " << n << " is not the recorded one; record again";
    const layout::Report report = report_of(row.text);
    const uint64_t computed = report.rows[0].cost->wavefronts;
    // A load's kernel stores only to fill the tile, a store's loads only to take it out. A copy is counted by
    // address alone, together with the loads that take the tile out.
    const MemoryKind kind = report.rows[0].access.kind;
    if (kind == MemoryKind::AsyncCopy)
      EXPECT_EQ(computed, row.address - row.load) << shown(row.text);
    else
      EXPECT_EQ(computed, kind == MemoryKind::Load ? row.load : row.store) << shown(row.text);
  }
}

}  // namespace
}  // namespace lanescope
