// Launches of kernels for one instruction each, whose counters an H200 gave: instructions.csv. wmma in every shape, type
// and layout from global and from shared memory; atomics for which a lane may act for its warp; local arrays; cp.async
// with lanes that copy nothing.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cstdio>
#include <type_traits>
#include <vector>

using namespace nvcuda;

template <int M, int N, int K, class T, class E, class LayoutA, class LayoutB, class C, bool kRows>
__global__ void of_global(const E* a, const E* b, C* c, int stride_a, int stride_b, int stride_c) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum;
  const int warp = threadIdx.x / 32;
  const auto layout = kRows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(sum, c + warp * 1024 * 4, stride_c, layout);
  wmma::load_matrix_sync(left, a + warp * 4096, stride_a);
  wmma::load_matrix_sync(right, b + warp * 4096, stride_b);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + warp * 1024 * 4, sum, stride_c, layout);
}

template <int M, int N, int K, class T, class E, class LayoutA, class LayoutB, class C, bool kRows>
__global__ void of_shared(const E* a, const E* b, C* c, int stride_a, int stride_b, int stride_c) {
  __shared__ __align__(128) E shared_a[2][1024];
  __shared__ __align__(128) E shared_b[2][1024];
  __shared__ __align__(128) C shared_c[2][512];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 2048; i += 64) {
    (&shared_a[0][0])[i] = a[i];
    (&shared_b[0][0])[i] = b[i];
  }
  for (int i = threadIdx.x; i < 1024; i += 64) (&shared_c[0][0])[i] = c[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> right;
  wmma::fragment<wmma::accumulator, M, N, K, C> sum;
  const auto layout = kRows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(sum, &shared_c[warp][0], stride_c, layout);
  wmma::load_matrix_sync(left, &shared_a[warp][0], stride_a);
  wmma::load_matrix_sync(right, &shared_b[warp][0], stride_b);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(&shared_c[warp][0], sum, stride_c, layout);
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += 64) c[i] = (&shared_c[0][0])[i];
}

template <class T>
struct Tag {
  using type = T;
};

template <int M, int N, int K, class T, class E, class C>
void products(void* a, void* b, void* c) {
  using Rows = wmma::row_major;
  const auto product = [&](auto layout_a, auto layout_b, auto by_rows) {
    using LayoutA = typename decltype(layout_a)::type;
    using LayoutB = typename decltype(layout_b)::type;
    constexpr bool kRows = decltype(by_rows)::value;
    const int stride_a = (std::is_same<LayoutA, Rows>::value ? K : M) + 16;
    const int stride_b = (std::is_same<LayoutB, Rows>::value ? N : K) + 16;
    const int stride_c = (kRows ? N : M) + 8;
    E* const left = static_cast<E*>(a);
    E* const right = static_cast<E*>(b);
    C* const sum = static_cast<C*>(c);
    of_global<M, N, K, T, E, LayoutA, LayoutB, C, kRows><<<1, 64>>>(left, right, sum, stride_a, stride_b, stride_c);
    of_shared<M, N, K, T, E, LayoutA, LayoutB, C, kRows><<<1, 64>>>(left, right, sum, stride_a, stride_b, stride_c);
  };
  const Tag<wmma::row_major> rows;
  const Tag<wmma::col_major> columns;
  product(rows, rows, std::true_type{});
  product(rows, columns, std::false_type{});
  product(columns, rows, std::true_type{});
  product(columns, columns, std::false_type{});
}

__global__ void elect_filter(int* out, const int* in, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3) {
    const int place = atomicAdd(&count, 1);
    out[blockIdx.x * blockDim.x + place] = in[i];
  }
  __syncthreads();
  if (threadIdx.x == 0) out[1024 + blockIdx.x] = count;
}

enum class Use { Sum, Most, Scan, ScanOfSome, Count };

template <Use kUse>
__global__ void elect(int* out, const int* in) {
  __shared__ int shared;
  if (threadIdx.x == 0) shared = 0;
  __syncthreads();
  const int value = in[threadIdx.x];
  int before = 0;
  if (kUse == Use::Sum) atomicAdd(&shared, value);
  if (kUse == Use::Most) atomicMax(&shared, value);
  if (kUse == Use::Scan) before = atomicAdd(&shared, value);
  if (kUse == Use::ScanOfSome && value % 5) before = atomicAdd(&shared, value);
  if (kUse == Use::Count && value % 5) atomicAdd(&shared, 1);
  __syncthreads();
  if (kUse == Use::Scan || kUse == Use::ScanOfSome) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = before + shared;
  } else if (threadIdx.x == 0) {
    out[blockIdx.x] = shared;
  }
}

__global__ void elect_histogram(int* out, const int* in) {
  __shared__ int bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  const int before = atomicAdd(&bins[in[threadIdx.x] % 32], 1);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = before + bins[threadIdx.x % 32];
}

__global__ void elect_global(int* out, const int* in) { atomicAdd(out, in[threadIdx.x]); }

__global__ void elect_global_scan(int* out, const int* in) {
  const int before = atomicAdd(out, in[threadIdx.x]);
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = before;
}

__global__ void elect_global_filter(int* out, const int* in) {
  if (in[threadIdx.x] % 3) {
    const int before = atomicAdd(out, 1);
    if (before < 0) out[1] = 1;
  }
}

__global__ void elect_if(int* out, const int* in) {
  __shared__ int shared[2];
  if (threadIdx.x < 2) shared[threadIdx.x] = 0;
  __syncthreads();
  if (in[threadIdx.x] % 5) atomicExch(&shared[1], in[threadIdx.x]);
  if (__any_sync(~0u, in[threadIdx.x] == 3)) atomicAdd(&shared[0], 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = shared[0] + shared[1];
}

template <class T, int kCount>
__global__ void local_array(T* out, const int* in, int n) {
  T kept[kCount];
  for (int k = 0; k < kCount; ++k) kept[k] = out[k];
  for (int k = 0; k < n; ++k) kept[in[threadIdx.x + k * 64] % kCount] = out[k + threadIdx.x];
  T result = out[0];
  for (int k = 0; k < n; ++k) {
    const T value = kept[in[threadIdx.x * 2 + k * 64] % kCount];
    if (in[k] > 1000000) {
      result = value;
    } else if (in[threadIdx.x + k] % 7 == 1) {
      result = value;
    }
  }
  out[4096 + threadIdx.x] = result;
}

__global__ void local_part(double* out, const int* in, int n) {
  double kept[16];
  for (int k = 0; k < 16; ++k) kept[k] = out[k];
  double result = 0;
  if (threadIdx.x % 4 == 1)
    for (int k = 0; k < n; ++k) result += kept[in[threadIdx.x + k * 64] % 16];
  out[4096 + threadIdx.x] = result;
}

__global__ void copies(int* out, const int* in, int n, int limit) {
  __shared__ int shared[512];
  for (int k = 0; k < n; ++k) {
    if (static_cast<int>(threadIdx.x) + k * 64 < limit)
      __pipeline_memcpy_async(&shared[k * 64 + threadIdx.x], &in[k * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  constexpr size_t kBytes = 1 << 20;
  void *a, *b, *c;
  int *in, *out;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  cudaMalloc(&c, kBytes);
  cudaMalloc(&in, kBytes);
  cudaMalloc(&out, kBytes);
  for (void* buffer : {a, b, c, static_cast<void*>(out)}) cudaMemset(buffer, 0, kBytes);
  std::vector<int> values(kBytes / sizeof(int));
  unsigned state = 1;
  for (int& value : values) {
    state = state * 1664525u + 1013904223u;
    value = state >> 12 & 0x3ff;
  }
  cudaMemcpy(in, values.data(), kBytes, cudaMemcpyHostToDevice);

  products<16, 16, 16, half, half, float>(a, b, c);
  products<16, 16, 16, half, half, half>(a, b, c);
  products<32, 8, 16, half, half, float>(a, b, c);
  products<8, 32, 16, half, half, float>(a, b, c);
  products<8, 32, 16, half, half, half>(a, b, c);
  products<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>(a, b, c);
  products<16, 16, 16, signed char, signed char, int>(a, b, c);
  products<8, 32, 16, signed char, signed char, int>(a, b, c);
  products<16, 16, 8, wmma::precision::tf32, float, float>(a, b, c);
  products<8, 8, 4, double, double, double>(a, b, c);

  elect_filter<<<4, 256>>>(out, in, 900);
  elect<Use::Sum><<<4, 200>>>(out, in);
  elect<Use::Most><<<4, 200>>>(out, in);
  elect<Use::Scan><<<4, 200>>>(out, in);
  elect<Use::ScanOfSome><<<4, 200>>>(out, in);
  elect<Use::Count><<<4, 200>>>(out, in);
  elect_histogram<<<4, 200>>>(out, in);
  elect_global<<<4, 200>>>(out, in);
  elect_global_scan<<<4, 200>>>(out, in);
  elect_global_filter<<<4, 200>>>(out, in);
  elect_if<<<4, 200>>>(out, in);

  local_array<char, 64><<<2, 64>>>(static_cast<char*>(c), in, 8);
  local_array<short, 64><<<2, 64>>>(static_cast<short*>(c), in, 8);
  local_array<int, 32><<<2, 64>>>(static_cast<int*>(c), in, 8);
  local_array<double, 16><<<2, 64>>>(static_cast<double*>(c), in, 8);
  local_array<float4, 16><<<2, 64>>>(static_cast<float4*>(c), in, 8);
  local_array<float2, 16><<<2, 64>>>(static_cast<float2*>(c), in, 8);
  local_part<<<2, 64>>>(static_cast<double*>(c), in, 8);

  copies<<<2, 64>>>(out, in, 8, 64 * 8);
  copies<<<2, 64>>>(out, in, 8, 64 * 5 + 20);
  copies<<<2, 64>>>(out, in, 8, 64 * 3);
  const cudaError_t result = cudaDeviceSynchronize();
  std::puts(cudaGetErrorString(result));
  return result == cudaSuccess ? 0 : 1;
}
