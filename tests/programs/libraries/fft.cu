// cuFFT under `lanescope run`: transforms held against the definition, in float and double, of lengths with
// small and large prime factors, in one to three dimensions, with layouts and in place. Prints "fft: right"
// and ends with 0.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include <cuda_fp16.h>
#include <cufftXt.h>

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

static int failures = 0;
static void expect(bool is_right, const char* what, int number = 0) {
  if (is_right) return;
  std::printf("wrong: %s %d\n", what, number);
  ++failures;
}

static Numbers numbers(size_t count, bool is_real) {
  Numbers values(count);
  unsigned seed = 7;
  const auto next = [&] {
    return static_cast<double>((seed = seed * 1103515245 + 12345) >> 16 & 1023) / 512 - 1;
  };
  for (Complex& value : values) {
    const double real = next();
    value = {real, is_real ? 0 : next()};
  }
  return values;
}

/// The definition, of an array of x by y by z.
static Numbers transformed(const Numbers& in, int nx, int ny, int nz, int sign) {
  Numbers out(in.size());
  for (int a = 0; a < nx; ++a)
    for (int b = 0; b < ny; ++b)
      for (int c = 0; c < nz; ++c)
        for (int x = 0; x < nx; ++x)
          for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) {
              const double turns = static_cast<double>(a * x % nx) / nx +
                                   static_cast<double>(b * y % ny) / ny +
                                   static_cast<double>(c * z % nz) / nz;
              out[(a * ny + b) * nz + c] +=
                  in[(x * ny + y) * nz + z] * std::polar(1.0, sign * 2 * M_PI * turns);
            }
  return out;
}

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
std::vector<std::complex<T>> rounded(const Numbers& values) {
  return {values.begin(), values.end()};
}

static std::vector<double> reals(const Numbers& values) {
  std::vector<double> found;
  for (const Complex& value : values) found.push_back(value.real());
  return found;
}

template <class Found>
bool near(const Found& found, const Complex& right, double scale) {
  return std::abs(Complex(found) - right) <= scale;
}

static void check_lengths() {
  for (const int n : {1, 2, 3, 4, 8, 12, 17, 61, 67, 100, 134, 256, 1009}) {
    const Numbers in = numbers(n, false), right = transformed(in, 1, 1, n, -1);
    Device<std::complex<float>> single(rounded<float>(in));
    Device<Complex> twice(in), other(in);
    cufftHandle c2c, z2z;
    expect(cufftPlan1d(&c2c, n, CUFFT_C2C, 1) == CUFFT_SUCCESS, "plan", n);
    expect(cufftPlan1d(&z2z, n, CUFFT_Z2Z, 1) == CUFFT_SUCCESS, "plan", n);
    auto* s = reinterpret_cast<cufftComplex*>(single.memory);
    auto* d = reinterpret_cast<cufftDoubleComplex*>(twice.memory);
    auto* o = reinterpret_cast<cufftDoubleComplex*>(other.memory);
    expect(cufftExecC2C(c2c, s, s, CUFFT_FORWARD) == CUFFT_SUCCESS, "C2C", n);
    expect(cufftExecZ2Z(z2z, d, o, CUFFT_FORWARD) == CUFFT_SUCCESS, "Z2Z", n);
    const auto found = single.host();
    const auto exact = other.host();
    for (int k = 0; k < n; ++k) expect(near(found[k], right[k], 1e-6 * n + 1e-5), "C2C", n);
    for (int k = 0; k < n; ++k) expect(near(exact[k], right[k], 1e-11 * n), "Z2Z", n);
    cufftExecZ2Z(z2z, o, o, CUFFT_INVERSE);
    const auto back = other.host();
    for (int k = 0; k < n; ++k)
      expect(near(back[k], in[k] * static_cast<double>(n), 1e-11 * n), "there and back", n);
    cufftDestroy(c2c);
    cufftDestroy(z2z);
  }
}

static void check_real(int nx, int ny, int nz) {
  const Numbers in = numbers(static_cast<size_t>(nx) * ny * nz, true),
                right = transformed(in, nx, ny, nz, -1);
  const int half = nz / 2 + 1, rows = nx * ny, all = rows * nz;
  Device<double> from(reals(in)), back(std::vector<double>(all, -1)),
      in_place(std::vector<double>(2 * half * rows, -1));
  for (int row = 0; row < rows; ++row)
    cudaMemcpy(in_place.memory + row * 2 * half, from.memory + row * nz, nz * sizeof(double),
               cudaMemcpyDeviceToDevice);
  Device<Complex> to(Numbers(static_cast<size_t>(rows) * half));
  cufftHandle d2z, z2d;
  if (nx > 1) {
    expect(cufftPlan3d(&d2z, nx, ny, nz, CUFFT_D2Z) == CUFFT_SUCCESS, "plan", all);
    expect(cufftPlan3d(&z2d, nx, ny, nz, CUFFT_Z2D) == CUFFT_SUCCESS, "plan", all);
  } else {
    expect(cufftPlan2d(&d2z, ny, nz, CUFFT_D2Z) == CUFFT_SUCCESS, "plan", all);
    expect(cufftPlan2d(&z2d, ny, nz, CUFFT_Z2D) == CUFFT_SUCCESS, "plan", all);
  }
  auto* complex = reinterpret_cast<cufftDoubleComplex*>(to.memory);
  expect(cufftExecD2Z(d2z, from.memory, complex) == CUFFT_SUCCESS, "D2Z", all);
  expect(cufftExecD2Z(d2z, in_place.memory, reinterpret_cast<cufftDoubleComplex*>(in_place.memory)) ==
             CUFFT_SUCCESS,
         "in place", all);
  const auto found = to.host();
  const auto same = in_place.host();
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < half; ++k) {
      expect(near(found[row * half + k], right[row * nz + k], 1e-10 * all), "D2Z", all);
      expect(same[2 * (row * half + k)] == found[row * half + k].real(), "in place", all);
    }
  expect(cufftExecZ2D(z2d, complex, back.memory) == CUFFT_SUCCESS, "Z2D", all);
  const auto again = back.host();
  for (int n = 0; n < all; ++n) expect(std::abs(again[n] - in[n].real() * all) < 1e-10 * all, "Z2D", all);
  cufftDestroy(d2z);
  cufftDestroy(z2d);
}

/// Three transforms of columns: elements 4 apart, transforms 1 apart; the output is rows with a gap.
static void check_layout() {
  const int n = 6, batch = 3, stride = 4, row = 8;
  const Numbers in = numbers(n * stride, false);
  Device<Complex> from(in), to(Numbers(batch * row, -1));
  int size = n, in_embed = n, out_embed = row;
  cufftHandle plan;
  expect(cufftPlanMany(&plan, 1, &size, &in_embed, stride, 1, &out_embed, 1, row, CUFFT_Z2Z, batch) ==
             CUFFT_SUCCESS,
         "PlanMany");
  expect(cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex*>(from.memory),
                      reinterpret_cast<cufftDoubleComplex*>(to.memory), CUFFT_INVERSE) == CUFFT_SUCCESS,
         "PlanMany");
  const auto found = to.host();
  for (int b = 0; b < batch; ++b) {
    Numbers column;
    for (int k = 0; k < n; ++k) column.push_back(in[k * stride + b]);
    const Numbers right = transformed(column, 1, 1, n, 1);
    for (int k = 0; k < n; ++k) expect(near(found[b * row + k], right[k], 1e-12 * n), "layout", b);
    expect(found[b * row + n] == Complex(-1), "the gap stays", b);
  }
  cufftDestroy(plan);
}

/// Numbers of half, by the plan that has types of data.
static void check_half() {
  const long long n = 16;
  const Numbers in = numbers(n, false), right = transformed(in, 1, 1, n, -1);
  std::vector<__half2> halves;
  for (const Complex& value : in) halves.push_back(__floats2half2_rn(value.real(), value.imag()));
  Device<__half2> memory(halves);
  long long size = n;
  size_t work = 1;
  cufftHandle plan;
  cufftCreate(&plan);
  expect(cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1, &work,
                             CUDA_C_16F) == CUFFT_SUCCESS,
         "plan of half");
  expect(cufftXtExec(plan, memory.memory, memory.memory, CUFFT_FORWARD) == CUFFT_SUCCESS, "half");
  const auto found = memory.host();
  for (int k = 0; k < n; ++k)
    expect(near(Complex(__low2float(found[k]), __high2float(found[k])), right[k], 0.05), "half", k);
  cufftDestroy(plan);
}

/// What is wrong, each with the status that NVIDIA documents.
static int check_mistakes() {
  cufftHandle plan = 0;
  expect(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE, "no size");
  expect(cufftExecC2C(77, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_PLAN, "no plan");
  Device<Complex> memory(Numbers(8));
  expect(cufftPlan1d(&plan, 16, CUFFT_Z2Z, 1) == CUFFT_SUCCESS, "plan");
  auto* values = reinterpret_cast<cufftDoubleComplex*>(memory.memory);
  expect(cufftExecZ2Z(plan, values, values, CUFFT_FORWARD) == CUFFT_EXEC_FAILED, "beyond the allocation");
  std::printf("mistakes: %d\n", failures);
  return failures;
}

int main(int count, char**) {
  if (count > 1) return check_mistakes();
  check_lengths();
  check_real(1, 5, 8);
  check_real(1, 4, 7);
  check_real(3, 4, 6);
  check_layout();
  check_half();
  std::printf(failures == 0 ? "fft: right\n" : "fft: wrong\n");
  return failures != 0;
}
