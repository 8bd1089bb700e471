// Graphs: captured from a stream and from two, built node by node, changed before a further launch, and with
// memory of their own.
#include "check.h"

__global__ void add(int* value, int n) { *value += n; }

__global__ void multiply(int* value, int n) { *value *= n; }

static int value_of(const int* memory) { return from_device(memory, 1)[0]; }

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t ready = nullptr;
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0));
  return ready;
}

/// (5 + 1) * 2 = 12, then (12 + 1) * 2 = 26.
static size_t check_captured(int* memory, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(memory, 1);
  multiply<<<1, 1, 0, stream>>>(memory, 2);
  REQUIRE(cudaStreamEndCapture(stream, &graph));
  size_t wrong = value_of(memory) != 5;
  const cudaGraphExec_t ready = instantiate(graph);
  REQUIRE(cudaGraphLaunch(ready, stream));
  REQUIRE(cudaStreamSynchronize(stream));
  wrong += value_of(memory) != 12;
  REQUIRE(cudaGraphLaunch(ready, stream));
  REQUIRE(cudaStreamSynchronize(stream));
  wrong += value_of(memory) != 26;
  REQUIRE(cudaGraphExecDestroy(ready));
  REQUIRE(cudaGraphDestroy(graph));
  return wrong;
}

/// One stream adds to the first value, another multiplies the second: 1 + 3 and 2 * 5, then both are copied.
static size_t check_forked(cudaStream_t stream) {
  int* memory = on_device(std::vector<int>{1, 2});
  int host[2] = {};
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  REQUIRE(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  REQUIRE(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  REQUIRE(cudaEventRecord(fork, stream));
  REQUIRE(cudaStreamWaitEvent(other, fork, 0));
  add<<<1, 1, 0, stream>>>(memory, 3);
  multiply<<<1, 1, 0, other>>>(memory + 1, 5);
  REQUIRE(cudaEventRecord(join, other));
  REQUIRE(cudaStreamWaitEvent(stream, join, 0));
  REQUIRE(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
  REQUIRE(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0, edges = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &nodes));
  REQUIRE(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  const cudaGraphExec_t ready = instantiate(graph);
  REQUIRE(cudaGraphLaunch(ready, stream));
  REQUIRE(cudaStreamSynchronize(stream));
  return (nodes != 3) + (edges != 2) + (host[0] != 4) + (host[1] != 10);
}

/// A fill, a kernel and a copy by hand: 0 + 7 = 7; then with other parameters 0 + 8 = 8.
static size_t check_built(int* memory, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t filled = nullptr, added = nullptr, copied = nullptr;
  int n = 7, host = -1;
  void* values[] = {&memory, &n};
  cudaMemsetParams fill = {};
  fill.dst = memory;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = values;
  REQUIRE(cudaGraphCreate(&graph, 0));
  REQUIRE(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  REQUIRE(cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
  REQUIRE(cudaGraphAddMemcpyNode1D(&copied, graph, &added, 1, &host, memory, sizeof host,
                                   cudaMemcpyDeviceToHost));
  const cudaGraphExec_t ready = instantiate(graph);
  REQUIRE(cudaGraphLaunch(ready, stream));
  REQUIRE(cudaStreamSynchronize(stream));
  size_t wrong = host != 7;
  cudaKernelNodeParams found = {};
  REQUIRE(cudaGraphKernelNodeGetParams(added, &found));
  wrong += found.func != kernel.func || *static_cast<int*>(found.kernelParams[1]) != 7;
  n = 8;
  REQUIRE(cudaGraphExecKernelNodeSetParams(ready, added, &kernel));
  REQUIRE(cudaGraphLaunch(ready, stream));
  REQUIRE(cudaStreamSynchronize(stream));
  return wrong + (host != 8);
}

/// The graph's own memory: 0 + 4 = 4.
static size_t check_own_memory(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  int* memory = nullptr;
  int host = -1;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  REQUIRE(cudaMallocAsync(&memory, sizeof host, stream));
  REQUIRE(cudaMemsetAsync(memory, 0, sizeof host, stream));
  add<<<1, 1, 0, stream>>>(memory, 4);
  REQUIRE(cudaMemcpyAsync(&host, memory, sizeof host, cudaMemcpyDeviceToHost, stream));
  REQUIRE(cudaFreeAsync(memory, stream));
  REQUIRE(cudaStreamEndCapture(stream, &graph));
  const cudaGraphExec_t ready = instantiate(graph);
  for (int n = 0; n < 2; ++n) REQUIRE(cudaGraphLaunch(ready, stream));
  REQUIRE(cudaStreamSynchronize(stream));
  return host != 4;
}

/// A call that would wait for the captured stream.
static size_t check_invalidated(int* memory, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(memory, 1);
  size_t wrong = cudaStreamSynchronize(stream) != cudaErrorStreamCaptureUnsupported;
  wrong += cudaStreamEndCapture(stream, &graph) != cudaErrorStreamCaptureInvalidated;
  wrong += graph != nullptr;
  cudaGetLastError();
  return wrong;
}

int main() {
  int* memory = on_device(std::vector<int>{5});
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream));
  size_t wrong = check_captured(memory, stream);
  wrong += check_forked(stream);
  wrong += check_built(memory, stream);
  wrong += check_own_memory(stream);
  wrong += check_invalidated(memory, stream);
  return report("graphs", wrong);
}
