#include "report/launch_report.h"

#include "pipeline/saved_trace.h"
#include "report/stored_caches.h"
#include "report/worst_access.h"
#include "support/project.h"
#include "support/trace_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::report {
namespace {

using testing::HasSubstr;
using trace::Kind;
using trace::Space;

model::Device device(const char* name) {
  return *model::find_device(tests::source_dir() / "assets/devices", name);
}

/// One block of a warp: a load of neighbors in line 4; a store with a stride of 128 bytes in line 6, 32
/// sectors for 4; a load of shared memory down a column of 32 words in line 7, 32 wavefronts for 1.
trace::Trace small_trace() {
  tests::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  const uint32_t out = builder.buffer("out", 1 << 16, 0);
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 4, "float x = in[i];");
  const SiteId store = builder.site({Space::Global, Kind::Store, 4}, 6, "out[32 * i] = x;");
  const SiteId column = builder.site({Space::Shared, Kind::Load, 4}, 7, "y = tile[t][0];");
  builder.block({0});
  builder.affine(load, {0}, trace::global_address(out, 0), 4);
  builder.affine(store, {0}, trace::global_address(out, 0), 128);
  builder.affine(column, {0}, 0, 128);
  return builder.take();
}

LaunchReport report_of_trace(trace::Trace trace, const char* name = "h200",
                             Language language = Language::English) {
  SourceTexts sources;
  return launch_report(*pipeline::run_of_trace(std::move(trace), device(name)), device(name), sources,
                       language);
}

TEST(LaunchReport, has_costs_by_line_the_most_wasteful_first) {
  const LaunchReport report = report_of_trace(small_trace());
  EXPECT_EQ(report.cost, (trace::LaunchCost{3, 36, 8, 32, 1}));
  ASSERT_EQ(report.lines.size(), 3u);
  // Waste: 31 wavefronts of 128 bytes, 28 sectors of 32 bytes, nothing.
  EXPECT_EQ(report.lines[0].source.where, (Location{"by_hand.cu", 7}));
  EXPECT_EQ(report.lines[0].unit, Unit::Wavefronts);
  EXPECT_EQ(report.lines[1].source.text, "out[32 * i] = x;");
  EXPECT_EQ(report.lines[1].cost, 32u);
  EXPECT_EQ(report.lines[1].ideal, 4u);
  EXPECT_EQ(report.lines[2].verdict, "ideal");
}

const Finding* find(const LaunchReport& report, const std::string& kind) {
  const auto found = std::ranges::find(report.findings, kind, &Finding::kind);
  return found == report.findings.end() ? nullptr : &*found;
}

TEST(LaunchReport, says_what_to_change) {
  const LaunchReport report = report_of_trace(small_trace());
  const Finding* const sectors = find(report, "excess_sectors");
  ASSERT_NE(sectors, nullptr);
  EXPECT_EQ(sectors->access, "global store");
  EXPECT_THAT(sectors->sentence, HasSubstr("Global store takes 32 sectors, and 4 would be enough"));
  EXPECT_THAT(sectors->advice, HasSubstr("Neighboring lanes are 128 bytes apart"));
  const Finding* const banks = find(report, "bank_conflicts");
  ASSERT_NE(banks, nullptr);
  EXPECT_THAT(banks->advice, HasSubstr("pad each row by one element"));
}

TEST(LaunchReport, says_in_french_what_to_change) {
  const LaunchReport report = report_of_trace(small_trace(), "h200", Language::French);
  const Finding* const sectors = find(report, "excess_sectors");
  ASSERT_NE(sectors, nullptr);
  EXPECT_EQ(sectors->access, "global store");
  EXPECT_THAT(sectors->sentence,
              HasSubstr("Écriture globale\u00a0: 32 secteurs, et 4 suffiraient (8x, non coalescé)."));
  EXPECT_THAT(sectors->advice, HasSubstr("Les lanes voisines sont à 128 octets"));
  ASSERT_TRUE(report.picture);
  EXPECT_EQ(report.picture->language, Language::French);
}

/// 1,000 loads of 32 wavefronts by one block: 32,000 cycles of one multiprocessor, or 1,000 without
/// conflicts.
TEST(LaunchReport, says_that_multiprocessors_are_idle_where_they_would_help) {
  tests::TraceBuilder builder({1, 1, 1}, {32, 1, 1});
  const SiteId column = builder.site({Space::Shared, Kind::Load, 4}, 7, "y = tile[t][0];");
  builder.block({0});
  for (int n = 0; n < 1000; ++n) builder.affine(column, {0}, 0, 128);
  const LaunchReport report = report_of_trace(builder.take());
  const Finding* const idle = find(report, "idle_multiprocessors");
  ASSERT_NE(idle, nullptr);
  EXPECT_THAT(idle->sentence, HasSubstr("1 of 132 multiprocessors have a block."));
  EXPECT_EQ(find(report_of_trace(small_trace()), "idle_multiprocessors"), nullptr);
}

TEST(LaunchReport, models_the_time_of_stored_accesses) {
  const LaunchReport report = report_of_trace(small_trace());
  ASSERT_TRUE(report.bound) << report.bound_missing.text;
  EXPECT_GT(report.bound->seconds, 0);
  for (const Finding& finding : report.findings) EXPECT_TRUE(finding.factor) << finding.kind;
  const auto factors = [&](size_t n) { return *report.findings[n].factor; };
  for (size_t n = 1; n < report.findings.size(); ++n) EXPECT_GE(factors(n - 1), factors(n));
}

TEST(LaunchReport, says_why_a_time_is_not_known) {
  trace::Trace partial = small_trace();
  partial.dropped = 7;
  partial.blocks.clear();
  const LaunchReport report = report_of_trace(std::move(partial));
  EXPECT_FALSE(report.bound);
  EXPECT_THAT(report.bound_missing.text, HasSubstr("no access of the launch was stored"));
  EXPECT_FALSE(report.findings[0].factor);
  // Without times, those that waste most come first.
  EXPECT_EQ(report.findings[0].kind, "bank_conflicts");
  EXPECT_FALSE(report_of_trace(small_trace(), "ampere").bound);
}

/// Blocks of a warp that load a line each.
trace::Trace blocks_of_lines(uint32_t blocks) {
  tests::TraceBuilder builder({blocks, 1, 1}, {32, 1, 1});
  const uint32_t in = builder.buffer("in", 1 << 20, 0);
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 4, "float x = in[i];");
  for (uint32_t block = 0; block < blocks; ++block) {
    builder.block({block});
    builder.affine(load, {0}, trace::global_address(in, 128 * block), 4);
  }
  return builder.take();
}

TEST(LaunchReport, takes_blocks_that_are_not_stored_to_be_like_the_first) {
  const LaunchReport whole = report_of_trace(blocks_of_lines(1000));
  EXPECT_TRUE(whole.notes.empty());
  trace::Trace first = blocks_of_lines(1000);
  first.blocks.resize(500);
  first.dropped = 500;
  const LaunchReport report = report_of_trace(first);
  ASSERT_TRUE(report.bound) << report.bound_missing.text;
  EXPECT_NEAR(report.bound->seconds, whole.bound->seconds, 1e-7);
  ASSERT_EQ(report.notes.size(), 2u);
  EXPECT_THAT(report.notes[0].text, HasSubstr("for 500 of 1,000 blocks"));
  EXPECT_THAT(report.notes[0].text, HasSubstr("--cache-memory"));
  EXPECT_THAT(report_of_trace(first, "h200", Language::French).notes[0].text,
              HasSubstr("pour 500 blocs sur"));
  first.blocks.erase(first.blocks.begin() + 100);
  EXPECT_THAT(report_of_trace(first).notes[0].text, HasSubstr("for 100 of 1,000 blocks"));
  first.blocks.erase(first.blocks.begin());
  EXPECT_FALSE(report_of_trace(std::move(first)).bound) << "not the first blocks";
}

TEST(LaunchReport, of_ideal_accesses_finds_nothing_in_them) {
  tests::TraceBuilder builder({132 * 8, 1, 1}, {32, 1, 1});
  const uint32_t in = builder.buffer("in", 1 << 16, 0);
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 4, "float x = in[i];");
  for (uint32_t block = 0; block < 132 * 8; ++block) {
    builder.block({block});
    builder.affine(load, {0}, trace::global_address(in, uint64_t{128} * block), 4);
  }
  EXPECT_TRUE(report_of_trace(builder.take()).findings.empty());
}

TEST(LaunchReport, puts_hazards_first_and_questions_into_notes) {
  trace::Trace trace = small_trace();
  trace::Hazard hazard;
  hazard.kind = trace::HazardKind::Race;
  hazard.where = {"by_hand.cu", 4};
  hazard.message = "writes what another thread writes";
  trace.hazards.push_back(hazard);
  hazard.is_question = true;
  trace.hazards.push_back(hazard);
  const LaunchReport report = report_of_trace(std::move(trace));
  EXPECT_EQ(report.findings[0].kind, "race");
  EXPECT_TRUE(report.findings[0].is_hazard);
  EXPECT_FALSE(report.findings[1].is_hazard);
  EXPECT_THAT(report.notes,
              testing::Contains(testing::Field(&Note::text, HasSubstr("question: thread (0,0,0)"))));
}

TEST(WorstAccess, is_the_one_with_the_most_excess) {
  tests::TraceBuilder builder({1, 1, 1}, {64, 1, 1});
  const uint32_t in = builder.buffer("in", 1 << 16, 0);
  const SiteId load = builder.site({Space::Global, Kind::Load, 4}, 4, "float x = in[k * i];");
  builder.block({0});
  builder.affine(load, {0}, trace::global_address(in, 0), 4);
  builder.affine(load, {1}, trace::global_address(in, 0), 64);
  builder.affine(load, {1}, trace::global_address(in, 0), 8);
  const trace::Trace trace = builder.take();
  const auto worst = worst_access(trace, std::vector{load});
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->warp, WarpId{1});
  EXPECT_EQ(worst->access, 0u);
  EXPECT_FALSE(worst_access(trace, std::vector{SiteId{9}}));
}

}  // namespace
}  // namespace lanescope::report
