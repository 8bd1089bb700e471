// Graphs that a program builds node by node, and the instantiated graphs made of them.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <cuda.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CUgraph new_graph() {
  CUgraph graph = nullptr;
  EXPECT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  return graph;
}

CUgraphExec instantiate(CUgraph graph) {
  CUgraphExec made = nullptr;
  EXPECT_EQ(cuGraphInstantiate(&made, graph, 0), CUDA_SUCCESS);
  return made;
}

/// A letter that is appended to a text.
struct Letter {
  std::string* text;
  char letter;
};

CUgraphNode add_letter(CUgraph graph, Letter* letter, const std::vector<CUgraphNode>& after = {}) {
  const CUDA_HOST_NODE_PARAMS host{[](void* data) {
                                     auto* it = static_cast<Letter*>(data);
                                     *it->text += it->letter;
                                   },
                                   letter};
  CUgraphNode node = nullptr;
  EXPECT_EQ(cuGraphAddHostNode(&node, graph, after.data(), after.size(), &host), CUDA_SUCCESS);
  return node;
}

CUDA_KERNEL_NODE_PARAMS kernel_of(CUfunction function, unsigned int blocks, void** values = nullptr) {
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = function;
  kernel.gridDimX = blocks;
  kernel.gridDimY = kernel.gridDimZ = kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = values;
  return kernel;
}

TEST(DriverGraph, nodes_run_after_those_that_they_depend_on) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    std::string text;
    std::array<Letter, 3> letters{{{&text, 'a'}, {&text, 'b'}, {&text, 'c'}}};
    const CUgraph graph = new_graph();
    const CUgraphNode a = add_letter(graph, &letters[0]), b = add_letter(graph, &letters[1]);
    add_letter(graph, &letters[2], {b});
    EXPECT_EQ(cuGraphAddDependencies(graph, &b, &a, nullptr, 1), CUDA_SUCCESS);
    const CUgraphExec ready = instantiate(graph);
    EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);  // the instantiated graph is a copy
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(text, "bcabca");
    EXPECT_EQ(cuGraphExecDestroy(ready), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_ERROR_INVALID_VALUE);
  });
}

TEST(DriverGraph, a_circle_of_edges_is_not_instantiated_and_a_wrong_edge_is_refused) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUgraph graph = new_graph(), other = new_graph();
    CUgraphNode a = nullptr, b = nullptr, c = nullptr;
    CUgraphExec ready = nullptr;
    EXPECT_EQ(cuGraphAddEmptyNode(&a, graph, nullptr, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddEmptyNode(&b, graph, &a, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddEmptyNode(&c, other, nullptr, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphAddDependencies(graph, &a, &a, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, &a, &b, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, &a, &c, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddEmptyNode(&c, other, &a, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddDependencies(graph, &b, &a, nullptr, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiate(&ready, graph, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphRemoveDependencies(graph, &b, &a, nullptr, 1), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphInstantiate(&ready, graph, 0), CUDA_SUCCESS);
  });
}

TEST(DriverGraph, nodes_edges_and_copies_are_listed) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUgraph graph = new_graph();
    CUgraphNode a = nullptr, b = nullptr, c = nullptr;
    cuGraphAddEmptyNode(&a, graph, nullptr, 0);
    cuGraphAddEmptyNode(&b, graph, nullptr, 0);
    const CUgraphNode both[] = {a, b};
    cuGraphAddEmptyNode(&c, graph, both, 2);
    std::array<CUgraphNode, 4> from{}, to{};
    size_t count = 0;
    EXPECT_EQ(cuGraphGetNodes(graph, nullptr, &count), CUDA_SUCCESS);
    EXPECT_EQ(count, 3u);
    count = 4;
    to.fill(a);
    EXPECT_EQ(cuGraphGetNodes(graph, to.data(), &count), CUDA_SUCCESS);
    EXPECT_THAT(to, ElementsAre(a, b, c, nullptr));
    EXPECT_EQ(count, 3u);
    count = 4;
    EXPECT_EQ(cuGraphGetRootNodes(graph, to.data(), &count), CUDA_SUCCESS);
    EXPECT_EQ(count, 2u);
    count = 4;
    EXPECT_EQ(cuGraphGetEdges(graph, from.data(), to.data(), nullptr, &count), CUDA_SUCCESS);
    EXPECT_EQ(count, 2u);
    EXPECT_THAT(from, ElementsAre(a, b, nullptr, nullptr));
    EXPECT_THAT(to, ElementsAre(c, c, nullptr, nullptr));
    count = 4;
    EXPECT_EQ(cuGraphNodeGetDependentNodes(a, to.data(), nullptr, &count), CUDA_SUCCESS);
    EXPECT_THAT(to, ElementsAre(c, nullptr, nullptr, nullptr));
    CUgraph copy = nullptr;
    CUgraphNode found = nullptr;
    EXPECT_EQ(cuGraphClone(&copy, graph), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeFindInClone(&found, c, copy), CUDA_SUCCESS);
    EXPECT_NE(found, c);
    EXPECT_EQ(cuGraphNodeFindInClone(&found, c, graph), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphDestroyNode(a), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroyNode(a), CUDA_ERROR_INVALID_VALUE);
    count = 4;
    EXPECT_EQ(cuGraphNodeGetDependencies(c, to.data(), nullptr, &count), CUDA_SUCCESS);
    EXPECT_THAT(to, ElementsAre(b, nullptr, nullptr, nullptr));
  });
}

TEST(DriverGraph, parameters_of_a_kernel_are_kept_when_the_node_is_made) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUfunction mixed = kernel(load_module(), "mixed");
    char letter = 'x';
    double number = 1.5;
    int triple[3] = {1, 2, 3};
    void* values[] = {&letter, &number, triple};
    CUDA_KERNEL_NODE_PARAMS parameters = kernel_of(mixed, 1, values), found{};
    const CUgraph graph = new_graph();
    CUgraphNode node = nullptr;
    EXPECT_EQ(cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), CUDA_SUCCESS);
    letter = 'y';
    EXPECT_EQ(cuGraphKernelNodeGetParams(node, &found), CUDA_SUCCESS);
    EXPECT_EQ(found.func, mixed);
    EXPECT_EQ(*static_cast<char*>(found.kernelParams[0]), 'x');
    EXPECT_EQ(static_cast<int*>(found.kernelParams[2])[2], 3);
    const CUgraphExec ready = instantiate(graph);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    parameters.gridDimX = 2;
    EXPECT_EQ(cuGraphExecKernelNodeSetParams(ready, node, &parameters), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeSetEnabled(ready, node, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    parameters.blockDimX = 4096;
    EXPECT_EQ(cuGraphKernelNodeSetParams(node, &parameters), CUDA_ERROR_INVALID_VALUE);
  });
  const FakeRecord record = server.record();
  ASSERT_EQ(record.launches.size(), 2u);
  EXPECT_EQ(record.launches[0].parameters[0], 'x');
  EXPECT_EQ(record.launches[0].shape.grid[0], 1u);
  EXPECT_EQ(record.launches[1].parameters[0], 'y');
  EXPECT_EQ(record.launches[1].shape.grid[0], 2u);
}

TEST(DriverGraph, copies_fills_and_graphs_in_graphs_do_their_work) {
  FakeServer server;
  in_program(server.path(), [] {
    const CUcontext context = start_program();
    const CUdeviceptr memory = allocate(16);
    unsigned int host[4] = {};
    const CUgraph inner = new_graph(), graph = new_graph();
    CUgraphNode filled = nullptr, child = nullptr, copied = nullptr;
    CUDA_MEMSET_NODE_PARAMS fill{
        .dst = memory, .pitch = 0, .value = 7, .elementSize = 4, .width = 4, .height = 1};
    EXPECT_EQ(cuGraphAddMemsetNode(&filled, inner, nullptr, 0, &fill, context), CUDA_SUCCESS);
    fill.elementSize = 3;
    EXPECT_EQ(cuGraphMemsetNodeSetParams(filled, &fill), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddChildGraphNode(&child, graph, nullptr, 0, inner), CUDA_SUCCESS);
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = memory;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = host;
    copy.WidthInBytes = 16;
    copy.Height = copy.Depth = 1;
    EXPECT_EQ(cuGraphAddMemcpyNode(&copied, graph, &child, 1, &copy, context), CUDA_SUCCESS);
    const CUgraphExec ready = instantiate(graph);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_THAT(host, ElementsAre(7, 7, 7, 7));
    // The nodes of the child are named by those of the program's graph in the child, not of `inner`.
    CUgraph held = nullptr;
    CUgraphNode node = nullptr;
    size_t count = 1;
    EXPECT_EQ(cuGraphChildGraphNodeGetGraph(child, &held), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphGetNodes(held, &node, &count), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(held), CUDA_ERROR_INVALID_VALUE);
    fill.elementSize = 4;
    fill.value = 8;
    EXPECT_EQ(cuGraphExecMemsetNodeSetParams(ready, node, &fill, context), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_THAT(host, ElementsAre(8, 8, 8, 8));
  });
}

TEST(DriverGraph, an_update_takes_a_graph_of_the_same_shape) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    std::string text;
    std::array<Letter, 4> letters{{{&text, 'a'}, {&text, 'b'}, {&text, 'c'}, {&text, 'd'}}};
    const CUgraph first = new_graph(), second = new_graph();
    add_letter(first, &letters[1], {add_letter(first, &letters[0])});
    const CUgraphNode last = add_letter(second, &letters[3], {add_letter(second, &letters[2])});
    const CUgraphExec ready = instantiate(first);
    CUgraphExecUpdateResultInfo info{};
    EXPECT_EQ(cuGraphExecUpdate(ready, second, &info), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(text, "cd");
    add_letter(second, &letters[0], {last});
    EXPECT_EQ(cuGraphExecUpdate(ready, second, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(text, "cdcd");
  });
}

TEST(DriverGraph, memory_of_an_allocation_node_lasts_until_it_is_freed) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUgraph graph = new_graph();
    CUgraphNode node = nullptr;
    CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
    allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.bytesize = 16;
    EXPECT_EQ(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation), CUDA_SUCCESS);
    const CUgraphExec ready = instantiate(graph);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemsetD8(allocation.dptr, 1, 16), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeAsync(allocation.dptr, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(allocation.dptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphLaunch(ready, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecDestroy(ready), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(allocation.dptr, 1, 16), CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(allocation.dptr), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(allocation.dptr, 1, 16), CUDA_ERROR_INVALID_VALUE);
  });
  EXPECT_EQ(server.record().freed, 1u);
}

TEST(DriverGraph, a_conditional_node_is_not_supported_and_a_graph_is_printed) {
  FakeServer server;
  tests::TemporaryFolder folder{"graph"};
  const std::string file = folder / "graph.dot";
  const Outcome outcome = in_program(server.path(), [&] {
    start_program();
    CUgraphConditionalHandle handle = 0;
    CUcontext context = nullptr;
    const CUgraph graph = new_graph();
    cuCtxGetCurrent(&context);
    EXPECT_EQ(cuGraphConditionalHandleCreate(&handle, graph, context, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
    CUgraphNode node = nullptr;
    cuGraphAddEmptyNode(&node, graph, nullptr, 0);
    const CUDA_KERNEL_NODE_PARAMS none = kernel_of(kernel(load_module(), "none"), 3);
    EXPECT_EQ(cuGraphAddKernelNode(&node, graph, &node, 1, &none), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDebugDotPrint(graph, file.c_str(), 0), CUDA_SUCCESS);
  });
  EXPECT_THAT(outcome.errors, HasSubstr("a conditional node of a graph is not supported"));
  std::ifstream printed(file);
  const std::string text{std::istreambuf_iterator<char>(printed), {}};
  EXPECT_THAT(text, HasSubstr("none\\<\\<\\<(3,1,1),(1,1,1),0\\>\\>\\>"));
  EXPECT_THAT(text, HasSubstr("\"graph_1_node_0\" -> \"graph_1_node_1\";"));
}

}  // namespace
}  // namespace lanescope::driver
