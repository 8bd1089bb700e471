// The emulator on one thread, with all counts, beside the same computation by hand in C++: the ratio of the
// CPU times, and that of a run with all checks to one without. All run in turns in one process on the same
// inputs; the median of all rounds counts. What they compute is compared. Usage: beside_native [ROUNDS
// [KERNEL]]

#include "emulator/run.h"
#include "lesson_cases.h"
#include "model/cost.h"
#include "native_kernels.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <vector>

namespace lanescope::benchmarks {
namespace {

using launch::Bytes;

/// A kernel and the same by hand: from buffer 0 and the others to the buffer `result`.
struct Comparison {
  std::string name;
  Case emulated;
  uint32_t result = 1;
  double tolerance = 0;  // of each float; 0: every byte is the same
  std::function<void(const std::vector<launch::Buffer>& in, std::byte* out)> natively;
};

template <class T>
const T* input(const std::vector<launch::Buffer>& buffers, size_t n) {
  return reinterpret_cast<const T*>(buffers[n].initial->data());
}

/// A kernel of tests/kernels with a launch larger than that of the tests.
Case test_case(const tests::TestKernel& kernel) {
  const auto path = tests::source_dir() / "tests/data/kernels" / (kernel.name + ".ptx");
  std::ifstream stream(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const ptx::Module module = or_stop(ptx::parse(text, path.string()));
  return {or_stop(ptx::lower(module, kernel.name)), or_stop(tests::launch_of(kernel))};
}

tests::TestKernel launched(const std::string& name, const std::string& grid, const std::string& block,
                           const std::vector<std::string>& arguments) {
  tests::TestKernel kernel;
  kernel.name = name;
  kernel.grid = grid;
  kernel.block = block;
  kernel.arguments = arguments;
  return kernel;
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
                 .emulated = test_case(launched("matmul_tiled", "16,16", "16,16",
                                                {"a=f32[256x256]:random(1)", "b=f32[256x256]:random(2)",
                                                 "c=f32[256x256]:zeros", "i32:256"})),
                 .result = 2,
                 .tolerance = 1e-3,
                 .natively = [=](const auto& in, std::byte* out) {
                   multiply_natively(input<float>(in, 0), input<float>(in, 1), floats(out), 256);
                 }});
  all.push_back({.name = "naive matrix product, 256^3",
                 .emulated = test_case(launched("matmul_naive", "16,16", "16,16",
                                                {"a=f32[256x256]:random(1)", "b=f32[256x256]:random(2)",
                                                 "c=f32[256x256]:zeros", "i32:256"})),
                 .result = 2,
                 .tolerance = 1e-3,
                 .natively = [=](const auto& in, std::byte* out) {
                   multiply_natively(input<float>(in, 0), input<float>(in, 1), floats(out), 256);
                 }});
  all.push_back({.name = "reduction of 2^22 floats",
                 .emulated = test_case(launched("reduce_sequential", "8192", "256",
                                                {"in=f32[4194304]:random(3)", "sums=f32[8192]:zeros"})),
                 .natively = [=](const auto& in, std::byte* out) {
                   reduce_natively(input<float>(in, 0), floats(out), 8192);
                 }});
  all.push_back(
      {.name = "histogram of 2^22 bytes",
       .emulated = test_case(launched("histogram_shared", "64", "256",
                                      {"in=u8[4194304]:random(4)", "bins=u32[256]:zeros", "i32:1048576"})),
       .natively = [](const auto& in, std::byte* out) {
         count_natively(input<uint8_t>(in, 0), reinterpret_cast<uint32_t*>(out), size_t{1} << 22);
       }});
  all.push_back({.name = "stencil, 128 x 128 x 64",
                 .emulated = test_case(launched("stencil_3d", "4,16", "32,8",
                                                {"in=f32[1048576]:random(5)", "out=f32[1048576]:zeros",
                                                 "i32:128", "i32:128", "i32:64"})),
                 .tolerance = 1e-5,
                 .natively = [=](const auto& in, std::byte* out) {
                   smooth_natively(input<float>(in, 0), floats(out), 128, 128, 64);
                 }});
  return all;
}

bool same(const Bytes& emulated, const Bytes& native, double tolerance) {
  if (tolerance == 0) return emulated == native;
  std::vector<float> a(emulated.size() / sizeof(float));
  std::vector<float> b(a.size());
  std::memcpy(a.data(), emulated.data(), emulated.size());
  std::memcpy(b.data(), native.data(), native.size());
  return std::ranges::equal(
      a, b, [&](float x, float y) { return std::abs(x - y) <= tolerance * std::max(1.0f, std::abs(y)); });
}

/// Of this thread, on which the emulator runs too: what else the machine does takes no part of it.
double seconds_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class F>
double seconds_of(F&& f) {
  const double begin = seconds_of_thread();
  f();
  return seconds_of_thread() - begin;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Prints a row of the table. The native code runs several times in a round: it is short.
void compare(const Comparison& what, int rounds) {
  constexpr int kNativeRuns = 4;
  const std::vector<launch::Buffer>& buffers = what.emulated.launch.buffers;
  emulator::Pool pool(1);
  trace::Keep keep;
  keep.blocks = trace::Keep::Blocks::None;
  Bytes native = *buffers[what.result].initial;
  std::vector<double> native_seconds;
  std::vector<double> emulated_seconds;
  std::vector<double> ratios;
  std::vector<double> ratios_of_checks;
  uint64_t lane_instructions = 0;
  for (int round = 0; round < rounds; ++round) {
    double native_time = 0;
    for (int n = 0; n < kNativeRuns; ++n) {
      std::memcpy(native.data(), buffers[what.result].initial->data(), native.size());
      native_time += seconds_of([&] { what.natively(buffers, native.data()); }) / kNativeRuns;
    }
    const auto emulate = [&](emulator::Checks checks) {
      emulator::Options options;
      options.pool = &pool;
      options.checks = checks;
      launch::Contents emulated;
      const double time = seconds_of([&] {
        emulator::Recording recording = or_stop(
            emulator::record(what.emulated.program, what.emulated.launch, model::cost_of, keep, options));
        lane_instructions = recording.trace.lane_instructions;
        emulated = std::move(recording.buffers[what.result]);
      });
      if (!same(*emulated, native, what.tolerance)) {
        fmt::print(stderr, "{}: the emulator and the native code have different results\n", what.name);
        std::exit(1);
      }
      return time;
    };
    const double emulated_time = emulate(emulator::Checks::None);
    ratios_of_checks.push_back(emulate(emulator::Checks::All) / emulated_time);
    native_seconds.push_back(native_time);
    emulated_seconds.push_back(emulated_time);
    ratios.push_back(emulated_time / native_time);
  }
  const double emulated_time = median(emulated_seconds);
  fmt::print("| {} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.2f} |\n", what.name, median(native_seconds) * 1e3,
             emulated_time * 1e3, median(ratios),
             static_cast<double>(lane_instructions) / emulated_time * 1e-9, median(ratios_of_checks));
  std::fflush(stdout);
}

}  // namespace
}  // namespace lanescope::benchmarks

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 9;
  fmt::print(
      "| kernel | native, ms | emulated, ms | ratio | billion lane-instructions per second | with checks "
      "|\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const auto& what : lanescope::benchmarks::comparisons())
    if (count <= 2 || what.name.find(arguments[2]) != std::string::npos)
      lanescope::benchmarks::compare(what, std::max(rounds, 1));
}
