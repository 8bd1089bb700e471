// cuRAND's host functions under `lanescope run`: prints numbers of each generator, one line a call, for a
// comparison with what the definitions say, or with a GPU. Built with nvcc -lcurand, it runs there as well.
#include <cstdio>
#include <vector>

#include <curand.h>

constexpr unsigned long long kSeed = 1234;

static curandGenerator_t make(curandRngType_t type, bool is_of_host) {
  curandGenerator_t generator = nullptr;
  const curandStatus_t status =
      is_of_host ? curandCreateGeneratorHost(&generator, type) : curandCreateGenerator(&generator, type);
  if (status != CURAND_STATUS_SUCCESS) std::printf("create: %d\n", status);
  curandSetPseudoRandomGeneratorSeed(generator, kSeed);
  return generator;
}

/// The results of a call: the first ones, and those around the places where a subsequence comes again.
template <class T, class Function>
void print(const char* name, size_t count, bool is_of_host, Function function) {
  std::vector<T> host(count);
  T* memory = host.data();
  if (!is_of_host) cudaMalloc(&memory, count * sizeof(T));
  const curandStatus_t status = function(memory);
  if (!is_of_host) {
    cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(memory);
  }
  std::printf("%s %d", name, status);
  for (size_t n = 0; n < count; ++n)
    if (n < 16 || (n >= 4095 && n < 4098) || (n >= 8191 && n < 8194) || n + 3 > count)
      std::printf(" %.17g", static_cast<double>(host[n]));
  std::printf("\n");
}

static void print_all(const char* name, curandRngType_t type, bool is_of_host) {
  const size_t count = 300000;
  std::printf("%s\n", name);
  curandGenerator_t g = make(type, is_of_host);
  print<unsigned>("bits", count, is_of_host, [=](unsigned* to) { return curandGenerate(g, to, count); });
  print<unsigned>("more", 5, is_of_host, [=](unsigned* to) { return curandGenerate(g, to, 5); });
  curandDestroyGenerator(g);
  curandGenerator_t u = make(type, is_of_host);
  print<float>("uniform", count, is_of_host, [=](float* to) { return curandGenerateUniform(u, to, count); });
  curandSetGeneratorOffset(u, 12289);
  print<float>("offset", 8, is_of_host, [=](float* to) { return curandGenerateUniform(u, to, 8); });
  curandDestroyGenerator(u);
  curandGenerator_t d = make(type, is_of_host);
  print<double>("uniform_double", count, is_of_host,
                [=](double* to) { return curandGenerateUniformDouble(d, to, count); });
  print<unsigned>("after", 6, is_of_host, [=](unsigned* to) { return curandGenerate(d, to, 6); });
  curandDestroyGenerator(d);
  curandGenerator_t n = make(type, is_of_host);
  print<float>("normal", count, is_of_host,
               [=](float* to) { return curandGenerateNormal(n, to, count, 1, 2); });
  print<unsigned>("after", 6, is_of_host, [=](unsigned* to) { return curandGenerate(n, to, 6); });
  print<float>("log_normal", 8, is_of_host,
               [=](float* to) { return curandGenerateLogNormal(n, to, 8, 0, 1); });
  curandDestroyGenerator(n);
  curandGenerator_t m = make(type, is_of_host);
  print<double>("normal_double", count, is_of_host,
                [=](double* to) { return curandGenerateNormalDouble(m, to, count, 0, 1); });
  curandDestroyGenerator(m);
}

int main(int words, char** arguments) {
  const bool is_of_host = words > 1 && arguments[1][0] == 'h';
  print_all("xorwow", CURAND_RNG_PSEUDO_DEFAULT, is_of_host);
  print_all("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, is_of_host);
  print_all("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, is_of_host);
  curandGenerator_t none = nullptr;
  std::printf("null %d\n", curandGenerate(none, nullptr, 1));
  if (words > 2) std::printf("sobol %d\n", curandCreateGenerator(&none, CURAND_RNG_QUASI_SOBOL32));
}
