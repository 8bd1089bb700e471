// Single instructions in the emulator against what an H200 gave for the same PTX and the same inputs
// (tests/data/probes): the same bits, or, where the hardware approximates, the largest difference that
// differences.csv states. That table is kept exact: a difference that grows or goes away fails the test.

#include "support/probe.h"

#include "emulator/run.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/h200_run.h"
#include "support/project.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = tests::source_dir() / "tests/data/probes";

class NoSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

Result<launch::Contents> emulate(const tests::Probe& probe) {
  TRY(const ptx::Module module, ptx::parse(tests::ptx_of(probe), "probe.ptx"));
  TRY(const ptx::Program program, ptx::lower(module, "probe"));
  const launch::Launch launch = tests::launch_of(probe);
  NoSink sink;
  emulator::Options options;
  options.threads = 1;
  TRY(emulator::Outcome outcome,
      emulator::run(program, launch, [&](unsigned) -> trace::Sink& { return sink; }, options));
  if (!outcome.hazards.empty()) return fail(ErrorKind::Hazard, outcome.hazards[0].message);
  return outcome.buffers[1];
}

/// Steps on the number line of a format of `bits` bits, sign and magnitude; NaN is a separate place.
uint64_t steps(uint64_t a, uint64_t b, int bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  const auto place = [&](uint64_t x) {
    const auto magnitude = static_cast<int64_t>(x & (sign - 1));
    return (x & sign) != 0 ? -magnitude : magnitude;
  };
  const auto [low, high] = std::minmax({place(a), place(b)});
  const uint64_t distance =
      static_cast<uint64_t>(high) - static_cast<uint64_t>(low);  // may be more than a signed one holds
  return a == b ? 0 : distance == 0 ? 1 : distance;  // zeros of different signs are one step apart
}

/// A result whose register holds two numbers of 16 bits.
bool holds_halves(const tests::Probe& probe) { return probe.name.find("16x2") != std::string::npos; }

struct Difference {
  size_t count = 0;  // of results
  uint64_t largest = 0;
  std::string example;
};

Difference difference_of(const tests::Probe& probe, const std::byte* ours, const std::byte* theirs) {
  Difference difference;
  const size_t thread_bytes = tests::offset_of_result(probe, probe.results.size());
  const std::vector<std::byte> inputs = tests::inputs_of(probe);
  const size_t input_bytes = probe.input_bytes() / probe.threads;
  for (uint32_t thread = 0; thread < probe.threads; ++thread) {
    for (size_t n = 0; n < probe.results.size(); ++n) {
      const size_t at = thread * thread_bytes + tests::offset_of_result(probe, n);
      uint64_t a = 0, b = 0;
      std::memcpy(&a, ours + at, tests::bytes_of(probe.results[n]));
      std::memcpy(&b, theirs + at, tests::bytes_of(probe.results[n]));
      if (a == b) continue;
      const std::string& reg = probe.results[n].reg;
      const int bits = reg == "b16" ? 16 : static_cast<int>(8 * tests::bytes_of(probe.results[n]));
      uint64_t distance = steps(a, b, bits);
      if (holds_halves(probe) && bits == 32)
        distance = std::max(steps(a & 0xffff, b & 0xffff, 16), steps(a >> 16, b >> 16, 16));
      if (distance > difference.largest) {
        difference.example =
            fmt::format("thread {} result {}: ours {:#x}, the H200's {:#x}, of", thread, n, a, b);
        for (size_t i = 0; i < std::min<size_t>(probe.operands.size(), 4); ++i) {
          uint64_t operand = 0;
          std::memcpy(&operand, inputs.data() + thread * input_bytes + 8 * i, 8);
          difference.example += fmt::format(" {:#x}", operand);
        }
      }
      difference.largest = std::max(difference.largest, distance);
      ++difference.count;
    }
  }
  return difference;
}

TEST(Probe, every_instruction_gives_what_an_h200_gives_but_for_the_stated_differences) {
  const auto probes = tests::read_probes(kFolder / "probes.txt");
  ASSERT_TRUE(probes) << describe(probes.error());
  const auto recorded = tests::unzip(kFolder / "h200.bin.gz");
  ASSERT_TRUE(recorded) << describe(recorded.error());
  const auto table = tests::read_table(kFolder / "differences.csv");
  ASSERT_TRUE(table) << describe(table.error());
  std::map<std::string, std::map<std::string, std::string>> stated;
  for (const auto& row : *table) stated[row.at("probe")] = row;

  size_t at = 0;
  for (const tests::Probe& probe : *probes) {
    ASSERT_LE(at + probe.output_bytes(), recorded->size());
    const std::byte* theirs = recorded->data() + at;
    at += probe.output_bytes();
    const auto ours = emulate(probe);
    if (!ours) {
      ADD_FAILURE() << probe.name << ": " << describe(ours.error());
      continue;
    }
    const Difference found = difference_of(probe, (*ours)->data(), theirs);
    const auto known = stated.find(probe.name);
    const std::string count = known == stated.end() ? "0" : known->second.at("results");
    const std::string largest = known == stated.end() ? "0" : known->second.at("largest_steps");
    EXPECT_EQ(std::to_string(found.count), count) << probe.name << ", " << found.example;
    EXPECT_EQ(std::to_string(found.largest), largest) << probe.name << ", " << found.example;
    stated.erase(probe.name);
  }
  EXPECT_EQ(at, recorded->size());
  for (const auto& [name, row] : stated) ADD_FAILURE() << name << " is in differences.csv but is no probe";
}

}  // namespace
}  // namespace lanescope
