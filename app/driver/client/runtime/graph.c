// Graphs, and the capture of streams into them. A graph, a node and an instantiated graph are the driver's.
// Test: tests/unit/driver/client/graph_test.cpp
#include "driver/client/runtime/generated.h"

cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  ANSWER(cuStreamBeginCapture(stream, (CUstreamCaptureMode)mode));
}

cudaError_t CUDARTAPI cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after,
                                                    const cudaGraphEdgeData* edges, size_t count,
                                                    enum cudaStreamCaptureMode mode) {
  ANSWER(cuStreamBeginCaptureToGraph(stream, graph, after, (const CUgraphEdgeData*)edges, count,
                                     (CUstreamCaptureMode)mode));
}

cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  ANSWER(cuStreamEndCapture(stream, graph));
}

cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  ANSWER(cuGraphCreate(graph, flags));
}

cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) { ANSWER(cuGraphDestroy(graph)); }

cudaError_t CUDARTAPI cudaGraphDestroyNode(cudaGraphNode_t node) { ANSWER(cuGraphDestroyNode(node)); }

cudaError_t CUDARTAPI cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  ANSWER(cuGraphClone(copy, graph));
}

cudaError_t CUDARTAPI cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                               cudaGraph_t copy) {
  ANSWER(cuGraphNodeFindInClone(found, original, copy));
}

cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type) {
  ANSWER(cuGraphNodeGetType(node, (CUgraphNodeType*)type));
}

cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  ANSWER(cuGraphGetNodes(graph, nodes, count));
}

cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  ANSWER(cuGraphGetRootNodes(graph, nodes, count));
}

cudaError_t CUDARTAPI cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags) {
  ANSWER(cuGraphDebugDotPrint(graph, path, flags));
}

// Instantiated graphs.

cudaError_t CUDARTAPI cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                    unsigned long long flags) {
  ANSWER(cuGraphInstantiateWithFlags(executable, graph, flags));
}

/// Instantiates. CUDA 11 declares two more parameters and, in place of `flags`, a pointer, which is not read.
cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(executable, graph, LANESCOPE_CUDART_VERSION < 12000 ? 0 : flags);
}

_Static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS),
               "an instantiation");

cudaError_t CUDARTAPI cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                     cudaGraphInstantiateParams* parameters) {
  ANSWER(cuGraphInstantiateWithParams(executable, graph, (CUDA_GRAPH_INSTANTIATE_PARAMS*)parameters));
}

cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t executable) {
  ANSWER(cuGraphExecDestroy(executable));
}

cudaError_t CUDARTAPI cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  ANSWER(cuGraphExecGetFlags(executable, (cuuint64_t*)flags));
}

cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  ANSWER(cuGraphLaunch(executable, stream));
}

cudaError_t CUDARTAPI cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  ANSWER(cuGraphUpload(executable, stream));
}

cudaError_t CUDARTAPI cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                              unsigned int is_enabled) {
  ANSWER(cuGraphNodeSetEnabled(executable, node, is_enabled));
}

cudaError_t CUDARTAPI cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                              unsigned int* is_enabled) {
  ANSWER(cuGraphNodeGetEnabled(executable, node, is_enabled));
}

_Static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo), "an update");

/// Updates. CUDA 11 declares the parameters otherwise.
cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                          cudaGraphExecUpdateResultInfo* info) {
  if (LANESCOPE_CUDART_VERSION < 12000) return not_supported("cudaGraphExecUpdate");
  ANSWER(cuGraphExecUpdate(executable, graph, (CUgraphExecUpdateResultInfo*)info));
}
