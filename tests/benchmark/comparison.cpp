#include "comparison.h"

#include "emulator/run.h"
#include "model/cost.h"
#include "ptx/lower.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <utility>

#include <fmt/format.h>

namespace lanescope::benchmarks {
namespace {

using launch::Bytes;

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

}  // namespace

Case test_case(const tests::TestKernel& kernel, const std::string& ptx) {
  const ptx::Module module = or_stop(ptx::parse(ptx, kernel.name));
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

void print_header() {
  fmt::print(
      "| kernel | native, ms | emulated, ms | ratio | billion lane-instructions per second | with checks "
      "|\n");
  fmt::print("|---|---|---|---|---|---|\n");
}

double compare(const Comparison& what, int rounds) {
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
  const double speed = static_cast<double>(lane_instructions) / emulated_time * 1e-9;
  fmt::print("| {} | {:.2f} | {:.2f} | {:.1f} | {:.1f} | {:.2f} |\n", what.name, median(native_seconds) * 1e3,
             emulated_time * 1e3, median(ratios), speed, median(ratios_of_checks));
  std::fflush(stdout);
  return speed;
}

}  // namespace lanescope::benchmarks
