// Capture of streams into graphs. The errors of calls that are not allowed are those of an H200 with driver
// 580.159.04 (CUDA 13.0), where the same calls were made.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <algorithm>
#include <array>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;

CUstream new_stream(unsigned int flags = CU_STREAM_DEFAULT) {
  CUstream stream = nullptr;
  EXPECT_EQ(cuStreamCreate(&stream, flags), CUDA_SUCCESS);
  return stream;
}

CUevent new_event() {
  CUevent event = nullptr;
  EXPECT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  return event;
}

CUresult launch_in(CUfunction function, CUstream stream, unsigned int blocks = 1) {
  return cuLaunchKernel(function, blocks, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
}

void begin(CUstream stream, CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
  EXPECT_EQ(cuStreamBeginCapture(stream, mode), CUDA_SUCCESS);
}

CUgraph end(CUstream stream, CUresult expected = CUDA_SUCCESS) {
  CUgraph graph = nullptr;
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), expected);
  EXPECT_EQ(graph != nullptr, expected == CUDA_SUCCESS);
  return graph;
}

std::vector<std::pair<size_t, size_t>> edges_of(CUgraph graph) {
  std::array<CUgraphNode, 16> nodes{}, from{}, to{};
  size_t node_count = nodes.size(), count = from.size();
  EXPECT_EQ(cuGraphGetNodes(graph, nodes.data(), &node_count), CUDA_SUCCESS);
  EXPECT_EQ(cuGraphGetEdges(graph, from.data(), to.data(), nullptr, &count), CUDA_SUCCESS);
  const auto place = [&](CUgraphNode node) {
    return static_cast<size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  };
  std::vector<std::pair<size_t, size_t>> edges;
  for (size_t n = 0; n < count; ++n) edges.emplace_back(place(from[n]), place(to[n]));
  return edges;
}

TEST(DriverCapture, captured_work_runs_at_each_launch_and_not_before) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUfunction none = kernel(load_module(), "none");
    const CUstream stream = new_stream();
    const CUdeviceptr memory = allocate(16);
    unsigned char host[16] = {};
    int calls = 0;
    begin(stream);
    EXPECT_EQ(launch_in(none, stream, 3), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8Async(memory, 5, 16, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoHAsync(host, memory, 16, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, &calls), CUDA_SUCCESS);
    const CUgraph graph = end(stream);
    EXPECT_EQ(host[0], 0);
    EXPECT_THAT(edges_of(graph), ElementsAre(std::pair(0, 1), std::pair(1, 2), std::pair(2, 3)));
    CUgraphExec ready = nullptr;
    EXPECT_EQ(cuGraphInstantiate(&ready, graph, 0), CUDA_SUCCESS);
    for (int n = 0; n < 2; ++n) EXPECT_EQ(cuGraphLaunch(ready, stream), CUDA_SUCCESS);
    EXPECT_EQ(host[15], 5);
    EXPECT_EQ(calls, 2);
    // A launch of a graph while a stream is captured is a node.
    begin(stream);
    EXPECT_EQ(cuGraphLaunch(ready, stream), CUDA_SUCCESS);
    const CUgraph outer = end(stream);
    CUgraphNode node = nullptr;
    CUgraphNodeType type{};
    size_t count = 1;
    EXPECT_EQ(cuGraphGetNodes(outer, &node, &count), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetType(node, &type), CUDA_SUCCESS);
    EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_GRAPH);
  });
  const FakeRecord record = server.record();
  ASSERT_EQ(record.launches.size(), 2u);
  EXPECT_EQ(record.launches[1].shape.grid[0], 3u);
  EXPECT_EQ(record.launches[1].shape.stream, 3u);
}

TEST(DriverCapture, events_fork_and_join_streams) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUfunction none = kernel(load_module(), "none");
    const CUstream first = new_stream(), second = new_stream(CU_STREAM_NON_BLOCKING);
    const CUevent fork = new_event(), join = new_event();
    CUstreamCaptureStatus status{};
    begin(first);
    launch_in(none, first);
    EXPECT_EQ(cuEventRecord(fork, first), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitEvent(second, fork, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamIsCapturing(second, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    launch_in(none, first);
    launch_in(none, second);
    EXPECT_EQ(cuEventRecord(join, second), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitEvent(first, join, 0), CUDA_SUCCESS);
    launch_in(none, first);
    const CUgraph graph = end(first);
    EXPECT_THAT(edges_of(graph),
                ElementsAre(std::pair(0, 1), std::pair(0, 2), std::pair(1, 3), std::pair(2, 3)));
    EXPECT_EQ(cuStreamIsCapturing(second, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
    // An event of a capture that has ended is no event to wait for.
    EXPECT_EQ(cuStreamWaitEvent(second, fork, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuEventQuery(fork), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuEventRecord(fork, first), CUDA_SUCCESS);
    EXPECT_EQ(cuEventQuery(fork), CUDA_SUCCESS);
    // Work of a second stream that the first one does not wait for.
    begin(first);
    launch_in(none, first);
    cuEventRecord(fork, first);
    cuStreamWaitEvent(second, fork, 0);
    launch_in(none, second);
    end(first, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  });
  EXPECT_EQ(server.record().launches.size(), 0u);
}

TEST(DriverCapture, calls_that_are_not_allowed_end_the_capture) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUfunction none = kernel(load_module(), "none");
    const CUstream other = new_stream(), blocking = new_stream(),
                   free_one = new_stream(CU_STREAM_NON_BLOCKING);
    const CUevent event = new_event(), forked = new_event();
    const CUdeviceptr memory = allocate(16);
    constexpr CUresult kFine = CUDA_SUCCESS, kUnsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                       kImplicit = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    unsigned char host[16];
    CUstream stream = nullptr;
    struct Row {
      const char* what;
      std::function<CUresult()> call;
      CUresult blocking, free_one, relaxed;  // relaxed: the mode, of a blocking stream
    };
    CUdeviceptr ignored = 0;
    const std::vector<Row> rows{
        {"wait for it", [&] { return cuStreamSynchronize(stream); }, kUnsupported, kUnsupported,
         kUnsupported},
        {"ask about it", [&] { return cuStreamQuery(stream); }, kUnsupported, kUnsupported, kUnsupported},
        {"wait for another", [&] { return cuStreamSynchronize(other); }, kUnsupported, kUnsupported, kFine},
        {"wait for the default stream", [&] { return cuStreamSynchronize(nullptr); }, kImplicit, kUnsupported,
         kImplicit},
        {"wait for all", [&] { return cuCtxSynchronize(); }, kUnsupported, kUnsupported, kUnsupported},
        {"allocate", [&] { return cuMemAlloc(&ignored, 4); }, kUnsupported, kUnsupported, kFine},
        {"copy", [&] { return cuMemcpyDtoH(host, memory, 4); }, kImplicit, kFine, kImplicit},
        {"launch in the default stream", [&] { return launch_in(none, nullptr); }, kImplicit, kFine,
         kImplicit},
        {"launch elsewhere", [&] { return launch_in(none, other); }, kFine, kFine, kFine},
        {"record in the default stream", [&] { return cuEventRecord(forked, nullptr); }, kImplicit, kFine,
         kImplicit},
        {"wait for an event", [&] { return cuEventSynchronize(event); }, kUnsupported, kUnsupported, kFine},
        {"wait for an event outside", [&] { return cuStreamWaitEvent(stream, event, 0); },
         CUDA_ERROR_STREAM_CAPTURE_ISOLATION, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
         CUDA_ERROR_STREAM_CAPTURE_ISOLATION},
        {"ask about a captured event", [&] { return cuEventRecord(forked, stream), cuEventQuery(forked); },
         CUDA_ERROR_CAPTURED_EVENT, CUDA_ERROR_CAPTURED_EVENT, CUDA_ERROR_CAPTURED_EVENT},
        {"callback",
         [&] { return cuStreamAddCallback(stream, [](CUstream, CUresult, void*) {}, nullptr, 0); },
         kUnsupported, kUnsupported, kUnsupported},
    };
    const auto expect = [&](CUstream captured, CUstreamCaptureMode mode, CUresult Row::* column) {
      stream = captured;
      for (const Row& row : rows) {
        begin(stream, mode);
        launch_in(none, stream);
        EXPECT_EQ(row.call(), row.*column) << row.what;
        CUgraph graph = nullptr;
        EXPECT_EQ(cuStreamEndCapture(stream, &graph),
                  row.*column == kFine ? kFine : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
            << row.what;
      }
    };
    expect(blocking, CU_STREAM_CAPTURE_MODE_GLOBAL, &Row::blocking);
    expect(blocking, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, &Row::blocking);
    expect(free_one, CU_STREAM_CAPTURE_MODE_GLOBAL, &Row::free_one);
    expect(blocking, CU_STREAM_CAPTURE_MODE_RELAXED, &Row::relaxed);
  });
}

TEST(DriverCapture, an_invalidated_capture_takes_no_more_work_until_its_end) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUfunction none = kernel(load_module(), "none");
    const CUstream stream = new_stream();
    CUstreamCaptureStatus status{};
    CUgraph graph = nullptr;
    EXPECT_EQ(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuStreamEndCapture(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
    begin(stream);
    EXPECT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
    EXPECT_EQ(cuStreamIsCapturing(nullptr, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(cuStreamIsCapturing(stream, &status), CUDA_SUCCESS);
    EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_EQ(launch_in(none, stream), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    end(stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(launch_in(none, stream), CUDA_SUCCESS);
  });
  EXPECT_EQ(server.record().launches.size(), 1u);
}

TEST(DriverCapture, ends_where_it_began) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext context = start_program();
    const CUstream stream = new_stream(), second = new_stream();
    const CUevent event = new_event();
    begin(stream);
    std::thread([&] {
      cuCtxSetCurrent(context);
      end(stream, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    }).join();
    CUgraph graph = nullptr;
    EXPECT_EQ(cuStreamEndCapture(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);  // it has ended
    begin(stream);
    cuEventRecord(event, stream);
    cuStreamWaitEvent(second, event, 0);
    end(second, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    end(stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    // Two captures do not become one.
    begin(stream);
    begin(second);
    cuEventRecord(event, stream);
    EXPECT_EQ(cuStreamWaitEvent(second, event, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
    end(stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    end(second, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    // A stream that is destroyed takes its capture along.
    begin(stream);
    EXPECT_EQ(cuStreamDestroy(stream), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  });
}

}  // namespace
}  // namespace lanescope::driver
