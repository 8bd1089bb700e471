#include "trace/traffic.h"

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

Trace trace_of(std::initializer_list<Operation> operations) {
  Trace trace;
  uint64_t requests = 1;
  for (const Operation& operation : operations) {
    trace.sites.push_back(
        {.id = {}, .operation = operation, .source = {}, .source_text = {}, .ptx_line = 0, .ptx_text = {}});
    trace.totals.push_back({.requests = requests});
    requests *= 10;
  }
  return trace;
}

TEST(Traffic, an_asynchronous_copy_loads_from_global_memory_and_stores_to_shared_memory) {
  const Trace trace = trace_of({{.space = Space::Global, .kind = Kind::Load},
                                {.space = Space::Global, .kind = Kind::AsyncCopy},
                                {.space = Space::Shared, .kind = Kind::AsyncCopy},
                                {.space = Space::Shared, .kind = Kind::Store}});
  EXPECT_EQ(traffic_of(trace, Space::Global, Kind::Load).requests, 11u);
  EXPECT_EQ(traffic_of(trace, Space::Shared, Kind::Store).requests, 1100u);
  EXPECT_EQ(traffic_of(trace, Space::Global, Kind::Store).requests, 0u);
  EXPECT_EQ(traffic_of(trace, Space::Shared, Kind::Load).requests, 0u);
  EXPECT_EQ(total_of(trace, Space::Global, Kind::Load).requests, 1u) << "total_of keeps kinds apart";
}

}  // namespace
}  // namespace lanescope::trace
