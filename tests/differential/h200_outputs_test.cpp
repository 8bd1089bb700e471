// Every test kernel in the emulator against what the H200 left in memory: byte for byte, or within the bound
// that kernels.toml states where the hardware approximates.

#include "emulator/run.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/h200_run.h"
#include "support/kernel_ptx.h"
#include "support/project.h"
#include "support/test_kernel.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kProject = tests::source_dir();
const fs::path kRecorded = kProject / "tests/data/h200";

/// Steps between neighbors on the number line of floats, NaN equal to NaN.
double ulps_between(float a, float b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  const auto place = [](float x) {
    const auto bits = static_cast<int64_t>(std::bit_cast<uint32_t>(x));
    return bits < 0x80000000 ? bits : 0x80000000 - bits;
  };
  return std::abs(static_cast<double>(place(a) - place(b)));
}

double ulps_between(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
  if (std::signbit(a) != std::signbit(b)) return a == b ? 0 : std::numeric_limits<double>::infinity();
  const uint64_t x = std::bit_cast<uint64_t>(a), y = std::bit_cast<uint64_t>(b);
  return static_cast<double>(x > y ? x - y : y - x);
}

template <class T>
double largest_difference(std::span<const std::byte> ours, std::span<const std::byte> theirs,
                          tests::Tolerance::Unit unit) {
  double largest = ours.size() == theirs.size() ? 0 : std::numeric_limits<double>::infinity();
  for (size_t at = 0; at + sizeof(T) <= std::min(ours.size(), theirs.size()); at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, ours.data() + at, sizeof a);
    std::memcpy(&b, theirs.data() + at, sizeof b);
    if constexpr (std::is_floating_point_v<T>)
      if (unit == tests::Tolerance::Unit::Ulp) {
        largest = std::max(largest, ulps_between(a, b));
        continue;
      }
    largest = std::max(largest, std::abs(static_cast<double>(a) - static_cast<double>(b)));
  }
  return largest;
}

double difference_of(const launch::Buffer& buffer, std::span<const std::byte> ours,
                     std::span<const std::byte> theirs, tests::Tolerance::Unit unit) {
  if (buffer.type == launch::ElementType::F32) return largest_difference<float>(ours, theirs, unit);
  if (buffer.type == launch::ElementType::F64) return largest_difference<double>(ours, theirs, unit);
  if (buffer.type == launch::ElementType::U32) return largest_difference<uint32_t>(ours, theirs, unit);
  return std::ranges::equal(ours, theirs) ? 0 : std::numeric_limits<double>::infinity();
}

class H200Outputs : public testing::TestWithParam<tests::TestKernel> {};

/// With all checks.
Result<emulator::Recording> record_kernel(const tests::TestKernel& kernel, emulator::Scheduling scheduling) {
  const auto text = tests::read_file(kProject / "tests/data/kernels" / (kernel.name + ".ptx"));
  if (!text) return fail(ErrorKind::File, "no PTX is stored; run the target store_kernels");
  TRY(const ptx::Module module, ptx::parse(*text, kernel.name + ".ptx"));
  TRY(const ptx::Program program, ptx::lower(module, kernel.name));
  TRY(const launch::Launch launch, tests::launch_of(kernel));
  emulator::Options options;
  options.checks = emulator::Checks::All;
  options.limit_steps = 50'000'000;
  options.scheduling = scheduling;
  trace::Keep keep;
  keep.blocks = trace::Keep::Blocks::None;
  return emulator::record(program, launch, model::cost_of, keep, options);
}

/// The checks find nothing: none of these kernels is wrong.
void expect_equal_outputs(const tests::TestKernel& kernel, emulator::Scheduling scheduling) {
  static const auto recorded = tests::read_table(kRecorded / "outputs.csv");
  ASSERT_TRUE(recorded) << describe(recorded.error());
  const auto launch = tests::launch_of(kernel);
  ASSERT_TRUE(launch) << describe(launch.error());
  const auto recording = record_kernel(kernel, scheduling);
  ASSERT_TRUE(recording) << describe(recording.error());
  for (const trace::Hazard& hazard : recording->trace.hazards)
    ADD_FAILURE() << "line " << hazard.where.line << ": " << hazard.message;
  for (const trace::Hazard& note : recording->trace.notes)
    ADD_FAILURE() << "note, line " << note.where.line << ": " << note.message;
  EXPECT_TRUE(recording->trace.unchecked.empty()) << recording->trace.unchecked[0];

  double largest = 0;
  size_t compared = 0;
  for (const auto& row : *recorded) {
    if (row.at("kernel") != kernel.title()) continue;
    const size_t n = std::stoul(row.at("buffer"));
    ASSERT_LT(n, recording->buffers.size());
    ++compared;
    if (tests::hash_of(recording->buffers[n]) == row.at("xxh3_128")) continue;
    const auto file = kRecorded / fmt::format("{}.{}.gz", kernel.title(), n);
    if (!kernel.tolerance) {
      ADD_FAILURE() << "buffer " << n << " (" << row.at("name") << ") differs from the H200's";
      continue;
    }
    const auto theirs = tests::unzip(file);
    ASSERT_TRUE(theirs) << describe(theirs.error());
    largest = std::max(
        largest, difference_of(launch->buffers[n], *recording->buffers[n], *theirs, kernel.tolerance->unit));
  }
  EXPECT_EQ(compared, launch->buffers.size())
      << "the H200 has not run this launch; see tests/data/h200/README.md";
  if (kernel.tolerance) {
    EXPECT_LE(largest, kernel.tolerance->bound);
    // The figure of kernels.toml, to its four digits.
    EXPECT_EQ(fmt::format("{:.4g}", largest), fmt::format("{:.4g}", kernel.tolerance->seen));
  }
}

TEST_P(H200Outputs, equal_the_emulators) {
  expect_equal_outputs(GetParam(), emulator::Scheduling::Independent);
}

/// All but the lock that lanes of a warp pass to each other.
TEST_P(H200Outputs, equal_the_emulators_with_warps_in_lockstep) {
  if (GetParam().name == "spin_lock") {
    const auto recording = record_kernel(GetParam(), emulator::Scheduling::Lockstep);
    ASSERT_TRUE(recording) << describe(recording.error());
    ASSERT_FALSE(recording->trace.hazards.empty());
    EXPECT_EQ(recording->trace.hazards[0].kind, trace::HazardKind::Deadlock);
    return;
  }
  expect_equal_outputs(GetParam(), emulator::Scheduling::Lockstep);
}

INSTANTIATE_TEST_SUITE_P(Kernels, H200Outputs, testing::ValuesIn(tests::kernels_of(tests::Tier::Fast)),
                         tests::kKernelName);
INSTANTIATE_TEST_SUITE_P(SlowKernels, H200Outputs, testing::ValuesIn(tests::kernels_of(tests::Tier::Slow)),
                         tests::kKernelName);

}  // namespace
}  // namespace lanescope
