// Where lanes reconverge, on random kernels of nested if, for, while, break, continue and return: outputs,
// lanes and requests of every load as in an interpreter of the statements.

#include "support/structured_flow.h"

#include "kernel_run.h"

#include <bit>
#include <random>

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

using tests::StructuredKernel;
using tests::StructuredRun;

struct Counted {
  std::vector<uint32_t> requests;  // [load]
  std::vector<uint32_t> lanes;
  std::vector<uint32_t> out;
};

Counted emulate(const StructuredKernel& kernel, const std::array<uint32_t, 64>& in, Scheduling scheduling) {
  LaunchBuilder builder;
  builder.buffer("in", std::vector<uint32_t>(in.begin(), in.end()));
  builder.buffer("out", std::vector<uint32_t>(32));
  const std::string text = tests::ptx_of(kernel);
  KernelRun run;
  run_kernel(run, text, builder.launch, {.scheduling = scheduling});
  if (run.outcome.buffers.empty()) return {};
  if (!run.outcome.hazards.empty()) ADD_FAILURE() << run.outcome.hazards[0].message << '\n' << text;
  const auto program = program_of(text);
  Counted counted{std::vector<uint32_t>(kernel.loads), std::vector<uint32_t>(kernel.loads),
                  values_of<uint32_t>(run.outcome.buffers[1])};
  for (const AccessList::Access& access : run.sink.list) {
    const auto& site = program->sites[access.site];
    if (site.operation.kind != MemoryKind::Load || site.source.line == 0) continue;
    ++counted.requests[site.source.line - 1];
    counted.lanes[site.source.line - 1] += static_cast<uint32_t>(std::popcount(access.mask));
  }
  return counted;
}

/// Kernels with the seeds from `first` on; those that run for too long are left out.
void expect_structured(uint32_t first, uint32_t count) {
  std::array<uint32_t, 64> in{};
  uint32_t compared = 0;
  std::vector<uint32_t> differ;  // seeds
  for (uint32_t seed = first; seed < first + count; ++seed) {
    std::mt19937 random(seed);
    for (uint32_t& word : in) word = static_cast<uint32_t>(random());
    const StructuredKernel kernel = tests::random_kernel(seed);
    const StructuredRun wanted = tests::interpret(kernel, in);
    if (wanted.too_long) continue;
    ++compared;
    const Scheduling scheduling = seed % 2 == 0 ? Scheduling::Independent : Scheduling::Lockstep;
    const Counted found = emulate(kernel, in, scheduling);
    ASSERT_EQ(found.out, std::vector<uint32_t>(wanted.out.begin(), wanted.out.end())) << "seed " << seed;
    ASSERT_EQ(found.lanes, wanted.lanes) << "seed " << seed;
    if (found.requests == wanted.requests) continue;
    differ.push_back(seed);
    if (differ.size() == 1) {
      EXPECT_EQ(found.requests, wanted.requests) << "seed " << seed << '\n' << tests::ptx_of(kernel);
    }
  }
  EXPECT_THAT(differ, testing::IsEmpty());
  EXPECT_GT(compared, count * 9 / 10) << "nearly all random kernels are short";
}

TEST(StructuredFlow, random_kernels_reconverge_as_their_statements_do) { expect_structured(1, 500); }

TEST(SlowStructuredFlow, ten_thousand_random_kernels_reconverge_as_their_statements_do) {
  expect_structured(100000, 10000);
}

}  // namespace
}  // namespace lanescope::emulator
