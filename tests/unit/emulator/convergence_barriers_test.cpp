// Lanes that wait for each other at barriers alone, as the machine code of a kernel has them, and stay apart
// where it has none. Requests are counted by hand; results are the same with and without.

#include "ptx/convergence_barriers.h"

#include "kernel_run.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

/// A kernel with `body`, which changes %r1, the thread's number, and stores it at the end.
std::string kernel_with(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
         ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
         "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, "
         "%rd2;\n" +
         body + "st.global.u32 [%rd1], %r1;\nret;\n}\n";
}

/// Barriers for a program, none of which is used yet.
ptx::ConvergenceBarriers no_barriers(const std::string& text) {
  const size_t blocks = program_of(text)->blocks.size();
  ptx::ConvergenceBarriers barriers;
  for (auto* const lists : {&barriers.at, &barriers.at_round, &barriers.opened, &barriers.closed})
    lists->resize(blocks);
  return barriers;
}

struct Counted {
  std::vector<uint32_t> stores;  // lanes of each request, from the fewest
  std::vector<uint32_t> out;
};

Counted run(const std::string& text, const ptx::ConvergenceBarriers* barriers, Engine engine = Engine::Groups,
            Scheduling scheduling = Scheduling::Independent) {
  LaunchBuilder builder;
  builder.buffer("out", std::vector<uint32_t>(32));
  Options options;
  options.engine = engine;
  options.scheduling = scheduling;
  if (barriers != nullptr) options.barriers = std::make_shared<const ptx::ConvergenceBarriers>(*barriers);
  KernelRun run;
  run_kernel(run, text, builder.launch, options);
  Counted counted;
  if (run.outcome.buffers.empty()) return counted;
  counted.out = values_of<uint32_t>(run.outcome.buffers[0]);
  for (const AccessList::Access& access : run.sink.list)
    if (access.operation.kind == MemoryKind::Store)
      counted.stores.push_back(static_cast<uint32_t>(std::popcount(access.mask)));
  std::ranges::sort(counted.stores);
  return counted;
}

/// Blocks: 0 the branch, 1 the addition, 2 where paths meet.
const std::string kIf = kernel_with("setp.lt.u32 %p1, %r1, 7;\n@%p1 bra L1;\nadd.u32 %r1, %r1, 5;\nL1:\n");

TEST(ConvergenceBarriers, lanes_stay_apart_where_paths_meet_without_one) {
  const ptx::ConvergenceBarriers none = no_barriers(kIf);
  const Counted plain = run(kIf, nullptr);
  EXPECT_THAT(plain.stores, testing::ElementsAre(32));
  for (const Engine engine : {Engine::Reference, Engine::Groups, Engine::Batches})
    for (const Scheduling scheduling : {Scheduling::Independent, Scheduling::Lockstep}) {
      const Counted apart = run(kIf, &none, engine, scheduling);
      EXPECT_THAT(apart.stores, testing::ElementsAre(7, 25));
      EXPECT_EQ(apart.out, plain.out);
    }
}

TEST(ConvergenceBarriers, lanes_that_opened_one_together_reconverge_at_it) {
  ptx::ConvergenceBarriers one = no_barriers(kIf);
  one.open_at_start = {true};
  one.opened[0] = {0};
  one.at[2] = {0};
  EXPECT_THAT(run(kIf, &one).stores, testing::ElementsAre(32));
}

TEST(ConvergenceBarriers, one_that_is_not_open_holds_no_lane) {
  ptx::ConvergenceBarriers one = no_barriers(kIf);
  one.open_at_start = {false};
  one.at[2] = {0};
  EXPECT_THAT(run(kIf, &one).stores, testing::ElementsAre(7, 25));
}

TEST(ConvergenceBarriers, lanes_that_opened_one_apart_stay_apart_at_it) {
  // Blocks: 0 the first branch, 1, 2 the second branch, 3, 4 the end. Only the second if has a barrier.
  const std::string text = kernel_with(
      "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra L1;\nadd.u32 %r1, %r1, 32;\n"
      "L1:\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra L2;\nadd.u32 %r1, %r1, 64;\nL2:\n");
  ptx::ConvergenceBarriers second = no_barriers(text);
  second.open_at_start = {true};
  second.opened[2] = {0};
  second.at[4] = {0};
  const Counted found = run(text, &second);
  EXPECT_THAT(found.stores, testing::ElementsAre(7, 25));
  EXPECT_EQ(found.out, run(text, nullptr).out);
}

TEST(ConvergenceBarriers, lanes_that_leave_a_loop_in_different_rounds_stay_apart_without_one) {
  // Lane n makes n % 4 rounds. Blocks: 0, 1 the loop's header, 2 its body, 3 behind it.
  const std::string text = kernel_with(
      "and.b32 %r2, %r1, 3;\nL0:\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra L1;\nsub.u32 %r2, %r2, 1;\nbra "
      "L0;\nL1:\n");
  EXPECT_THAT(run(text, nullptr).stores, testing::ElementsAre(32));
  const ptx::ConvergenceBarriers none = no_barriers(text);
  EXPECT_THAT(run(text, &none).stores, testing::ElementsAre(8, 8, 8, 8));
  ptx::ConvergenceBarriers behind = none;
  behind.open_at_start = {true};
  behind.opened[0] = {0};
  behind.at[3] = {0};
  EXPECT_THAT(run(text, &behind).stores, testing::ElementsAre(32));
}

}  // namespace
}  // namespace lanescope::emulator
