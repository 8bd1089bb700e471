// The engines agree on random kernels about memory, and on random control flow; the reference finds the
// mistakes that were planted.

#include "support/engines.h"

#include "kernel_run.h"
#include "random_memory.h"
#include "support/structured_flow.h"

#include <cstdlib>
#include <map>

namespace lanescope::emulator {
namespace {

constexpr uint32_t kFirstSeed = 20261127;

uint32_t number_in(const char* variable, uint32_t usual) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? usual : static_cast<uint32_t>(std::atoi(text));
}

/// How many seeds: more with LANESCOPE_SEEDS, others with LANESCOPE_FIRST_SEED.
uint32_t seeds(uint32_t usual) { return number_in("LANESCOPE_SEEDS", usual); }
uint32_t first_seed(uint32_t usual) { return number_in("LANESCOPE_FIRST_SEED", usual); }

void try_seed(uint32_t seed, std::map<Mistake, int>& found, std::map<Mistake, int>& made) {
  const RandomMemoryKernel kernel = random_memory_kernel(seed);
  const Result<ptx::Program> program = program_of(kernel.text);
  ASSERT_TRUE(program) << describe(program.error()) << "\n" << kernel.text;
  tests::expect_engines_agree(*program, kernel.launch,
                              fmt::format("seed {}, {}\n{}", seed, name_of(kernel.mistake), kernel.text));
  const std::vector<std::string> findings = tests::reference_findings(*program, kernel.launch);
  ++made[kernel.mistake];
  found[kernel.mistake] += !findings.empty();
  if (kernel.mistake == Mistake::None) {
    EXPECT_TRUE(findings.empty()) << "seed " << seed << " " << findings.front() << "\n" << kernel.text;
  }
}

void try_seeds(uint32_t first, uint32_t count) {
  std::map<Mistake, int> found, made;
  for (uint32_t seed = first; seed < first + count && !testing::Test::HasFatalFailure(); ++seed)
    try_seed(seed, found, made);
  for (const auto& [mistake, kernels] : made)
    if (std::getenv("LANESCOPE_SEEDS") != nullptr)
      fmt::print("{}: found in {} of {} kernels\n", name_of(mistake), found[mistake], kernels);
  // What is always a mistake is always found.
  for (const Mistake always : {Mistake::IndexShared, Mistake::GuardDropped, Mistake::WaitRemoved})
    EXPECT_EQ(found[always], made[always]) << name_of(always);
}

TEST(Engines, agree_on_random_kernels_about_memory) { try_seeds(first_seed(kFirstSeed), seeds(40)); }

TEST(SlowEngines, agree_on_many_random_kernels_about_memory) {
  try_seeds(first_seed(kFirstSeed + 1000), seeds(600));
}

TEST(Engines, agree_where_a_store_races_with_several_reads) {
  std::map<Mistake, int> found, made;
  for (const uint32_t seed : {9120104u, 2370053u, 11410013u, 5400045u, 7500067u}) try_seed(seed, found, made);
  EXPECT_EQ(found, made);
}

TEST(Engines, agree_on_random_control_flow) {
  const uint32_t first = first_seed(1);
  for (uint32_t seed = first; seed < first + seeds(40); ++seed) {
    const Result<ptx::Program> program = program_of(tests::ptx_of(tests::random_kernel(seed)));
    ASSERT_TRUE(program) << describe(program.error());
    LaunchBuilder builder({3, 1, 1}, {32, 1, 1});
    std::vector<uint32_t> in(64);
    for (uint32_t n = 0; n < 64; ++n) in[n] = (n + seed) * 2654435761u;
    builder.buffer("in", in).buffer("out", std::vector<uint32_t>(32));
    tests::expect_engines_agree(*program, builder.launch, fmt::format("control flow of seed {}", seed));
  }
}

TEST(Engines, the_reference_finds_what_the_rules_say) {
  // Warp 1 reads what warp 0 writes, without a barrier.
  LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(64));
  const Result<ptx::Program> program = program_of(kernel_text(
      ".param .u64 out",
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 4, %r2; xor.b32 %r4, %r1, 32;\n"
      "mad.lo.u32 %r4, %r4, 4, %r2;\n"
      "st.shared.u32 [%r3], %r1;\n"
      "ld.shared.u32 %r5, [%r4];\n"
      "ret;",
      ".shared .align 4 .b8 tile[256];"));
  ASSERT_TRUE(program);
  const auto findings = tests::reference_findings(*program, builder.launch);
  EXPECT_FALSE(findings.empty());
  tests::expect_engines_agree(*program, builder.launch, "a race between two warps");
}

}  // namespace
}  // namespace lanescope::emulator
