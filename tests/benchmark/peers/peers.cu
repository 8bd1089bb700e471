// Times the last rungs of the lessons beside what engineers would use instead: cuBLAS, a copy by the driver,
// CUB. Everything in one run on one GPU, in turns: repetition n of all entries comes before repetition n + 1
// of any, so clocks and temperature are the same for all. measure.sh builds and runs it; the recording is
// assets/recordings/peers.
//
// Method: the kernels are the lessons' own .cu files, as cubins. A short kernel that waits is queued first,
// so the time between the two events holds no launch gap. Cold: before it, 256 MiB are read, which leaves the
// L2 full of clean lines of others. Warm: the same entry ran just before. Results are checked once: products
// against a product in double precision, transposes and sorts element by element; the output is poisoned
// first.
//
// Usage: peers CUBINS OUT.json [REPETITIONS]        peers CUBINS --count SIZE        peers CUBINS --once
// KERNEL SIZE

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <cub/device/device_radix_sort.cuh>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>

namespace {

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "peers: %s\n", why.c_str());
  std::exit(1);
}
void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) stop(std::string(what) + ": " + cudaGetErrorString(status));
}
void check(CUresult status, const char* what) {
  const char* text = nullptr;
  if (status != CUDA_SUCCESS) stop(std::string(what) + ": " + (cuGetErrorString(status, &text), text));
}
void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) stop(std::string(what) + ": " + cublasGetStatusString(status));
}

// ------------------------------------------------------------------------------- kernels of this program

__global__ void wait_cycles(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}
__global__ void read_sectors(const char* from, size_t bytes) {
  const size_t at = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 32;
  if (at < bytes) asm volatile("{.reg .u16 unused; ld.volatile.global.u8 unused, [%0];}" ::"l"(from + at));
}
__device__ uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}
template <typename T>
__global__ void fill_random(T* to, size_t count, uint64_t seed) {  // floats in [-1, 1)
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x) {
    const uint64_t bits = mixed(i + seed * 0x9E3779B97F4A7C15);
    if constexpr (std::is_same_v<T, uint32_t>)
      to[i] = static_cast<uint32_t>(bits >> 32);
    else
      to[i] = static_cast<T>(static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f);
  }
}
// What mma alone can do: 8 warps of a block, each with 32 independent sums, and no memory.
constexpr int kMmaSums = 32, kMmaLoops = 2048, kMmaThreads = 256;
__global__ void __launch_bounds__(kMmaThreads, 1) mma_alone(float* out, unsigned seed) {
  float sum[kMmaSums][4] = {};
  unsigned a[16], b[16];
  for (unsigned i = 0; i < 16; ++i) {  // halves of both signs, from 2^-14 to 2
    a[i] = static_cast<unsigned>(mixed(threadIdx.x * 16 + i + seed)) & 0xbfffbfff;
    b[i] = static_cast<unsigned>(mixed(threadIdx.x * 16 + i + seed + 1000000)) & 0xbfffbfff;
  }
  for (int loop = 0; loop < kMmaLoops; ++loop)
#pragma unroll
    for (int i = 0; i < kMmaSums; ++i)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+f"(sum[i][0]), "+f"(sum[i][1]), "+f"(sum[i][2]), "+f"(sum[i][3])
          : "r"(a[i / 8 * 4]), "r"(a[i / 8 * 4 + 1]), "r"(a[i / 8 * 4 + 2]), "r"(a[i / 8 * 4 + 3]),
            "r"(b[i % 8 * 2]), "r"(b[i % 8 * 2 + 1]));
  float all = 0;
  for (int i = 0; i < kMmaSums; ++i) all += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
  out[blockIdx.x * kMmaThreads + threadIdx.x] = all;
}
template <typename From>
__global__ void to_double(const From* from, double* to, size_t count) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x)
    to[i] = static_cast<double>(static_cast<float>(from[i]));
}
template <typename T>
__global__ void add_errors(const T* out, const double* wanted, size_t count, double* sums) {
  double error = 0, norm = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x) {
    const double difference = static_cast<double>(static_cast<float>(out[i])) - wanted[i];
    error += difference * difference;
    norm += wanted[i] * wanted[i];
  }
  atomicAdd(sums, error);
  atomicAdd(sums + 1, norm);
}
__global__ void count_wrong(const float* in, const float* out, size_t n, bool transposed,
                            unsigned long long* wrong) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n * n;
       i += size_t{gridDim.x} * blockDim.x)
    if (out[i] != in[transposed ? i % n * n + i / n : i]) atomicAdd(wrong, 1ull);
}
template <typename T>
__global__ void count_unequal(const T* left, const T* right, size_t count, unsigned long long* wrong) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
       i += size_t{gridDim.x} * blockDim.x)
    if (left[i] != right[i]) atomicAdd(wrong, 1ull);
}

// -------------------------------------------------------------------------------------------- entries

struct Entry {
  std::string lesson;  // the table it belongs to
  std::string name;
  bool is_peer = false;  // a library or the driver, not a kernel of ours
  uint64_t size = 0;     // side of a matrix, or keys
  double work = 0;       // operations of a product, bytes read and written of a transpose, keys of a sort
  std::function<void()> run;
  std::function<double()> error;  // relative error of a product; wrong elements of the others
  double measured_error = -1;
  std::vector<float> cold, warm;  // milliseconds
};

struct Kernel {
  CUfunction function = nullptr;
  unsigned shared_bytes = 0;
};

/// `name`.cubin of `folder` with the kernel `entry`.
Kernel load(const std::string& folder, const std::string& name, const std::string& entry,
            unsigned shared_bytes) {
  CUmodule module = nullptr;
  check(cuModuleLoad(&module, (folder + "/" + name + ".cubin").c_str()), name.c_str());
  Kernel kernel{nullptr, shared_bytes};
  check(cuModuleGetFunction(&kernel.function, module, entry.c_str()), entry.c_str());
  if (shared_bytes > 0)
    check(cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             static_cast<int>(shared_bytes)),
          "cuFuncSetAttribute");
  return kernel;
}

void launch(const Kernel& kernel, dim3 grid, dim3 block, std::vector<void*> arguments) {
  check(cuLaunchKernel(kernel.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                       kernel.shared_bytes, nullptr, arguments.data(), nullptr),
        "cuLaunchKernel");
}

// The launches of lesson.toml: a grid of size / tile_x by size / tile_y, or of `blocks` if it is given.
struct Rung {
  const char* name;
  const char* cubin;
  unsigned tile_x, tile_y;
  dim3 block;
  unsigned shared_bytes = 0;
  unsigned (*blocks)(unsigned size) = nullptr;
};

const std::vector<Rung> kSingle = {
    {"naive", "naive", 32, 32, {32, 32}},
    {"coalesced", "coalesced", 32, 32, {32, 32}},
    {"shared_tile", "shared_tile", 32, 32, {32, 32}},
    {"registers_1d", "registers_1d", 64, 64, {512}},
    {"registers_2d", "registers_2d", 128, 128, {256}},
    {"vectorized", "vectorized", 128, 128, {256}},
    {"conflict_free", "conflict_free", 128, 128, {256}},
    {"double_buffered", "double_buffered", 128, 128, {256}},
    {"warp_tiles", "warp_tiles", 256, 128, {256}},
};
const std::vector<Rung> kHalf = {
    {"tensor_cores", "tensor_cores", 128, 128, {256}},
    {"tensor_pipeline", "tensor_pipeline", 256, 128, {256}, 196608},
    {"warpgroup", "warpgroup", 256, 128, {256}, 196608},
};
unsigned tiles_of(unsigned size) { return (size / 64) * (size / 64); }
unsigned lasting_blocks(unsigned size) { return std::min(tiles_of(size), 528u); }
const std::vector<Rung> kTransposes = {
    {"padded", "padded", 32, 32, {32, 8}},
    {"wide_tile", "wide_tile", 64, 64, {64, 8}},
    {"vectorized", "vectorized", 64, 64, {256}},
    {"hints", "hints", 64, 64, {256}},
    {"bulk", "bulk", 0, 0, {256}, 0, lasting_blocks},
    {"ordered", "ordered", 0, 0, {256}, 0, tiles_of},
};

void run_rung(const Rung& rung, const Kernel& kernel, void* a, void* b, void* c, unsigned size) {
  const dim3 grid = rung.blocks ? dim3(rung.blocks(size)) : dim3(size / rung.tile_x, size / rung.tile_y);
  int n = static_cast<int>(size);
  if (c)
    launch(kernel, grid, rung.block, {&a, &b, &c, &n});
  else
    launch(kernel, grid, rung.block, {&a, &b, &n});
}

// ------------------------------------------------------------------------------------------- the GPU

template <typename T>
T* allocated(size_t count) {
  void* p = nullptr;
  check(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(p);
}

struct Bench {
  std::string cubins;
  cublasHandle_t blas = nullptr;
  double* sums = allocated<double>(2);
  unsigned long long* wrong = allocated<unsigned long long>(1);
  size_t flush_bytes = size_t{256} << 20;
  char* flush = allocated<char>(flush_bytes);
  std::vector<Entry> entries;

  void queue_flush() {
    read_sectors<<<static_cast<unsigned>(flush_bytes / 32 / 256), 256>>>(flush, flush_bytes);
  }

  template <typename T>
  double relative_error(const T* out, const double* wanted, size_t count) {
    double host[2] = {};
    check(cudaMemset(sums, 0, sizeof host), "cudaMemset");
    add_errors<<<528, 256>>>(out, wanted, count, sums);
    check(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return std::sqrt(host[0] / host[1]);
  }
  template <typename Count>
  double wrong_of(const Count& count) {
    unsigned long long host = 0;
    check(cudaMemset(wrong, 0, sizeof host), "cudaMemset");
    count(wrong);
    check(cudaMemcpy(&host, wrong, sizeof host, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return static_cast<double>(host);
  }
};

template <typename T>
void add_products(Bench& bench, const std::vector<Rung>& rungs, unsigned size, size_t first_rung) {
  const size_t count = size_t{size} * size;
  T *a = allocated<T>(count), *b = allocated<T>(count), *c = allocated<T>(count);
  double *wide_a = allocated<double>(count), *wide_b = allocated<double>(count),
         *wanted = allocated<double>(count);
  fill_random<<<528, 256>>>(a, count, 1);
  fill_random<<<528, 256>>>(b, count, 2);
  to_double<<<528, 256>>>(a, wide_a, count);
  to_double<<<528, 256>>>(b, wide_b, count);
  const double one = 1, zero = 0;
  const int n = static_cast<int>(size);
  // cuBLAS has columns first: its product of b and a is ours of a and b.
  check(cublasDgemm(bench.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, wide_b, n, wide_a, n, &zero, wanted,
                    n),
        "cublasDgemm");
  check(cudaDeviceSynchronize(), "the product in double precision");
  cudaFree(wide_a);
  cudaFree(wide_b);

  const double work = 2.0 * size * size * size;
  const auto error = [&bench, c, wanted, count] { return bench.relative_error(c, wanted, count); };
  const auto add = [&](const std::string& name, bool is_peer, std::function<void()> run) {
    Entry entry{"matrix_product", name, is_peer, size, work, nullptr, error};
    entry.run = std::move(run);
    check(cudaMemset(c, 0xff, count * sizeof(T)), "cudaMemset");
    entry.run();
    entry.measured_error = entry.error();
    bench.entries.push_back(std::move(entry));
  };
  const cublasHandle_t blas = bench.blas;
  if constexpr (std::is_same_v<T, float>) {
    add("cublasSgemm", true, [=] {
      const float alpha = 1, beta = 0;
      check(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
      check(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, b, n, a, n, &beta, c, n),
            "cublasSgemm");
    });
  } else {
    // Pedantic would forbid the tensor cores here; for floats it forbids TF32.
    add("cublasHgemm", true, [=] {
      const half alpha = __float2half(1), beta = __float2half(0);
      check(cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
      check(cublasHgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, b, n, a, n, &beta, c, n),
            "cublasHgemm");
    });
    add("cublasGemmEx, sums in f32", true, [=] {
      const float alpha = 1, beta = 0;
      check(cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
      check(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, b, CUDA_R_16F, n, a, CUDA_R_16F, n,
                         &beta, c, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            "cublasGemmEx");
    });
  }
  for (size_t r = first_rung; r < rungs.size(); ++r) {
    const Rung rung = rungs[r];
    const Kernel kernel =
        load(bench.cubins, std::string("matrix_product.") + rung.cubin, rung.name, rung.shared_bytes);
    add(rung.name, false, [=] { run_rung(rung, kernel, a, b, c, size); });
  }
  cudaFree(wanted);
}

void add_transposes(Bench& bench, unsigned size, float* in, float* out) {
  const size_t count = size_t{size} * size;
  const auto add = [&](const std::string& name, bool is_peer, bool transposed, std::function<void()> run) {
    Entry entry{"fast_as_copy", name, is_peer, size, 8.0 * static_cast<double>(count)};
    entry.run = std::move(run);
    check(cudaMemset(out, 0xff, count * 4), "cudaMemset");
    entry.run();
    entry.measured_error = bench.wrong_of(
        [&](unsigned long long* wrong) { count_wrong<<<1056, 256>>>(in, out, size, transposed, wrong); });
    bench.entries.push_back(std::move(entry));
  };
  add("cudaMemcpy, device to device", true, false,
      [=] { check(cudaMemcpyAsync(out, in, count * 4, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync"); });
  const cublasHandle_t blas = bench.blas;
  add("cublasSgeam", true, true, [=] {
    const float alpha = 1, beta = 0;
    const int n = static_cast<int>(size);
    check(cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &alpha, in, n, &beta, out, n, out, n),
          "cublasSgeam");
  });
  const Kernel copy = load(bench.cubins, "fast_as_copy.copy", "copy", 0);
  add("copy", false, false, [=] {
    const float* from = in;
    float* to = out;
    launch(copy, dim3(static_cast<unsigned>(count / 4096)), dim3(256), {&from, &to});
  });
  for (const Rung& rung : kTransposes) {
    const Kernel kernel = load(bench.cubins, std::string("fast_as_copy.") + rung.cubin, rung.name, 0);
    add(rung.name, false, true, [=] { run_rung(rung, kernel, in, out, nullptr, size); });
  }
  // The settings of toggles that are worth a line: measure.sh compiles them as NAME.TOGGLES.cubin.
  const std::vector<std::pair<const char*, const char*>> settings = {
      {"hints", "READ=2,WRITE=0"}, {"hints", "READ=3,WRITE=0"}, {"hints", "READ=4,WRITE=3"},
      {"hints", "READ=0,WRITE=2"}, {"bulk", "ORDER=1"},         {"ordered", "ORDER=2"},
      {"ordered", "ORDER=3"}};
  for (const auto& [name, defines] : settings) {
    const Rung rung = *std::find_if(kTransposes.begin(), kTransposes.end(),
                                    [&](const Rung& r) { return !std::strcmp(r.name, name); });
    const Kernel kernel = load(bench.cubins, std::string("fast_as_copy.") + name + "." + defines, name, 0);
    add(std::string(name) + " " + defines, false, true,
        [=] { run_rung(rung, kernel, in, out, nullptr, size); });
  }
}

void add_sorts(Bench& bench, size_t keys) {
  uint32_t *in = allocated<uint32_t>(keys), *out = allocated<uint32_t>(keys),
           *wanted = allocated<uint32_t>(keys);
  fill_random<<<528, 256>>>(in, keys, 3);
  std::vector<uint32_t> host(keys);
  check(cudaMemcpy(host.data(), in, keys * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::sort(host.begin(), host.end());
  check(cudaMemcpy(wanted, host.data(), keys * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  size_t bytes = 0;
  check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, static_cast<int>(keys)), "cub");
  char* temporary = allocated<char>(bytes);
  Entry entry{"radix", "cub::DeviceRadixSort", true, keys, static_cast<double>(keys)};
  entry.run = [=]() mutable {
    size_t room = bytes;
    check(cub::DeviceRadixSort::SortKeys(temporary, room, in, out, static_cast<int>(keys)), "cub");
  };
  const auto add = [&](Entry entry) {
    check(cudaMemset(out, 0xff, keys * 4), "cudaMemset");
    entry.run();
    entry.measured_error = bench.wrong_of(
        [&](unsigned long long* wrong) { count_unequal<<<528, 256>>>(out, wanted, keys, wrong); });
    bench.entries.push_back(std::move(entry));
  };
  add(std::move(entry));

  // The lesson's sort: four passes of 8 bits, each with its three kernels.
  const Kernel count = load(bench.cubins, "radix.count", "count", 0);
  const Kernel scan = load(bench.cubins, "radix.scan", "scan", 0);
  const Kernel scatter = load(bench.cubins, "radix.scatter", "scatter", 0);
  constexpr unsigned kTileKeys = 4096, kDigits = 256, kThreads = 256;
  const auto tiles = static_cast<unsigned>((keys + kTileKeys - 1) / kTileKeys);
  uint32_t* other = allocated<uint32_t>(keys);
  int *counts = allocated<int>(size_t{tiles} * kDigits), *totals = allocated<int>(kDigits);
  Entry ours{"radix", "whole sort", false, keys, static_cast<double>(keys)};
  ours.run = [=] {
    for (int pass = 0; pass < 4; ++pass) {
      uint32_t* from = pass == 0 ? in : pass % 2 == 1 ? other : out;
      uint32_t* to = pass % 2 == 0 ? other : out;
      int *of_tile = counts, *of_digit = totals;
      int n = static_cast<int>(keys), shift = 8 * pass, columns = static_cast<int>(tiles);
      launch(count, dim3(tiles), dim3(kThreads), {&from, &of_tile, &n, &shift});
      launch(scan, dim3(kDigits), dim3(kThreads), {&of_tile, &of_digit, &columns});
      launch(scatter, dim3(tiles), dim3(kThreads), {&from, &to, &of_tile, &of_digit, &n, &shift});
    }
  };
  add(std::move(ours));
}

/// Operations a second of mma.sync without any load or store, the bound of the tensor-core rungs.
void add_mma_alone(Bench& bench) {
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
        "cudaDeviceGetAttribute");
  float* out = allocated<float>(static_cast<size_t>(multiprocessors) * kMmaThreads);
  const double work = 2.0 * 16 * 8 * 16 * kMmaSums * kMmaLoops * (kMmaThreads / 32) * multiprocessors;
  Entry entry{"matrix_product", "mma.sync alone", true, 0, work};
  entry.run = [=] { mma_alone<<<multiprocessors, kMmaThreads>>>(out, 7); };
  entry.measured_error = 0;
  bench.entries.push_back(std::move(entry));
}

// -------------------------------------------------------------------------------------------- measuring

void measure(Bench& bench, int repetitions) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  const auto time = [&](Entry& entry) {
    wait_cycles<<<1, 1>>>(60000);
    cudaEventRecord(begin);
    entry.run();
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), entry.name.c_str());
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    return milliseconds;
  };
  for (Entry& entry : bench.entries) entry.run();  // clocks rise, handles and modules are ready
  check(cudaDeviceSynchronize(), "the first runs");
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (Entry& entry : bench.entries) {
      entry.run();
      entry.warm.push_back(time(entry));
      bench.queue_flush();
      entry.cold.push_back(time(entry));
    }
}

std::string times_text(std::vector<float> times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return 1000.0 * times[static_cast<size_t>(share * static_cast<double>(times.size() - 1) + 0.5)];
  };
  char text[160];
  std::snprintf(text, sizeof text,
                "{\"minimum\": %.3f, \"lower_quartile\": %.3f, \"median\": %.3f, \"upper_quartile\": %.3f}",
                at(0), at(0.25), at(0.5), at(0.75));
  return text;
}

void write(const Bench& bench, int repetitions, const char* file) {
  cudaDeviceProp gpu;
  check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  int runtime = 0, blas_version = 0;
  cudaRuntimeGetVersion(&runtime);
  cublasGetVersion(bench.blas, &blas_version);
  std::FILE* out = std::fopen(file, "w");
  if (!out) stop(std::string("cannot write ") + file);
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::fprintf(out,
               "{\n\"gpu\": \"%s\",\n\"cuda\": \"%d.%d\",\n\"cublas\": %d,\n\"cub\": %d,\n\"date\": "
               "\"%s\",\n\"repetitions\": %d,\n\"entries\": [\n",
               gpu.name, runtime / 1000, runtime % 1000 / 10, blas_version, CUB_VERSION, date, repetitions);
  for (size_t n = 0; n < bench.entries.size(); ++n) {
    const Entry& e = bench.entries[n];
    std::fprintf(out,
                 "{\"lesson\": \"%s\", \"name\": \"%s\", \"peer\": %s, \"size\": %llu, \"work\": %.0f, "
                 "\"error\": %.3g, \"cold\": %s, \"warm\": %s}%s\n",
                 e.lesson.c_str(), e.name.c_str(), e.is_peer ? "true" : "false",
                 static_cast<unsigned long long>(e.size), e.work, e.measured_error,
                 times_text(e.cold).c_str(), times_text(e.warm).c_str(),
                 n + 1 < bench.entries.size() ? "," : "");
  }
  std::fprintf(out, "]\n}\n");
  std::fclose(out);
}

/// Each kernel of ours once, for a profiler.
void run_once(Bench& bench, const char* only, unsigned size) {
  const size_t count = size_t{size} * size;
  float *a = allocated<float>(count), *b = allocated<float>(count), *c = allocated<float>(count);
  fill_random<<<528, 256>>>(a, count, 1);
  fill_random<<<528, 256>>>(b, count, 2);
  const auto all = [&](const std::string& lesson, const std::vector<Rung>& rungs, bool product) {
    for (const Rung& rung : rungs)
      if (!only || lesson + rung.name == only)
        run_rung(rung, load(bench.cubins, lesson + rung.cubin, rung.name, rung.shared_bytes), a, b,
                 product ? c : nullptr, size);
  };
  all("matrix_product.", kSingle, true);
  all("fast_as_copy.", kTransposes, false);
  fill_random<<<528, 256>>>(reinterpret_cast<half*>(a), count, 1);
  fill_random<<<528, 256>>>(reinterpret_cast<half*>(b), count, 2);
  all("matrix_product.", kHalf, true);
  check(cudaDeviceSynchronize(), "a kernel");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3)
    stop(
        "usage: peers CUBINS OUT.json [REPETITIONS], or peers CUBINS --count SIZE, or peers CUBINS --once "
        "LESSON.KERNEL SIZE");
  check(cudaFree(nullptr), "cudaFree");
  Bench bench;
  bench.cubins = argv[1];
  if (!std::strcmp(argv[2], "--count") && argc == 4) return run_once(bench, nullptr, std::atoi(argv[3])), 0;
  if (!std::strcmp(argv[2], "--once") && argc == 5) return run_once(bench, argv[3], std::atoi(argv[4])), 0;

  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 21;
  check(cublasCreate(&bench.blas), "cublasCreate");
  // The first rungs would take most of the time in the largest size.
  for (const unsigned size : {1024u, 2048u, 4096u}) add_products<float>(bench, kSingle, size, 0);
  add_products<float>(bench, kSingle, 8192, kSingle.size() - 2);
  for (const unsigned size : {1024u, 2048u, 4096u, 8192u}) add_products<half>(bench, kHalf, size, 0);
  add_mma_alone(bench);
  const size_t most = size_t{32768} * 32768;
  float *in = allocated<float>(most), *out = allocated<float>(most);
  fill_random<<<1056, 256>>>(in, most, 4);
  for (const unsigned size : {2048u, 4096u, 8192u, 16384u, 32768u}) add_transposes(bench, size, in, out);
  for (const size_t keys : {size_t{1} << 20, size_t{1} << 24}) add_sorts(bench, keys);
  measure(bench, repetitions);
  write(bench, repetitions, argv[2]);
  for (const Entry& e : bench.entries)
    if (!(e.measured_error < (e.lesson != "matrix_product" ? 0.5 : e.is_peer ? 0.05 : 1e-3)))
      stop(e.name + " computes something else");
  return 0;
}
