// The showpieces beside native code: comparison.h. Usage: beside_native [ROUNDS [KERNEL]]

#include "comparison.h"
#include "native_kernels.h"
#include "support/kernel_ptx.h"
#include "support/project.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace lanescope::benchmarks {
namespace {

/// A kernel of tests/kernels with a launch larger than that of the tests.
Case stored_case(const tests::TestKernel& kernel) {
  const auto path = tests::source_dir() / "tests/data/kernels" / (kernel.name + ".ptx");
  return test_case(kernel, tests::read_file(path).value_or(""));
}

std::vector<Comparison> comparisons() {
  const auto floats = [](std::byte* bytes) { return reinterpret_cast<float*>(bytes); };
  std::vector<Comparison> all;
  all.push_back(
      {.name = "copy, 1024 x 1024", .emulated = copy(1024), .natively = [=](const auto& in, std::byte* out) {
         copy_natively(input<float>(in, 0), floats(out), 1024, 1024);
       }});
  all.push_back({.name = "padded transpose, 1024 x 1024",
                 .emulated = padded(1024),
                 .natively = [=](const auto& in, std::byte* out) {
                   transpose_natively(input<float>(in, 0), floats(out), 1024, 1024);
                 }});
  all.push_back({.name = "matrix product by tiles of 16 x 16, 256^3",
                 .emulated = stored_case(launched("matmul_tiled", "16,16", "16,16",
                                                  {"a=f32[256x256]:random(1)", "b=f32[256x256]:random(2)",
                                                   "c=f32[256x256]:zeros", "i32:256"})),
                 .result = 2,
                 .tolerance = 1e-3,
                 .natively = [=](const auto& in, std::byte* out) {
                   multiply_natively(input<float>(in, 0), input<float>(in, 1), floats(out), 256);
                 }});
  all.push_back({.name = "naive matrix product, 256^3",
                 .emulated = stored_case(launched("matmul_naive", "16,16", "16,16",
                                                  {"a=f32[256x256]:random(1)", "b=f32[256x256]:random(2)",
                                                   "c=f32[256x256]:zeros", "i32:256"})),
                 .result = 2,
                 .tolerance = 1e-3,
                 .natively = [=](const auto& in, std::byte* out) {
                   multiply_natively(input<float>(in, 0), input<float>(in, 1), floats(out), 256);
                 }});
  all.push_back({.name = "reduction of 2^22 floats",
                 .emulated = stored_case(launched("reduce_sequential", "8192", "256",
                                                  {"in=f32[4194304]:random(3)", "sums=f32[8192]:zeros"})),
                 .natively = [=](const auto& in, std::byte* out) {
                   reduce_natively(input<float>(in, 0), floats(out), 8192);
                 }});
  all.push_back(
      {.name = "histogram of 2^22 bytes",
       .emulated = stored_case(launched("histogram_shared", "64", "256",
                                        {"in=u8[4194304]:random(4)", "bins=u32[256]:zeros", "i32:1048576"})),
       .natively = [](const auto& in, std::byte* out) {
         count_natively(input<uint8_t>(in, 0), reinterpret_cast<uint32_t*>(out), size_t{1} << 22);
       }});
  all.push_back({.name = "stencil, 128 x 128 x 64",
                 .emulated = stored_case(launched("stencil_3d", "4,16", "32,8",
                                                  {"in=f32[1048576]:random(5)", "out=f32[1048576]:zeros",
                                                   "i32:128", "i32:128", "i32:64"})),
                 .tolerance = 1e-5,
                 .natively = [=](const auto& in, std::byte* out) {
                   smooth_natively(input<float>(in, 0), floats(out), 128, 128, 64);
                 }});
  return all;
}

}  // namespace
}  // namespace lanescope::benchmarks

int main(int count, char** arguments) {
  using namespace lanescope::benchmarks;
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 9;
  print_header();
  for (const Comparison& what : comparisons())
    if (count <= 2 || what.name.find(arguments[2]) != std::string::npos) compare(what, std::max(rounds, 1));
}
