#include "pipeline/line_costs.h"

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

TEST(CostOfLines, sites_of_a_line_are_summed_by_space) {
  trace::Trace trace;
  const auto add = [&](trace::Space space, int line, uint64_t requests) {
    trace::Site site;
    site.id.value = static_cast<uint32_t>(trace.sites.size());
    site.operation.space = space;
    site.source = {"k.cu", line};
    trace.sites.push_back(site);
    trace::Totals totals;
    totals.requests = requests;
    trace.totals.push_back(totals);
  };
  add(trace::Space::Shared, 2, 5);
  add(trace::Space::Global, 2, 7);
  add(trace::Space::Global, 2, 1);
  add(trace::Space::Global, 99, 1);
  const auto lines = cost_of_lines(trace, trace.totals, "k.cu", 3);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1].shared.requests, 5u);
  EXPECT_EQ(lines[1].global.requests, 8u);
  EXPECT_EQ(lines[0].global.requests, 0u);
  EXPECT_EQ(cost_of_lines(trace, trace.totals, "other.cu", 3)[1].global.requests, 0u);
}

TEST(CostOfLines, caches_of_a_line_are_those_of_its_loads) {
  trace::Trace trace;
  for (const trace::Kind kind : {trace::Kind::Load, trace::Kind::Load, trace::Kind::Store}) {
    trace::Site site;
    site.id.value = static_cast<uint32_t>(trace.sites.size());
    site.operation = {.space = trace::Space::Global, .kind = kind, .bytes_per_lane = 4};
    site.source = {"k.cu", 2};
    trace.sites.push_back(site);
    trace.totals.emplace_back();
  }
  caches::CacheReport report;
  report.sites.resize(3);
  for (uint64_t n = 0; n < 3; ++n)
    report.sites[n] = {.l1 = {.requests = 1, .sectors = 4, .hits = n}, .from_l2 = 1, .from_dram = 3 - n};
  pipeline::Run run;
  run.source_name = "k.cu";
  run.source_text = "a\nb\nc\n";
  run.trace = std::make_shared<const trace::Trace>(std::move(trace));
  run.caches = std::make_shared<const caches::CacheReport>(std::move(report));
  add_costs(run, model::Device{});
  EXPECT_EQ(run.lines[1].caches.l1.sectors, 8u);
  EXPECT_EQ(run.lines[1].caches.l1.hits, 1u);
  EXPECT_EQ(run.lines[1].caches.from_l2, 2u);
  EXPECT_EQ(run.lines[1].caches.from_dram, 5u);
  EXPECT_EQ(run.lines[0].caches.l1.sectors, 0u);
}

}  // namespace
}  // namespace lanescope::pipeline
