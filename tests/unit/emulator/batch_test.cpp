// Blocks that run as one group: whatever they do, the trace, the counts and the memory are those of blocks
// that run one after the other.

#include "emulator/schedule/batch.h"

#include "emulator/decoder.h"
#include "kernel_run.h"
#include "support/engines.h"
#include "trace/recorder.h"

#include <bit>

namespace lanescope::emulator {
namespace {

/// Depends on all addresses, as far as a cost may (trace::Recorder).
trace::Cost cost_of(const trace::WarpAccess& access) {
  trace::Cost cost;
  const bool is_shared = access.operation.space == trace::Space::Shared;
  const uint64_t first = is_shared ? access.addresses.at(0, std::countr_zero(access.active.bits)) : 0;
  trace::for_each_address(access, [&](int, int lane, uint64_t address) {
    const uint64_t place = (address - first) / 4 % 32 * static_cast<uint64_t>(lane + 1);
    cost.sectors = static_cast<uint16_t>(cost.sectors + place);
  });
  return cost;
}

struct BatchRun {
  Outcome outcome;
  trace::Trace trace;
};

BatchRun run_with(const ptx::Program& program, const launch::Launch& launch, Options options,
                  trace::Keep keep = {}) {
  trace::Recorder recorder(trace_header(program, launch), cost_of, std::move(keep));
  Result<Outcome> outcome =
      run(program, launch, [&](unsigned worker) -> trace::Sink& { return recorder.sink(worker); }, options);
  EXPECT_TRUE(outcome) << describe(outcome.error());
  if (!outcome) return {};
  return {std::move(*outcome), recorder.finish()};
}

std::vector<uint64_t> addresses_of(const trace::WarpAccess& access) {
  std::vector<uint64_t> addresses;
  trace::for_each_address(access, [&](int, int, uint64_t address) { addresses.push_back(address); });
  return addresses;
}

void expect_equal_block(const trace::Trace& one, const trace::Trace& other, size_t index) {
  const trace::StoredBlock& block = one.blocks[index];
  EXPECT_EQ(block.cta, other.blocks[index].cta);
  ASSERT_EQ(block.accesses.size(), other.blocks[index].accesses.size());
  for (size_t n = 0; n < block.accesses.size(); ++n) {
    const trace::WarpAccess a = view(one, block, block.accesses[n]);
    const trace::WarpAccess b = view(other, other.blocks[index], other.blocks[index].accesses[n]);
    ASSERT_EQ(std::tie(a.site, a.warp, a.step, a.active), std::tie(b.site, b.warp, b.step, b.active))
        << "access " << n << " of block " << block.cta.value;
    ASSERT_EQ(addresses_of(a), addresses_of(b)) << "access " << n << " of block " << block.cta.value;
  }
}

std::vector<std::string> sentences_of(const std::vector<trace::Hazard>& hazards) {
  std::vector<std::string> texts;
  for (const trace::Hazard& hazard : hazards) texts.push_back(trace::sentence_of(hazard));
  return texts;
}

void expect_equal_blocks(const trace::Trace& one, const trace::Trace& other) {
  EXPECT_EQ(one.dropped, other.dropped);
  ASSERT_EQ(one.blocks.size(), other.blocks.size());
  for (size_t n = 0; n < one.blocks.size(); ++n) expect_equal_block(one, other, n);
}

struct Shape {
  Dim3 grid;
  Dim3 block;
};

/// Batches that are full, and a last one that is not. At least 12 blocks, as some kernels do something else
/// in one.
constexpr std::array kShapes{
    Shape{{4, 4, 1}, {32, 8, 1}},   Shape{{13, 1, 1}, {256, 1, 1}}, Shape{{7, 2, 1}, {16, 16, 1}},
    Shape{{3, 8, 1}, {20, 5, 1}},   Shape{{1, 6, 3}, {8, 8, 2}},    Shape{{70, 1, 1}, {32, 1, 1}},
    Shape{{40, 1, 1}, {33, 1, 1}},  Shape{{100, 1, 1}, {1, 1, 1}},  Shape{{2, 3, 2}, {512, 1, 1}},
    Shape{{20, 1, 1}, {100, 1, 1}},
};

/// %r1, %r2 thread, %r3, %r4, %r5 block, %r6 the thread's number in the block, %r7 in the grid, %rd1 its word
/// of out, %rd2 the buffer `in` of as many words as there are threads.
constexpr std::string_view kBegin = R"(
  ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ctaid.z; mov.u32 %r20, %tid.z;
  mov.u32 %r21, %ntid.x; mov.u32 %r22, %ntid.y; mov.u32 %r23, %ntid.z; mov.u32 %r24, %nctaid.x;
  mov.u32 %r25, %nctaid.y; mad.lo.u32 %r6, %r20, %r22, %r2; mad.lo.u32 %r6, %r6, %r21, %r1;
  mad.lo.u32 %r7, %r5, %r25, %r4; mad.lo.u32 %r7, %r7, %r24, %r3; mov.u32 %r26, %r7; mul.lo.u32 %r27, %r21, %r22;
  mul.lo.u32 %r27, %r27, %r23; mad.lo.u32 %r7, %r7, %r27, %r6; mul.wide.u32 %rd3, %r7, 4; add.u64 %rd1, %rd1, %rd3;
  mov.u32 %r8, 0;
)";
constexpr std::string_view kEnd = "\nEND: st.global.u32 [%rd1], %r8; ret;";

launch::Launch launch_of(const Shape& shape) {
  LaunchBuilder builder(shape.grid, shape.block);
  const uint64_t threads = volume(shape.grid) * volume(shape.block);
  std::vector<uint32_t> in(threads);
  for (uint32_t n = 0; n < threads; ++n) in[n] = n * 2654435761u;
  builder.buffer("out", std::vector<uint32_t>(threads, 0xdead)).buffer("in", in);
  return builder.launch;
}

ptx::Program program_with(std::string_view body) {
  const Result<ptx::Program> program =
      program_of(kernel_text(".param .u64 out, .param .u64 in", fmt::format("{}{}{}", kBegin, body, kEnd),
                             ".shared .align 4 .b8 tile[4096];"));
  EXPECT_TRUE(program) << describe(program.error());
  return program.value_or(ptx::Program{});
}

/// Runs it in grids of all shapes by all engines, and compares. The checks find something or not.
enum class Findings : uint8_t { None, Some, BetweenThreads };
void expect_batches_change_nothing(std::string_view body, Findings findings = Findings::None) {
  const ptx::Program program = program_with(body);
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(fmt::format("grid {} x {} x {}, block {} x {} x {}", shape.grid.x, shape.grid.y,
                             shape.grid.z, shape.block.x, shape.block.y, shape.block.z));
    const launch::Launch launch = launch_of(shape);
    tests::expect_engines_agree(program, launch, std::string(body));
    EXPECT_TRUE(run_with(program, launch, {.threads = 1}).outcome.in_order);
    const BatchRun batches = run_with(program, launch, {.threads = 1, .engine = Engine::Batches});
    EXPECT_FALSE(batches.outcome.in_order) << "there were no batches";
    const BatchRun two_workers = run_with(program, launch, {.threads = 2, .engine = Engine::Batches});
    EXPECT_EQ(two_workers.trace.totals, batches.trace.totals);
    expect_equal_blocks(two_workers.trace, batches.trace);
    const BatchRun checked =
        run_with(program, launch, {.threads = 1, .checks = Checks::All, .engine = Engine::Batches});
    EXPECT_EQ(
        !checked.outcome.hazards.empty(),
        findings == Findings::Some || (findings == Findings::BetweenThreads && volume(shape.block) > 1));
  }
}

TEST(Batch, values_of_the_block_differ_from_block_to_block) {
  expect_batches_change_nothing(
      "shl.b32 %r9, %r3, 3; xor.b32 %r9, %r9, %r4; rem.u32 %r10, %r26, 5; mad.lo.u32 %r8, %r9, %r10, %r5; "
      "add.u32 %r8, %r8, %r6; mul.lo.u32 %r11, %r26, %r26; add.u32 %r8, %r8, %r11; cvt.rn.f32.u32 %f1, %r26; "
      "cvt.rzi.u32.f32 %r12, %f1; add.u32 %r8, %r8, %r12;");
}

TEST(Batch, global_memory) {
  expect_batches_change_nothing(
      "mul.wide.u32 %rd4, %r26, 4; add.u64 %rd5, %rd2, %rd4; ld.global.u32 %r9, [%rd5]; add.u64 %rd6, %rd2, "
      "%rd3; "
      "ld.global.u32 %r10, [%rd6]; add.u32 %r8, %r9, %r10; rem.u32 %r11, %r10, %r27; mul.wide.u32 %rd7, "
      "%r11, 4; "
      "add.u64 %rd7, %rd2, %rd7; ld.global.u32 %r12, [%rd7]; add.u32 %r8, %r8, %r12; setp.lt.u32 %p1, %r1, "
      "5; "
      "@%p1 ld.global.u32 %r13, [%rd7]; @%p1 add.u32 %r8, %r8, %r13;");
}

TEST(Batch, each_block_has_its_own_shared_memory) {
  expect_batches_change_nothing(
      "mov.u32 %r9, tile; shl.b32 %r10, %r6, 2; add.u32 %r11, %r9, %r10; st.shared.u32 [%r11], %r7; bar.sync "
      "0; "
      "sub.u32 %r12, %r27, %r6; sub.u32 %r12, %r12, 1; shl.b32 %r12, %r12, 2; add.u32 %r12, %r9, %r12; "
      "ld.shared.u32 %r8, [%r12]; ld.shared.u32 %r13, [tile]; add.u32 %r8, %r8, %r13; "
      "mul.lo.u32 %r14, %r6, 7; rem.u32 %r14, %r14, %r27; shl.b32 %r14, %r14, 2; add.u32 %r14, %r9, %r14; "
      "ld.shared.u32 %r15, [%r14]; add.u32 %r8, %r8, %r15; bar.sync 0; "
      "rem.u32 %r16, %r6, 3; shl.b32 %r16, %r16, 2; add.u32 %r16, %r9, %r16; "
      "atom.shared.add.u32 %r17, [%r16], %r26; bar.sync 0; ld.shared.u32 %r18, [%r16]; add.u32 %r8, %r8, "
      "%r18; "
      "setp.lt.u32 %p1, %r1, 3; @%p1 bra L; st.shared.u32 [%r11], %r26; L: bar.sync 0; "
      "ld.shared.u32 %r19, [%r12]; add.u32 %r8, %r8, %r19; cvta.shared.u64 %rd4, %rd5; mov.u64 %rd5, tile; "
      "cvta.shared.u64 %rd6, %rd5; cvt.u64.u32 %rd7, %r10; add.u64 %rd6, %rd6, %rd7; ld.u32 %r19, [%rd6]; "
      "add.u32 %r8, %r8, %r19;");
}

TEST(Batch, atomics_in_shared_memory_and_reductions_in_global_memory) {
  expect_batches_change_nothing(
      "mov.u32 %r9, tile; rem.u32 %r10, %r6, 3; shl.b32 %r10, %r10, 2; add.u32 %r11, %r9, %r10; "
      "atom.shared.add.u32 %r12, [%r11], %r7; add.u32 %r8, %r8, %r12; bar.sync 0; "
      "ld.volatile.shared.u32 %r13, [%r11]; add.u32 %r8, %r8, %r13; cvt.u64.u32 %rd4, %r10; add.u64 %rd4, "
      "%rd2, %rd4; "
      "red.global.add.u32 [%rd4], %r7; setp.lt.u32 %p1, %r1, 2; @%p1 red.global.add.u32 [%rd2+12], %r26;",
      Findings::Some);  // nothing was stored before the atomics
}

TEST(Batch, the_checks_find_a_race_within_a_block) {
  expect_batches_change_nothing(
      "mov.u32 %r9, tile; shl.b32 %r10, %r6, 2; add.u32 %r11, %r9, %r10; bar.sync 0; "
      "setp.ne.u32 %p1, %r26, 9; @%p1 bra L; mov.u32 %r11, tile; L: st.shared.u32 [%r11], %r7; "
      "bar.sync 0; ld.shared.u32 %r8, [%r11]; bar.sync 0; st.shared.u32 [tile], %r8;",
      Findings::BetweenThreads);
}

TEST(Batch, the_checks_find_an_uninitialized_read_in_one_block) {
  expect_batches_change_nothing(
      "mov.u32 %r9, tile; shl.b32 %r10, %r6, 2; add.u32 %r11, %r9, %r10; st.shared.u32 [%r11], %r7; bar.sync "
      "0; "
      "setp.ne.u32 %p1, %r26, 11; @%p1 bra L; add.u32 %r11, %r11, 4; L: ld.shared.u32 %r8, [%r11];",
      Findings::Some);
}

TEST(Batch, the_checks_find_a_race_between_blocks) {
  const ptx::Program program = program_with(
      "rem.u32 %r9, %r26, 7; mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd2, %rd4; "
      "st.global.u32 [%rd4], %r26;");
  const launch::Launch launch = launch_of({{64, 1, 1}, {32, 1, 1}});
  for (const bool batches : {false, true}) {
    const BatchRun run =
        run_with(program, launch,
                 {.threads = 1, .checks = Checks::All, .engine = batches ? Engine::Batches : Engine::Groups});
    EXPECT_NE(run.outcome.suspects, nullptr) << batches;
  }
  std::vector<std::vector<std::string>> found;
  for (const unsigned threads : {1u, 2u}) {
    const auto recording = record(program, launch, cost_of, {}, {.threads = threads, .checks = Checks::All});
    ASSERT_TRUE(recording) << describe(recording.error());
    found.push_back(sentences_of(recording->trace.hazards));
    EXPECT_FALSE(found.back().empty());
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(Batch, lanes_of_a_warp_exchange_values) {
  expect_batches_change_nothing(
      "shfl.sync.bfly.b32 %r9|%p1, %r7, 1, 31, 0xffffffff; add.u32 %r8, %r8, %r9; setp.eq.u32 %p2, %r3, 1; "
      "vote.sync.ballot.b32 %r10, %p2, 0xffffffff; add.u32 %r8, %r8, %r10; mov.u32 %r11, %laneid; "
      "mov.u32 %r12, %warpid; mad.lo.u32 %r8, %r11, 3, %r8; mad.lo.u32 %r8, %r12, 100, %r8; mov.u32 %r13, "
      "%nwarpid; "
      "add.u32 %r8, %r8, %r13;");
}

TEST(Batch, blocks_take_a_short_way_apart) {
  expect_batches_change_nothing(
      "setp.eq.u32 %p1, %r3, 2; @%p1 bra L; add.u32 %r8, %r8, %r6; bra M; L: add.u32 %r8, %r8, 1000; "
      "M: setp.gt.u32 %p2, %r26, 3; @%p2 add.u32 %r8, %r8, %r26;");
}

TEST(Batch, blocks_part_and_continue_alone) {
  expect_batches_change_nothing(
      "mov.u32 %r9, tile; shl.b32 %r10, %r6, 2; add.u32 %r11, %r9, %r10; st.shared.u32 [%r11], %r7; bar.sync "
      "0; "
      "rem.u32 %r12, %r26, 5; mov.u32 %r13, 0; mul.lo.u32 %r16, %r26, 3; setp.eq.u32 %p3, %r26, 7; "
      "A: setp.ge.u32 %p1, %r13, %r12; @%p1 bra B; add.u32 %r8, %r8, %r16; add.u32 %r13, %r13, 1; bra A; "
      "B: bar.sync 0; sub.u32 %r14, %r27, %r6; sub.u32 %r14, %r14, 1; shl.b32 %r14, %r14, 2; "
      "add.u32 %r14, %r9, %r14; ld.shared.u32 %r15, [%r14]; add.u32 %r8, %r8, %r15; "
      "@%p3 add.u32 %r8, %r8, 5; add.u32 %r8, %r8, %r3;");
}

TEST(Batch, blocks_part_rarely) {
  expect_batches_change_nothing(
      "setp.ne.u32 %p1, %r26, 9; @%p1 bra M; mov.u32 %r9, 0; "
      "L: add.u32 %r8, %r8, %r9; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, %r6; @%p2 bra L; M: bar.sync 0;");
}

TEST(Batch, whole_blocks_exit_early) {
  expect_batches_change_nothing(
      "rem.u32 %r9, %r26, 3; setp.eq.u32 %p1, %r9, 1; @%p1 exit; bar.sync 0; add.u32 %r8, %r8, %r26; "
      "setp.gt.u32 %p2, %r1, 9; @%p2 exit; bar.sync 0; add.u32 %r8, %r8, 1; setp.eq.u32 %p3, %r26, 5; "
      "@%p3 bra M; N: add.u32 %r8, %r8, 7; setp.lt.u32 %p3, %r8, %r26; @%p3 bra N; M: add.u32 %r8, %r8, 2;");
}

TEST(Batch, chosen_blocks_are_stored) {
  const ptx::Program program = program_with("add.u32 %r8, %r8, %r26;");
  const launch::Launch launch = launch_of({{64, 4, 1}, {64, 1, 1}});
  trace::Keep listed{
      .blocks = trace::Keep::Blocks::Listed, .listed = {{3}, {100}, {101}, {255}}, .values_of = {}};
  trace::Keep looked_at{
      .blocks = trace::Keep::Blocks::Listed, .listed = {{77}, {79}}, .values_of = CtaId{77}};
  trace::Keep few{.listed = {}, .values_of = CtaId{77}, .budget_bytes = 2000};
  for (const trace::Keep& keep : {listed, looked_at, few}) {
    const BatchRun alone = run_with(program, launch, {.threads = 1}, keep);
    EXPECT_FALSE(alone.trace.blocks.empty());
    const BatchRun batches = run_with(program, launch, {.threads = 1, .engine = Engine::Batches}, keep);
    expect_equal_blocks(alone.trace, batches.trace);
  }
}

TEST(Batch, the_hazard_is_that_of_the_lowest_block) {
  const ptx::Program program = program_with(
      "setp.eq.u32 %p1, %r26, 41; @%p1 add.u64 %rd1, %rd1, 100000000; setp.gt.u32 %p2, %r26, 42; "
      "@%p2 add.u64 %rd2, %rd2, 100000000; ld.global.u32 %r8, [%rd2];");
  const launch::Launch launch = launch_of({{64, 4, 1}, {64, 1, 1}});
  const auto recording = record(program, launch, cost_of, {}, {.threads = 1});
  ASSERT_TRUE(recording) << describe(recording.error());
  ASSERT_EQ(recording->trace.hazards.size(), 1u);
  EXPECT_EQ(recording->trace.hazards[0].block, (Dim3{41, 0, 0}));
  EXPECT_EQ(recording->trace.hazards[0].thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(recording->trace.blocks.size(), 42u);
}

TEST(Batch, a_batch_that_does_not_end_is_stopped_at_the_limit) {
  const ptx::Program program = program_with("L: add.u32 %r8, %r8, 1; bra L;");
  const auto recording = record(program, launch_of({{64, 1, 1}, {64, 1, 1}}), cost_of, {},
                                {.threads = 2, .limit_steps = 50'000'000});
  ASSERT_FALSE(recording);
  EXPECT_NE(recording.error().message.find("executed more than 50000000 warp instructions"),
            std::string::npos)
      << recording.error().message;
}

TEST(Batch, blocks_that_end_after_one_of_their_batch_was_stopped_have_no_place_where_they_were) {
  // Block 0 has no end; the others of its batch run by themselves after it, and end.
  const ptx::Program program =
      program_with("setp.ne.u32 %p1, %r26, 0; @%p1 bra E; L: add.u32 %r8, %r8, 1; bra L; E:");
  const auto recording = record(program, launch_of({{64, 1, 1}, {32, 1, 1}}), cost_of, {},
                                {.threads = 1, .limit_steps = 1'000'000});
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error().kind, ErrorKind::Limit);
  EXPECT_NE(recording.error().message.find("all warps at PTX line"), std::string::npos)
      << recording.error().message;
}

uint32_t size_for(std::string_view body, const Shape& shape, Options options) {
  const ptx::Program program = program_with(body);
  const Result<Code> code = decode(program, shape.grid, shape.block, 0, {});
  EXPECT_TRUE(code);
  options.engine = Engine::Batches;
  return batch_size(*code, 1, options);
}

TEST(Batch, has_as_many_blocks_as_a_group_has_room_for) {
  EXPECT_EQ(size_for("", {{64, 64, 1}, {32, 8, 1}}, {}), 4u);
  EXPECT_EQ(size_for("", {{64, 64, 1}, {33, 1, 1}}, {}), 16u);
  EXPECT_EQ(size_for("", {{64, 64, 1}, {1024, 1, 1}}, {}), 1u);
  EXPECT_EQ(size_for("", {{3, 64, 1}, {32, 1, 1}}, {}), 30u) << "whole rows";
  EXPECT_EQ(size_for("", {{8, 1, 1}, {32, 1, 1}}, {}), 2u) << "few blocks";
}

TEST(Batch, is_not_where_blocks_could_tell) {
  const Shape shape{{64, 64, 1}, {32, 1, 1}};
  EXPECT_EQ(size_for("", shape, {}), 32u);
  EXPECT_EQ(size_for("red.global.max.u32 [%rd2], %r7;", shape, {}), 32u);
  EXPECT_EQ(size_for("atom.shared.add.u32 %r8, [tile], 1;", shape, {}), 32u);
  EXPECT_EQ(size_for("", shape, {.checks = Checks::All}), 32u);
  EXPECT_EQ(size_for("atom.global.add.u32 %r8, [%rd2], 1;", shape, {}), 1u);
  EXPECT_EQ(size_for("red.global.add.f32 [%rd2], %f1;", shape, {}), 1u);
  EXPECT_EQ(size_for("red.global.inc.u32 [%rd2], %r7;", shape, {}), 1u);
  EXPECT_EQ(size_for("ld.volatile.global.u32 %r8, [%rd2];", shape, {}), 1u);
  EXPECT_EQ(size_for("mov.u32 %r8, %clock;", shape, {}), 1u);
  EXPECT_EQ(size_for("membar.gl;", shape, {}), 1u);
  EXPECT_EQ(size_for(".local .b8 mine[64]; mov.u64 %rd9, mine;", shape, {}), 1u);
}

}  // namespace
}  // namespace lanescope::emulator
