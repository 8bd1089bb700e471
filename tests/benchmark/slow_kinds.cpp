// Kinds of kernels that are slower than the showpieces, one each (tests/benchmark/kinds), beside native code:
// comparison.h. The last line has their speeds as shares of the padded transpose's in the same run. NVRTC
// compiles the kernels. Usage: slow_kinds [ROUNDS [KERNEL]]

#include "comparison.h"
#include "compile/compile.h"
#include "native_kernels.h"
#include "native_kinds.h"
#include "support/kernel_ptx.h"
#include "support/project.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace lanescope::benchmarks {
namespace {

Case compiled(const tests::TestKernel& kernel) {
  static const compile::Compiler compiler =
      or_stop(compile::find_compiler(tests::source_dir() / ".cache/third_party"));
  const auto path = tests::source_dir() / "tests/benchmark/kinds" / (kernel.name + ".cu");
  return test_case(kernel, or_stop(tests::compile_kernel(compiler, path)));
}

uint32_t* words(std::byte* bytes) { return reinterpret_cast<uint32_t*>(bytes); }
float* floats(std::byte* bytes) { return reinterpret_cast<float*>(bytes); }

Comparison transpose() {
  return {.name = "padded transpose, 1024 x 1024",
          .emulated = padded(1024),
          .natively = [](const auto& in, std::byte* out) {
            transpose_natively(input<float>(in, 0), floats(out), 1024, 1024);
          }};
}

/// A comparison whose kernel is not compiled yet.
struct Kind {
  tests::TestKernel kernel;
  Comparison comparison;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  all.push_back({.kernel = launched("grid_barrier", "32", "128",
                                    {"in=f32[4096]:random(1)", "out=f32[4096]:zeros", "other=f32[4096]:zeros",
                                     "arrived=u32[1]:zeros", "i32:101"}),
                 .comparison = {.name = "grid barrier, polled",
                                .emulated = {},
                                .tolerance = 1e-5,
                                .natively = [](const auto& in, std::byte* out) {
                                  relax_natively(input<float>(in, 0), floats(out), 4096, 101);
                                }}});
  all.push_back({.kernel = launched("skip_ahead", "32", "128",
                                    {"matrix=u32[800]:random(2)", "states=u32[20480]:zeros", "i32:8"}),
                 .comparison = {.name = "skip ahead in random numbers",
                                .emulated = {},
                                .natively = [](const auto& in, std::byte* out) {
                                  skip_natively(input<uint32_t>(in, 0), words(out), 4096, 8);
                                }}});
  all.push_back({.kernel = launched("last_block", "4096", "256",
                                    {"in=u32[1048576]:random(3)", "sums=u32[4096]:zeros",
                                     "total=u32[1]:zeros", "done=u32[1]:zeros"}),
                 .comparison = {.name = "sum by the last block",
                                .emulated = {},
                                .result = 2,
                                .natively = [](const auto& in, std::byte* out) {
                                  sum_natively(input<uint32_t>(in, 0), words(out), size_t{1} << 20);
                                }}});
  all.push_back({.kernel = launched("transform_short", "32,64", "8,4,2",
                                    {"in=i16[1024x1024]:random(4)", "out=i16[1024x1024]:zeros", "i32:1024"}),
                 .comparison = {.name = "transform of 8 x 8 numbers of 16 bits",
                                .emulated = {},
                                .natively = [](const auto& in, std::byte* out) {
                                  transform_natively(input<int16_t>(in, 0), reinterpret_cast<int16_t*>(out),
                                                     1024, 1024);
                                }}});
  all.push_back(
      {.kernel =
           launched("shuffle_scan", "4096", "256", {"in=u32[1048576]:random(5)", "out=u32[1048576]:zeros"}),
       .comparison = {
           .name = "scan by shuffles", .emulated = {}, .natively = [](const auto& in, std::byte* out) {
             scan_natively(input<uint32_t>(in, 0), words(out), size_t{1} << 20);
           }}});
  all.push_back(
      {.kernel = launched("merge_pairs", "128", "256",
                          {"in=u32[65536]:random(6)", "keys=u32[65536]:zeros", "values=u32[65536]:zeros"}),
       .comparison = {
           .name = "bitonic sort of pairs", .emulated = {}, .natively = [](const auto& in, std::byte* out) {
             sort_natively(input<uint32_t>(in, 0), words(out), 65536);
           }}});
  all.push_back({.kernel = launched("barrier_stages", "32", "256",
                                    {"in=u32[524288]:random(7)", "out=u32[8192]:zeros", "i32:64"}),
                 .comparison = {.name = "stages that mbarriers end",
                                .emulated = {},
                                .natively = [](const auto& in, std::byte* out) {
                                  sum_stages_natively(input<uint32_t>(in, 0), words(out), 32, 64);
                                }}});
  all.push_back(
      {.kernel = launched(
           "copy_stages", "16,16", "16,16",
           {"a=f32[256x256]:random(8)", "b=f32[256x256]:random(9)", "c=f32[256x256]:zeros", "i32:256"}),
       .comparison = {.name = "matrix product of copied stages",
                      .emulated = {},
                      .result = 2,
                      .tolerance = 1e-3,
                      .natively = [](const auto& in, std::byte* out) {
                        multiply_natively(input<float>(in, 0), input<float>(in, 1), floats(out), 256);
                      }}});
  all.push_back(
      {.kernel = launched("row_filter", "8", "128",
                          {"in=f32[1024x1024]:random(10)", "out=f32[1024x1024]:zeros", "i32:1024", "i32:10"}),
       .comparison = {.name = "running mean, a row a thread",
                      .emulated = {},
                      .tolerance = 1e-3,
                      .natively = [](const auto& in, std::byte* out) {
                        filter_natively(input<float>(in, 0), floats(out), 1024, 1024, 10);
                      }}});
  return all;
}

}  // namespace
}  // namespace lanescope::benchmarks

int main(int count, char** arguments) {
  using namespace lanescope::benchmarks;
  const int rounds = std::max(count > 1 ? std::atoi(arguments[1]) : 5, 1);
  print_header();
  std::vector<double> shares;
  const double showpiece = compare(transpose(), rounds);
  for (Kind& kind : kinds()) {
    Comparison& what = kind.comparison;
    if (count > 2 && what.name.find(arguments[2]) == std::string::npos) continue;
    what.emulated = compiled(kind.kernel);
    shares.push_back(compare(what, rounds) / showpiece);
  }
  fmt::print("\nshares of the padded transpose's speed, in %:");
  for (const double share : shares) fmt::print(" {:.1f}", share * 100);
  fmt::print("\n");
}
