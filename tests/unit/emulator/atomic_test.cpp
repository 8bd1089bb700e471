// Atomics and reductions: what memory and the lanes get, in global and shared memory, from one warp and many.

#include "kernel_run.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lanescope::emulator {
namespace {

constexpr std::string_view kParameters = ".param .u64 target, .param .u64 old";

/// Lane l of one warp does `instruction` on [%rd1], with %r1 = l and %rd3 = l; the old value comes in %r2 or
/// %rd4.
struct AtomicRun {
  std::vector<uint64_t> target;
  std::vector<uint32_t> old;  // [lane]
  std::vector<AccessList::Access> accesses;
};

AtomicRun run_atomic(std::string_view instruction, uint64_t initial) {
  LaunchBuilder builder;
  builder.buffer("target", std::vector<uint64_t>{initial}).buffer("old", std::vector<uint32_t>(32));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(
          kParameters,
          fmt::format("ld.param.u64 %rd1, [target]; ld.param.u64 %rd2, [old]; mov.u32 %r1, %tid.x; "
                      "cvt.u64.u32 %rd3, %r1; cvt.rn.f32.u32 %f1, %r1; mov.u32 %r2, 0;\n{}\n"
                      "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd2, %rd2, %rd5; st.global.u32 [%rd2], %r2; ret;",
                      instruction)),
      builder.launch);
  if (kernel.outcome.buffers.size() != 2) return {};
  return {values_of<uint64_t>(kernel.outcome.buffers[0]), values_of<uint32_t>(kernel.outcome.buffers[1]),
          kernel.sink.list};
}

TEST(Atomic, lanes_go_in_rising_order_and_get_what_was_there) {
  const AtomicRun run = run_atomic("atom.global.add.u32 %r2, [%rd1], 2;", 100);
  EXPECT_EQ(run.target[0], 164u);
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(run.old[lane], 100 + 2 * lane);
  ASSERT_EQ(run.accesses.size(), 2u);
  EXPECT_EQ(run.accesses[0].operation, (trace::Operation{trace::Space::Global, trace::Kind::Atomic, 4}));
  EXPECT_TRUE(run.accesses[0].affine);
  EXPECT_EQ(run.accesses[0].addresses, std::vector<uint64_t>(32, trace::global_address(0, 0)));
}

TEST(Atomic, every_operation_on_32_bits) {
  EXPECT_EQ(run_atomic("red.global.add.u32 [%rd1], %r1;", 0).target[0], 496u);
  EXPECT_EQ(run_atomic("atom.global.min.u32 %r2, [%rd1], %r1;", 7).target[0], 0u);
  EXPECT_EQ(run_atomic("atom.global.max.u32 %r2, [%rd1], %r1;", 7).target[0], 31u);
  EXPECT_EQ(run_atomic("sub.s32 %r3, 5, %r1; atom.global.min.s32 %r2, [%rd1], %r3;", 7).target[0],
            static_cast<uint32_t>(-26));
  EXPECT_EQ(run_atomic("not.b32 %r3, %r1; atom.global.and.b32 %r2, [%rd1], %r3;", 0xffff).target[0], 0xffe0u);
  EXPECT_EQ(run_atomic("atom.global.or.b32 %r2, [%rd1], %r1;", 0x100).target[0], 0x11fu);
  EXPECT_EQ(run_atomic("atom.global.xor.b32 %r2, [%rd1], %r1;", 0).target[0], 0u);
  EXPECT_EQ(run_atomic("atom.global.exch.b32 %r2, [%rd1], %r1;", 99).target[0], 31u);
  EXPECT_EQ(run_atomic("atom.global.inc.u32 %r2, [%rd1], 9;", 0).target[0], 2u);  // 32 steps through 0..9
  EXPECT_EQ(run_atomic("atom.global.dec.u32 %r2, [%rd1], 9;", 0).target[0],
            8u);  // 32 steps back through 9..0
  EXPECT_EQ(run_atomic("add.u32 %r3, %r1, 1; atom.global.cas.b32 %r2, [%rd1], %r1, %r3;", 0).target[0], 32u);
}

TEST(Atomic, operations_on_64_bits_and_floating_point) {
  EXPECT_EQ(run_atomic("atom.global.add.u64 %rd4, [%rd1], %rd3;", uint64_t{1} << 40).target[0],
            (uint64_t{1} << 40) + 496);
  EXPECT_EQ(run_atomic("red.global.max.s64 [%rd1], %rd3;", ~uint64_t{0}).target[0], 31u);
  const AtomicRun run = run_atomic("red.global.add.f32 [%rd1], %f1;", 0);
  float sum = 0;
  std::memcpy(&sum, run.target.data(), sizeof sum);
  EXPECT_EQ(sum, 496.0f);
  EXPECT_EQ(run.accesses[0].operation.kind, trace::Kind::Reduction);
}

TEST(Atomic, halves_and_vectors) {
  // 32 x 1.0 in f16 and bf16; 0x5000 and 0x4200 are 32.
  EXPECT_EQ(run_atomic("mov.b16 %rs1, 0x3c00; red.global.add.noftz.f16 [%rd1], %rs1;", 0).target[0], 0x5000u);
  EXPECT_EQ(
      run_atomic("mov.b32 %r3, 0x3f803f80; atom.global.add.noftz.bf16x2 %r2, [%rd1], %r3;", 0).target[0],
      0x42004200u);
  EXPECT_EQ(run_atomic("mov.b32 %r3, 0x40003c00; red.global.add.noftz.f16x2 [%rd1], %r3;", 0).target[0],
            0x54005000u);
  EXPECT_EQ(run_atomic("mov.f32 %f2, 0f3F800000; red.global.v2.f32.add [%rd1], {%f2, %f1};", 0).target[0],
            uint64_t{std::bit_cast<uint32_t>(496.0f)} << 32 | std::bit_cast<uint32_t>(32.0f));
  const AtomicRun returning = run_atomic(
      "mov.b32 %r3, 0x3c003c00; atom.global.v2.f16x2.add.noftz {%r2, %r4}, [%rd1], {%r3, %r3};", 0);
  EXPECT_EQ(returning.target[0], 0x5000500050005000u);
  EXPECT_EQ(returning.old[3], 0x42004200u);  // three came before
  EXPECT_EQ(returning.accesses[0].operation.bytes_per_lane, 8);
  EXPECT_EQ(
      run_atomic(
          "cvt.u16.u32 %rs1, %r1; add.u16 %rs2, %rs1, 1; atom.global.cas.b16 %rs3, [%rd1], %rs1, %rs2;", 0)
          .target[0],
      32u);
}

TEST(Atomic, an_atomic_with_an_unused_result_is_a_reduction) {
  EXPECT_EQ(run_atomic("atom.global.add.u32 %r9, [%rd1], 1;", 0).accesses[0].operation.kind,
            trace::Kind::Reduction);
  EXPECT_EQ(run_atomic("atom.global.add.u32 %r2, [%rd1], 1;", 0).accesses[0].operation.kind,
            trace::Kind::Atomic);
  EXPECT_EQ(run_atomic("atom.global.exch.b32 %r9, [%rd1], 1;", 0).accesses[0].operation.kind,
            trace::Kind::Atomic);
}

/// What 64 blocks of 96 threads leave in 1024 words that were 1000 each, on so many workers: each thread does
/// `instruction` on [%rd1], word thread * spread % words, with %r1 = thread of the grid + 1.
std::vector<uint32_t> reduce_in_blocks(std::string_view instruction, uint32_t spread, uint32_t words,
                                       unsigned workers) {
  LaunchBuilder builder({64, 1, 1}, {96, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(1024, 1000));
  const auto program = program_of(kernel_text(
      ".param .u64 out",
      fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, "
                  "%r3, 96, %r2; mul.lo.u32 %r4, %r1, {}; rem.u32 %r4, %r4, {}; mul.wide.u32 %rd2, %r4, 4; "
                  "add.u64 %rd1, %rd1, %rd2; add.u32 %r1, %r1, 1; {} ret;",
                  spread, words, instruction)));
  if (!program) return {};
  std::vector<AccessList> lists(workers);
  std::vector<std::unique_ptr<ListSink>> sinks;
  for (AccessList& list : lists) sinks.push_back(std::make_unique<ListSink>(list));
  const Result<Outcome> outcome = run(
      *program, builder.launch, [&](unsigned n) -> trace::Sink& { return *sinks[n]; }, {.threads = workers});
  return outcome ? values_of<uint32_t>(outcome->buffers[0]) : std::vector<uint32_t>{};
}

TEST(Atomic, reductions_of_blocks_at_the_same_time_lose_nothing) {
  constexpr uint32_t kThreads = 64 * 96;
  for (const unsigned workers : {1u, 3u}) {
    for (const auto& [spread, words] :
         {std::pair{1u, 1u}, {7u, 5u}, {1u, 64u}, {5u, 512u}, {513u, 1024u}, {1u, 1024u}}) {
      std::vector<uint32_t> sum(1024, 1000);
      std::vector<uint32_t> largest(1024, 1000);
      std::vector<uint32_t> bits(1024, 1000);
      std::vector<uint32_t> odd(1024, 1000);
      for (uint32_t thread = 0; thread < kThreads; ++thread) {
        const uint32_t word = thread * spread % words;
        sum[word] += thread + 1;
        largest[word] = std::max(largest[word], thread + 1);
        bits[word] ^= thread + 1;
        odd[word] += (thread + 1) % 2;
      }
      SCOPED_TRACE(fmt::format("{} workers, {} words", workers, words));
      EXPECT_EQ(reduce_in_blocks("red.global.add.u32 [%rd1], %r1;", spread, words, workers), sum);
      EXPECT_EQ(reduce_in_blocks("red.global.max.u32 [%rd1], %r1;", spread, words, workers), largest);
      EXPECT_EQ(reduce_in_blocks("red.xor.b32 [%rd1], %r1;", spread, words, workers), bits);
      EXPECT_EQ(reduce_in_blocks("and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; @%p1 red.global.add.u32 "
                                 "[%rd1], 1;",
                                 spread, words, workers),
                odd);
    }
  }
}

TEST(Atomic, reductions_before_one_that_goes_wrong_are_made) {
  // The last warp of each block goes past the end: what the warps before it added is there, of one block or
  // both.
  LaunchBuilder builder({2, 1, 1}, {96, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(64));
  const auto program = program_of(
      kernel_text(".param .u64 out",
                  "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, "
                  "%rd1, %rd2; red.global.add.u32 [%rd1], 5; ret;"));
  ASSERT_TRUE(program);
  std::array<AccessList, 2> lists;
  std::array<ListSink, 2> sinks{ListSink(lists[0]), ListSink(lists[1])};
  const Result<Outcome> outcome =
      run(*program, builder.launch, [&](unsigned n) -> trace::Sink& { return sinks[n]; }, {.threads = 2});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->stopped_in);
  const std::vector<uint32_t> sums = values_of<uint32_t>(outcome->buffers[0]);
  EXPECT_TRUE(sums == std::vector<uint32_t>(64, 5) || sums == std::vector<uint32_t>(64, 10)) << sums[0];
}

TEST(Atomic, a_sum_of_f32_in_global_memory_flushes_subnormals) {
  EXPECT_EQ(run_atomic("mov.f32 %f2, 0f00000001; red.global.add.f32 [%rd1], %f2;", 0).target[0], 0u);
}

TEST(Atomic, shared_memory_counts_within_the_block) {
  LaunchBuilder builder({4, 1, 1}, {96, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(4));
  KernelRun kernel;
  run_kernel(
      kernel,
      kernel_text(
          ".param .u64 out",
          ".shared .align 4 .u32 count; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r3, "
          "%ctaid.x;\n"
          "setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 5; @%p1 st.shared.u32 [count], %r2; bar.sync 0;\n"
          "atom.shared.add.u32 %r2, [count], 1; bar.sync 0; @!%p1 bra END; ld.shared.u32 %r4, [count];\n"
          "mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r4; END: ret;"),
      builder.launch);
  ASSERT_EQ(kernel.outcome.buffers.size(), 1u);
  EXPECT_EQ(values_of<uint32_t>(kernel.outcome.buffers[0]), std::vector<uint32_t>(4, 101));
}

TEST(Atomic, blocks_on_several_threads_lose_no_update) {
  const auto program = program_of(kernel_text(
      ".param .u64 out",
      "ld.param.u64 %rd1, [out]; atom.global.add.u32 %r1, [%rd1], 1; red.global.inc.u32 [%rd1+4], 1000;\n"
      "L: ld.global.u32 %r2, [%rd1+8]; add.u32 %r3, %r2, 1; atom.global.cas.b32 %r4, [%rd1+8], %r2, %r3;\n"
      "setp.ne.u32 %p1, %r4, %r2; @%p1 bra L; ret;"));
  ASSERT_TRUE(program) << describe(program.error());
  LaunchBuilder builder({64, 1, 1}, {64, 1, 1});
  builder.buffer("out", std::vector<uint32_t>(3));
  Pool pool(4);
  std::array<AccessList, 4> accesses;
  std::array sinks{ListSink(accesses[0]), ListSink(accesses[1]), ListSink(accesses[2]),
                   ListSink(accesses[3])};
  const auto outcome = run(*program, builder.launch,
                           [&](unsigned worker) -> trace::Sink& { return sinks[worker]; }, {.pool = &pool});
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_EQ(values_of<uint32_t>(outcome->buffers[0]), (std::vector<uint32_t>{4096, 4096 % 1001, 4096}));
}

TEST(Atomic, lanes_that_reduce_into_one_place_count_once_each) {
  struct Case {
    const char* operation;
    uint32_t expected;
  };
  // Lanes 0 to 19 of 40 blocks give their number and one: 1 to 20.
  for (const auto& [operation, expected] :
       {Case{"add.u32", 40 * 210}, Case{"max.u32", 20}, Case{"min.u32", 0}, Case{"or.b32", 31},
        Case{"add.s32", 40 * 210}, Case{"xor.b32", 0}}) {
    const std::string text =
        kernel_text(".param .u64 out",
                    fmt::format("ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 20; "
                                "add.u32 %r2, %r1, 1; @%p1 red.global.{} [%rd1], %r2; ret;",
                                operation));
    const ptx::Program program = program_of(text).value();
    for (const unsigned workers : {1u, 3u}) {
      LaunchBuilder builder({40, 1, 1}, {32, 1, 1});
      builder.buffer("out", std::vector<uint32_t>(1));
      std::vector<AccessList> lists(workers);
      std::vector<std::unique_ptr<ListSink>> sinks;
      for (AccessList& list : lists) sinks.push_back(std::make_unique<ListSink>(list));
      const auto outcome =
          run(program, builder.launch, [&](unsigned worker) -> trace::Sink& { return *sinks[worker]; },
              {.threads = workers});
      ASSERT_TRUE(outcome) << describe(outcome.error());
      EXPECT_EQ(values_of<uint32_t>(outcome->buffers.at(0))[0], expected) << operation << " " << workers;
    }
  }
}

}  // namespace
}  // namespace lanescope::emulator
