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

TEST(Traffic, asynchronous_copies_are_classes_of_their_own) {
  const Trace trace = trace_of({{.space = Space::Global, .kind = Kind::Load},
                                {.space = Space::Global, .kind = Kind::AsyncCopy},
                                {.space = Space::Shared, .kind = Kind::AsyncCopy},
                                {.space = Space::Shared, .kind = Kind::Store},
                                {.space = Space::Global, .kind = Kind::Load, .detail = Detail::Bulk},
                                {.space = Space::Shared, .kind = Kind::Store, .detail = Detail::Bulk},
                                {.space = Space::Global, .kind = Kind::Reduction, .detail = Detail::Bulk}});
  EXPECT_EQ(total_of(trace, Space::Global, Traffic::Load).requests, 1u);
  EXPECT_EQ(total_of(trace, Space::Global, Traffic::AsyncCopy).requests, 10u);
  EXPECT_EQ(total_of(trace, Space::Shared, Traffic::AsyncCopy).requests, 100u);
  EXPECT_EQ(total_of(trace, Space::Shared, Traffic::Store).requests, 1000u);
  EXPECT_EQ(total_of(trace, Space::Global, Traffic::BulkLoad).requests, 10'000u);
  EXPECT_EQ(total_of(trace, Space::Shared, Traffic::BulkStore).requests, 100'000u);
  EXPECT_EQ(total_of(trace, Space::Global, Traffic::BulkReduce).requests, 1'000'000u);
  EXPECT_EQ(total_of(trace, Space::Global, Traffic::Reduction).requests, 0u);
}

TEST(Traffic, what_tensor_cores_read_is_a_class_of_its_own) {
  const Trace trace = trace_of({{.space = Space::Shared, .kind = Kind::Load},
                                {.space = Space::Shared, .kind = Kind::Load, .detail = Detail::Tensor}});
  EXPECT_EQ(total_of(trace, Space::Shared, Traffic::Load).requests, 1u);
  EXPECT_EQ(total_of(trace, Space::Shared, Traffic::TensorLoad).requests, 10u);
}

TEST(Traffic, an_asynchronous_copy_reads_global_memory_and_writes_shared_memory) {
  EXPECT_EQ(direction_of({.space = Space::Global, .kind = Kind::AsyncCopy}), Kind::Load);
  EXPECT_EQ(direction_of({.space = Space::Shared, .kind = Kind::AsyncCopy}), Kind::Store);
  EXPECT_EQ(direction_of({.space = Space::Global, .kind = Kind::Atomic}), Kind::Atomic);
}

}  // namespace
}  // namespace lanescope::trace
