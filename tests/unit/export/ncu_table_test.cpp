// Counts under the names of Nsight Compute's metrics, by hand.

#include "export/ncu_table.h"

#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

using trace::HardwareCount;
using trace::Kind;
using trace::Space;

trace::Trace trace_of_three_sites() {
  trace::Trace trace;
  const auto add = [&](Space space, Kind kind, trace::Totals totals) {
    trace.sites.push_back({.id = {static_cast<uint32_t>(trace.sites.size())},
                           .operation = {space, kind, 4},
                           .source = {},
                           .source_text = {},
                           .ptx_text = {}});
    trace.totals.push_back(totals);
  };
  add(Space::Global, Kind::Load, {.requests = 1000, .sectors = 4000});
  add(Space::Global, Kind::AsyncCopy, {.requests = 10, .sectors = 40});
  add(Space::Shared, Kind::Reduction, {.requests = 7, .wavefronts = 70});
  return trace;
}

TEST(NcuTable, counts_are_those_of_the_hardware_s_kinds) {
  const trace::HardwareCounts counts = counts_of(trace_of_three_sites());
  EXPECT_EQ(counts[HardwareCount::GlobalLoadRequests], 1010u) << "with what asynchronous copies fetch";
  EXPECT_EQ(counts[HardwareCount::GlobalLoadSectors], 4040u);
  EXPECT_EQ(counts[HardwareCount::SharedAtomicWavefronts], 70u);
  EXPECT_EQ(counts[HardwareCount::GlobalStoreRequests], 0u);
  EXPECT_FALSE(counts[HardwareCount::L2Sectors]) << "it does not follow from addresses";
}

TEST(NcuTable, has_a_line_for_each_metric) {
  const std::string table = ncu_table(trace_of_three_sites(), "PTX");
  EXPECT_TRUE(table.starts_with("counts of the PTX under the names of Nsight Compute (emulated)\n")) << table;
  EXPECT_TRUE(table.contains("  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum                   4,040\n"))
      << table;
}

}  // namespace
}  // namespace lanescope::exporting
