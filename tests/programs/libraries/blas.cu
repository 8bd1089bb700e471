// cuBLAS under `lanescope run`: products, vectors, triangles and copies, held against plain loops. Numbers
// are small integers, whose sums are exact in every type. Prints "blas: right" and ends with 0 if all are
// right.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_fp16.h>

static int failures = 0;
static void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

/// Memory of the device, with the contents of the host's.
template <class T>
struct Device {
  explicit Device(const std::vector<T>& host) : count(host.size()) {
    cudaMalloc(&memory, count * sizeof(T));
    cudaMemcpy(memory, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(memory); }
  std::vector<T> host() const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
  T* memory = nullptr;
  size_t count;
};

template <class T>
std::vector<T> small_numbers(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T& value : values)
    value = static_cast<T>(static_cast<int>((seed = seed * 1103515245 + 12345) >> 16 & 7) - 3);
  return values;
}

/// Row i, column j of op(A).
template <class T>
double at(const std::vector<T>& a, int leading, cublasOperation_t operation, int i, int j) {
  return static_cast<double>(operation == CUBLAS_OP_N ? a[j * leading + i] : a[i * leading + j]);
}

constexpr int kM = 37, kN = 29, kK = 300, kMore = 3;

template <class T>
std::vector<double> product(cublasOperation_t p, cublasOperation_t q, const std::vector<T>& a, int lda,
                            const std::vector<T>& b, int ldb, double alpha, double beta,
                            const std::vector<T>& c, int ldc) {
  std::vector<double> right(c.begin(), c.end());
  for (int j = 0; j < kN; ++j)
    for (int i = 0; i < kM; ++i) {
      double sum = 0;
      for (int k = 0; k < kK; ++k) sum += at(a, lda, p, i, k) * at(b, ldb, q, k, j);
      right[j * ldc + i] = alpha * sum + beta * static_cast<double>(c[j * ldc + i]);
    }
  return right;
}

cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t p, cublasOperation_t q, const float* s,
                    const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
  return cublasSgemm(h, p, q, kM, kN, kK, s, a, lda, b, ldb, s + 1, c, ldc);
}
cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t p, cublasOperation_t q, const double* s,
                    const double* a, int lda, const double* b, int ldb, double* c, int ldc) {
  return cublasDgemm(h, p, q, kM, kN, kK, s, a, lda, b, ldb, s + 1, c, ldc);
}
cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t p, cublasOperation_t q, const __half* s,
                    const __half* a, int lda, const __half* b, int ldb, __half* c, int ldc) {
  return cublasHgemm(h, p, q, kM, kN, kK, s, a, lda, b, ldb, s + 1, c, ldc);
}

/// All transposes; leading dimensions larger than the rows, whose gaps must stay as they are.
template <class T>
void check_gemm(cublasHandle_t handle, double beta, const char* what) {
  for (const auto p : {CUBLAS_OP_N, CUBLAS_OP_T})
    for (const auto q : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const int lda = (p == CUBLAS_OP_N ? kM : kK) + kMore, ldb = (q == CUBLAS_OP_N ? kK : kN) + kMore,
                ldc = kM + kMore;
      const auto a = small_numbers<T>(lda * (p == CUBLAS_OP_N ? kK : kM), 1);
      const auto b = small_numbers<T>(ldb * (q == CUBLAS_OP_N ? kN : kK), 2);
      auto c = small_numbers<T>(ldc * kN, 3);
      const auto right = product(p, q, a, lda, b, ldb, 2, beta, c, ldc);
      if (beta == 0)  // is not read
        for (int j = 0; j < kN; ++j)
          for (int i = 0; i < kM; ++i) c[j * ldc + i] = static_cast<T>(NAN);
      Device<T> da(a), db(b), dc(c);
      const T scalars[2] = {static_cast<T>(2.f), static_cast<T>(static_cast<float>(beta))};
      expect(gemm(handle, p, q, scalars, da.memory, lda, db.memory, ldb, dc.memory, ldc) ==
                 CUBLAS_STATUS_SUCCESS,
             what);
      const auto found = dc.host();
      int wrong = 0;
      for (size_t n = 0; n < found.size(); ++n)
        wrong += !(static_cast<double>(found[n]) == static_cast<double>(static_cast<T>(right[n])));
      expect(wrong == 0, what);
    }
}

void check_batches(cublasHandle_t handle) {
  const int batch = 3;
  const float one = 1, zero = 0;
  const auto a = small_numbers<float>(batch * kM * kK, 4), b = small_numbers<float>(kK * kN, 5);
  Device<float> da(a), db(b), dc(std::vector<float>(2 * batch * kM * kN, -1));
  float* apart = dc.memory + batch * kM * kN;
  // B is the same in each product: its stride is 0.
  expect(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, da.memory, kM, kM * kK,
                                   db.memory, kK, 0, &zero, dc.memory, kM, kM * kN,
                                   batch) == CUBLAS_STATUS_SUCCESS,
         "strided batch");
  std::vector<const float*> as, bs;
  std::vector<float*> cs;
  for (int n = 0; n < batch; ++n) {
    as.push_back(da.memory + n * kM * kK);
    bs.push_back(db.memory);
    cs.push_back(apart + n * kM * kN);
  }
  Device<const float*> pa(as), pb(bs);
  Device<float*> pc(cs);
  expect(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, pa.memory, kM, pb.memory, kK,
                            &zero, pc.memory, kM, batch) == CUBLAS_STATUS_SUCCESS,
         "batch");
  const auto found = dc.host();
  for (int n = 0; n < batch; ++n) {
    const std::vector<float> own(a.begin() + n * kM * kK, a.begin() + (n + 1) * kM * kK);
    const auto right =
        product(CUBLAS_OP_N, CUBLAS_OP_N, own, kM, b, kK, 1, 0, std::vector<float>(kM * kN), kM);
    int wrong = 0;
    for (int i = 0; i < kM * kN; ++i)
      wrong += found[n * kM * kN + i] != right[i] || found[(batch + n) * kM * kN + i] != right[i];
    expect(wrong == 0, "a product of a batch");
  }
}

void check_mixed(cublasHandle_t handle) {
  const float one = 1, zero = 0;
  const auto a = small_numbers<__half>(kM * kK, 6), b = small_numbers<__half>(kK * kN, 7);
  Device<__half> da(a), db(b);
  Device<float> dc(std::vector<float>(kM * kN));
  expect(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &one, da.memory, CUDA_R_16F, kM,
                      db.memory, CUDA_R_16F, kK, &zero, dc.memory, CUDA_R_32F, kM, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
         "half in, float out");
  const auto right = product(CUBLAS_OP_N, CUBLAS_OP_N, a, kM, b, kK, 1, 0, std::vector<__half>(kM * kN), kM);
  const auto found = dc.host();
  int wrong = 0;
  for (int n = 0; n < kM * kN; ++n) wrong += found[n] != right[n];
  expect(wrong == 0, "half in, float out");
}

void check_vectors(cublasHandle_t handle) {
  const std::vector<float> x{1, -2, 3, -4, 5, -6}, y{10, 20, 30, 40, 50, 60};
  Device<float> dx(x), dy(y);
  const float two = 2;
  float sum = 0;
  int place = 0;
  cublasSaxpy(handle, 3, &two, dx.memory, 2, dy.memory, -2);  // 1, 3, 5 to 50, 30, 10
  expect(dy.host() == std::vector<float>{20, 20, 36, 40, 52, 60}, "axpy with steps of 2 and -2");
  cublasSdot(handle, 6, dx.memory, 1, dy.memory, 1, &sum);
  expect(sum == 20 - 40 + 108 - 160 + 260 - 360, "dot");
  cublasSasum(handle, 6, dx.memory, 1, &sum);
  expect(sum == 21, "asum");
  cublasSnrm2(handle, 2, dx.memory + 2, 1, &sum);
  expect(sum == 5, "nrm2 of 3 and -4");
  cublasIsamax(handle, 6, dx.memory, 1, &place);
  expect(place == 6, "amax counts from 1");
  cublasIsamin(handle, 6, dx.memory, 1, &place);
  expect(place == 1, "amin");
  cublasSscal(handle, 3, &two, dx.memory, 2);
  expect(dx.host() == std::vector<float>{2, -2, 6, -4, 10, -6}, "scal");
  cublasSswap(handle, 6, dx.memory, 1, dy.memory, 1);
  expect(dx.host() == std::vector<float>{20, 20, 36, 40, 52, 60}, "swap");
  cublasScopy(handle, 6, dy.memory, -1, dx.memory, 1);
  expect(dx.host() == std::vector<float>{-6, 10, -4, 6, -2, 2}, "copy backwards");
  // The result and the factor in the device's memory.
  Device<double> numbers({3, 4, 0, 2});
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasDnrm2(handle, 2, numbers.memory, 1, numbers.memory + 2);
  cublasDscal(handle, 2, numbers.memory + 3, numbers.memory, 1);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  expect(numbers.host() == std::vector<double>{6, 8, 5, 2}, "scalars of the device");
}

void check_matrices(cublasHandle_t handle) {
  // By columns: A = (1 2 3 / 4 5 6).
  Device<float> a({1, 4, 2, 5, 3, 6}), x({1, 1, 1}), y({100, 100, 100});
  const float one = 1, two = 2;
  cublasSgemv(handle, CUBLAS_OP_N, 2, 3, &two, a.memory, 2, x.memory, 1, &one, y.memory, 2);
  expect(y.host() == std::vector<float>{112, 100, 130}, "gemv");
  cublasSgemv(handle, CUBLAS_OP_T, 2, 3, &one, a.memory, 2, x.memory, 1, &one, y.memory, 1);
  expect(y.host() == std::vector<float>{117, 107, 139}, "gemv of the transpose");
  Device<float> t({0, 0, 0, 0, 0, 0});
  const float zero = 0;
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, a.memory, 2, &zero, nullptr, 3, t.memory, 3);
  expect(t.host() == std::vector<float>{1, 2, 3, 4, 5, 6}, "geam transposes");
  cublasSger(handle, 2, 3, &one, x.memory, 1, x.memory, 1, a.memory, 2);
  expect(a.host() == std::vector<float>{2, 5, 3, 6, 4, 7}, "ger");
  // Lower triangle (2 . / 1 4); what is above it is not read.
  Device<double> l({2, 1, NAN, 4}), b({2, 9, 4, 18}), s({0, 0, 0, 0});
  const double d = 1, none = 0;
  cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 2, &d,
              l.memory, 2, b.memory, 2);
  expect(b.host() == std::vector<double>{1, 2, 2, 4}, "trsm from the left");
  cublasDtrmm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 2, 2, &d,
              l.memory, 2, b.memory, 2, s.memory, 2);
  expect(s.host() == std::vector<double>{2, 4, 9, 18}, "trmm from the right");
  cublasDtrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 2, 2, &d,
              l.memory, 2, s.memory, 2);
  expect(s.host() == std::vector<double>{1, 2, 2, 4}, "trsm from the right");
  cublasDsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &d, l.memory, 2, b.memory, 2, &none,
              s.memory, 2);
  expect(s.host() == std::vector<double>{4, 9, 8, 18}, "symm");
  Device<double> c({-1, -1, -1, -1});
  cublasDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &d, b.memory, 2, &none, c.memory, 2);
  expect(c.host() == std::vector<double>{5, -1, 10, 20}, "syrk leaves the other triangle");
}

void check_copies() {
  const float host[6] = {1, 2, 3, 4, 5, 6};
  float back[4] = {};
  Device<float> device(std::vector<float>(8, 0));
  expect(cublasSetMatrix(2, 2, sizeof *host, host, 3, device.memory, 4) == CUBLAS_STATUS_SUCCESS,
         "SetMatrix");
  expect(device.host() == std::vector<float>{1, 2, 0, 0, 4, 5, 0, 0}, "SetMatrix");
  expect(cublasGetVector(2, sizeof *back, device.memory, 4, back, 2) == CUBLAS_STATUS_SUCCESS, "GetVector");
  expect(back[0] == 1 && back[1] == 0 && back[2] == 4, "GetVector");
}

/// What is wrong, each with the status that NVIDIA documents.
int check_mistakes(cublasHandle_t handle) {
  Device<float> a({1, 2, 3, 4});
  const float one = 1;
  expect(cublasSscal(nullptr, 1, &one, a.memory, 1) == CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  expect(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &one, a.memory, 2, a.memory, 2, &one,
                     a.memory, 2) == CUBLAS_STATUS_INVALID_VALUE,
         "a negative size");
  expect(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.memory, 1, a.memory, 2, &one,
                     a.memory, 2) == CUBLAS_STATUS_INVALID_VALUE,
         "a leading dimension that is too small");
  expect(cublasSaxpy(handle, 4, nullptr, a.memory, 1, a.memory, 1) == CUBLAS_STATUS_INVALID_VALUE,
         "no factor");
  expect(cublasSscal(handle, 5, &one, a.memory, 1) == CUBLAS_STATUS_EXECUTION_FAILED,
         "beyond the allocation");
  std::printf("mistakes: %d\n", failures);
  return failures;
}

int main(int count, char**) {
  cublasHandle_t handle = nullptr;
  if (const cublasStatus_t status = cublasCreate(&handle); status != CUBLAS_STATUS_SUCCESS) {
    std::printf("cublasCreate: %s\n", cublasGetStatusName(status));
    return 1;
  }
  if (count > 1) return check_mistakes(handle);
  check_gemm<float>(handle, -3, "cublasSgemm");
  check_gemm<float>(handle, 0, "cublasSgemm with beta 0");
  check_gemm<double>(handle, 2, "cublasDgemm");
  check_gemm<__half>(handle, 1, "cublasHgemm");
  check_batches(handle);
  check_mixed(handle);
  check_vectors(handle);
  check_matrices(handle);
  check_copies();
  cublasDestroy(handle);
  std::printf(failures == 0 ? "blas: right\n" : "blas: wrong\n");
  return failures != 0;
}
