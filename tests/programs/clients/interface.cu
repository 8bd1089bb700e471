// The functions of the runtime that programs use beside launches and copies: properties, pinned, mapped,
// managed, pitched and 3D memory, variables, streams, callbacks, events, attributes, errors, printf.
#include "check.h"

#include <cstring>
#include <string>

__device__ int counter = 5;
__managed__ int shared_counter = 7;
__constant__ int constants[4];

__global__ void count_up() {
  ++counter;
  shared_counter += counter;
}
__global__ void take_constant(int* out) { *out = constants[3]; }
__global__ void double_rows(float* rows, size_t pitch, int width) {
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(rows) + blockIdx.x * pitch);
  for (int x = threadIdx.x; x < width; x += blockDim.x) row[x] *= 2;
}
__global__ void say_hello() { printf("hello from block %d of %d\n", blockIdx.x, gridDim.x); }
__global__ void fill_large(int* out) {
  extern __shared__ int large[];
  large[threadIdx.x * 400] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = large[(blockDim.x - 1 - threadIdx.x) * 400];
}

size_t wrong = 0;
void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("wrong: %s\n", what);
  ++wrong;
}
#define EXPECT(condition) expect(condition, #condition)

void check_device() {
  int count = 0, value = 0;
  REQUIRE(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 &&
         properties.multiProcessorCount > 0);
  EXPECT(properties.name[0] != 0 && properties.totalGlobalMem > 0);
  REQUIRE(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
  EXPECT(value == properties.major);
  size_t free_bytes = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total));
  EXPECT(free_bytes <= total && total > 0);
}

void check_memory() {
  int *pinned = nullptr, *mapped = nullptr, *of_device = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64));
  REQUIRE(cudaHostAlloc(&mapped, 64, cudaHostAllocMapped));
  REQUIRE(cudaHostGetDevicePointer(&of_device, mapped, 0));
  const int values[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpyToSymbol(constants, values, sizeof values));
  take_constant<<<1, 1>>>(of_device);
  require_launch("take_constant");
  EXPECT(*mapped == 4);

  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, pinned));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  REQUIRE(cudaFreeHost(pinned));
  REQUIRE(cudaFreeHost(mapped));

  float* rows = nullptr;
  size_t pitch = 0;
  std::vector<float> host(10 * 33, 1.5f);
  REQUIRE(cudaMallocPitch(&rows, &pitch, 33 * sizeof(float), 10));
  REQUIRE(cudaMemcpy2D(rows, pitch, host.data(), 33 * sizeof(float), 33 * sizeof(float), 10,
                       cudaMemcpyHostToDevice));
  double_rows<<<10, 32>>>(rows, pitch, 33);
  REQUIRE(cudaMemcpy2D(host.data(), 33 * sizeof(float), rows, pitch, 33 * sizeof(float), 10,
                       cudaMemcpyDeviceToHost));
  for (const float each : host) EXPECT(each == 3.0f);
  REQUIRE(cudaFree(rows));

  cudaPitchedPtr box;
  const cudaExtent extent = make_cudaExtent(20, 4, 3);
  REQUIRE(cudaMalloc3D(&box, extent));
  REQUIRE(cudaMemset3D(box, 0x41, extent));
  std::string text(20 * 4 * 3, ' ');
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(text.data(), 20, 20, 4);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&copy));
  EXPECT(text == std::string(20 * 4 * 3, 'A'));
  REQUIRE(cudaFree(box.ptr));
}

void check_variables() {
  count_up<<<1, 1>>>();
  count_up<<<1, 1>>>();
  require_launch("count_up");
  int value = 0;
  REQUIRE(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 7);
  EXPECT(shared_counter == 7 + 6 + 7);
  size_t size = 0;
  int* address = nullptr;
  REQUIRE(cudaGetSymbolSize(&size, counter));
  REQUIRE(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), counter));
  EXPECT(size == sizeof(int));
  value = 100;
  REQUIRE(cudaMemcpy(address, &value, sizeof value, cudaMemcpyHostToDevice));
  count_up<<<1, 1>>>();
  require_launch("count_up");
  REQUIRE(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 101);
}

void check_streams() {
  cudaStream_t stream;
  cudaEvent_t event;
  int calls = 0;
  int* memory = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0));
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  REQUIRE(cudaMallocAsync(&memory, 64, stream));
  REQUIRE(cudaMemsetAsync(memory, 0, 64, stream));
  REQUIRE(cudaFreeAsync(memory, stream));
  REQUIRE(cudaLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, &calls));
  REQUIRE(cudaEventRecord(event, stream));
  REQUIRE(cudaStreamWaitEvent(nullptr, event, 0));
  REQUIRE(cudaStreamSynchronize(stream));
  REQUIRE(cudaStreamQuery(stream));
  EXPECT(calls == 1);
  REQUIRE(cudaEventDestroy(event));
  REQUIRE(cudaStreamDestroy(stream));
}

void check_large_shared_memory() {
  const int threads = 40, bytes = threads * 400 * sizeof(int);  // 64,000: more than a launch gets unasked
  int* out = on_device(std::vector<int>(threads));
  fill_large<<<1, threads, bytes>>>(out);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(fill_large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  fill_large<<<1, threads, bytes>>>(out);
  require_launch("fill_large");
  EXPECT(from_device(out, threads)[0] == threads - 1);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, fill_large));
  EXPECT(attributes.maxDynamicSharedSizeBytes == bytes && attributes.sharedSizeBytes == 0);
}

void check_errors() {
  void* memory = nullptr;
  EXPECT(cudaMalloc(&memory, size_t{1} << 50) == cudaErrorMemoryAllocation);
  EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError() == cudaSuccess);
  say_hello<<<1, 2000>>>();
  EXPECT(cudaGetLastError() ==
         (CUDART_VERSION < 13000 ? cudaErrorInvalidConfiguration : cudaErrorInvalidValue));
  EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
}

int main() {
  check_device();
  check_memory();
  check_variables();
  check_streams();
  check_large_shared_memory();
  check_errors();
  say_hello<<<2, 1>>>();
  require_launch("say_hello");
  return report("interface", wrong);
}
