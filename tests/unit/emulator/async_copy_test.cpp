// cp.async and cp.async.bulk: when the bytes arrive, which, and what is recorded.

#include "check_run.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <gmock/gmock.h>

namespace lanescope::emulator {
namespace {

constexpr std::string_view kTile = ".shared .align 16 .b8 tile[1024];";

std::vector<uint32_t> counting(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 100u);
  return values;
}

/// One warp: %rd1 is where lane l's 4 bytes come from, %r2 where they go to, and what is left in %r3 comes
/// out.
std::vector<uint32_t> copied(std::string_view body, KernelRun& kernel) {
  LaunchBuilder builder;
  builder.buffer("in", counting(256)).buffer("out", std::vector<uint32_t>(32));
  run_kernel(
      kernel,
      kernel_text(
          ".param .u64 in, .param .u64 out",
          fmt::format("ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
                      "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n"
                      "mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 4, %r2; mov.u32 %r3, 0;\n{}\n"
                      "st.global.u32 [%rd2], %r3; ret;",
                      body),
          kTile),
      builder.launch, {.checks = Checks::None});
  if (kernel.outcome.buffers.size() != 2) return std::vector<uint32_t>(32);
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  return values_of<uint32_t>(kernel.outcome.buffers[1]);
}

std::vector<uint32_t> copied(std::string_view body) {
  KernelRun kernel;
  return copied(body, kernel);
}

TEST(AsyncCopy, what_is_not_waited_for_has_not_arrived) {
  const auto early =
      copied("cp.async.ca.shared.global [%r2], [%rd1], 4; ld.shared.u32 %r3, [%r2]; cp.async.wait_all;");
  EXPECT_EQ(early[7], 0u);
  const auto late =
      copied("cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all; ld.shared.u32 %r3, [%r2];");
  EXPECT_EQ(late[7], 107u);
}

TEST(AsyncCopy, the_latest_groups_may_be_left_under_way) {
  const std::string two_groups =
      "cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.commit_group;\n"
      "cp.async.ca.shared.global [%r2+128], [%rd1+128], 4; cp.async.commit_group;\n";
  const std::string sum = "ld.shared.u32 %r3, [%r2]; ld.shared.u32 %r4, [%r2+128]; add.u32 %r3, %r3, %r4;";
  EXPECT_EQ(copied(two_groups + "cp.async.wait_group 1;" + sum)[3], 103u);
  EXPECT_EQ(copied(two_groups + "cp.async.wait_group 0;" + sum)[3], 103u + 135u);
  EXPECT_EQ(copied(two_groups + "cp.async.wait_group 2;" + sum)[3], 0u);
}

TEST(AsyncCopy, what_is_not_read_is_zero) {
  const std::string before = "mov.u32 %r5, -1; st.shared.u32 [%r2], %r5; setp.lt.u32 %p1, %r1, 16;\n";
  const std::string after = "cp.async.wait_all; ld.shared.u32 %r3, [%r2];";
  const auto sized =
      copied(before + "selp.u32 %r6, 0, 4, %p1; cp.async.ca.shared.global [%r2], [%rd1], 4, %r6;" + after);
  EXPECT_EQ(sized[3], 0u);
  EXPECT_EQ(sized[20], 120u);
  const auto halved = copied(before + "cp.async.ca.shared.global [%r2], [%rd1], 4, 1;" + after);
  EXPECT_EQ(halved[3], 103u);
  const auto ignored = copied(
      "mul.lo.u32 %r7, %r1, 16; mov.u32 %r8, tile; add.u32 %r7, %r7, %r8; mul.wide.u32 %rd5, %r1, 12; "
      "add.u64 %rd6, "
      "%rd1, %rd5; setp.lt.u32 %p1, %r1, 16; cp.async.cg.shared.global [%r7], [%rd6], 16, %p1; "
      "cp.async.wait_all; "
      "ld.shared.u32 %r3, [%r7+4];");
  EXPECT_EQ(ignored[3], 0u);
  EXPECT_EQ(ignored[20], 100u + 4 * 20 + 1);
  const auto others_ignored = copied(before + "cp.async.ca.shared.global [%r2], [%rd1], 4, !%p1;" + after);
  EXPECT_EQ(others_ignored[3], 103u);
  EXPECT_EQ(others_ignored[20], 0u);
}

TEST(AsyncCopy, both_ends_are_recorded) {
  KernelRun kernel;
  copied("cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;", kernel);
  ASSERT_EQ(kernel.sink.list.size(), 3u);
  EXPECT_EQ(kernel.sink.list[0].operation,
            (trace::Operation{trace::Space::Global, trace::Kind::AsyncCopy, 4}));
  EXPECT_EQ(kernel.sink.list[0].addresses[2], trace::global_address(0, 8));
  EXPECT_EQ(kernel.sink.list[1].operation,
            (trace::Operation{trace::Space::Shared, trace::Kind::AsyncCopy, 4}));
  EXPECT_EQ(kernel.sink.list[1].addresses[2], 8u);
  EXPECT_EQ(kernel.sink.list[1].site, kernel.sink.list[0].site + 1);
}

TEST(AsyncCopy, a_bulk_copy_completes_on_its_mbarrier) {
  const auto out = copied(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;\n"
      "mbarrier.init.shared.b64 [tile+512], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [tile+512], 128;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [tile+512];\n"
      "WAIT: bar.sync 0; AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [tile+512], 0; @!%p2 bra AGAIN;\n"
      "ld.shared.u32 %r3, [%r2];");
  EXPECT_EQ(out[0], 100u);
  EXPECT_EQ(out[31], 131u);
}

TEST(AsyncCopy, a_bulk_copy_is_recorded_apart_from_loads_and_stores) {
  KernelRun kernel;
  copied(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;\n"
      "mbarrier.init.shared.b64 [tile+512], 1;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [tile+512], 128;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [tile+512];\n"
      "WAIT: bar.sync 0; AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [tile+512], 0; @!%p2 bra AGAIN;",
      kernel);
  ASSERT_GE(kernel.sink.list.size(), 2u);
  EXPECT_EQ(kernel.sink.list[0].operation,
            (trace::Operation{trace::Space::Global, trace::Kind::Load, 16, trace::Detail::Bulk}));
  EXPECT_EQ(kernel.sink.list[1].operation,
            (trace::Operation{trace::Space::Shared, trace::Kind::Store, 16, trace::Detail::Bulk}));
  EXPECT_EQ(std::popcount(kernel.sink.list[1].mask), 8) << "128 bytes, 16 for each";
}

TEST(AsyncCopy, a_bulk_reduction_updates_each_element) {
  // Lane l keeps l in the tile; the first lane adds 128 bytes of it to the 100, 101, ... of `in`.
  KernelRun kernel;
  copied(
      "st.shared.u32 [%r2], %r1; bar.sync 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; fence.proxy.async;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1+64], [tile], 128;\n"
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:",
      kernel);
  const auto in = values_of<uint32_t>(kernel.outcome.buffers[0]);
  EXPECT_EQ(in[15], 115u);
  EXPECT_EQ(in[16], 116u + 0);
  EXPECT_EQ(in[47], 147u + 31);
  EXPECT_EQ(in[48], 148u);
  const auto reduction = std::ranges::find(kernel.sink.list, trace::Kind::Reduction,
                                           [](const auto& access) { return access.operation.kind; });
  ASSERT_NE(reduction, kernel.sink.list.end());
  EXPECT_EQ(reduction->operation.bytes_per_lane, 16);
  EXPECT_EQ(std::popcount(reduction->mask), 8);
}

TEST(AsyncCopy, a_bulk_reduction_that_races_with_a_store_updates) {
  LaunchBuilder builder({1, 1, 1}, {64, 1, 1});
  builder.buffer("out", std::vector<int32_t>(16));
  const Checked checked = check_kernel(
      kernel_text(
          ".param .u64 out",
          "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 4, %r2;\n"
          "st.shared.u32 [%r2], %r1; bar.sync 0; setp.eq.u32 %p1, %r1, 32; @%p1 st.global.u32 [%rd1], 1;\n"
          "setp.ne.u32 %p1, %r1, 0; @%p1 ret;\n"
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%rd1], [tile], 64;\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;",
          kTile),
      builder.launch);
  ASSERT_EQ(checked.hazards.size(), 1u);
  EXPECT_THAT(checked.hazards[0].message, testing::HasSubstr("updates"));
}

TEST(AsyncCopy, bulk_reductions_of_blocks_are_no_race) {
  LaunchBuilder builder({8, 1, 1}, {32, 1, 1});
  builder.buffer("out", std::vector<int32_t>(16, -3));
  const Checked checked = check_kernel(
      kernel_text(
          ".param .u64 out",
          "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 4, %r2;\n"
          "mov.u32 %r3, %ctaid.x; st.shared.u32 [%r2], %r3; bar.sync 0; setp.ne.u32 %p1, %r1, 0; @%p1 ret;\n"
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%rd1], [tile], 64;\n"
          "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;",
          kTile),
      builder.launch);
  EXPECT_EQ(texts_of(checked.hazards), std::vector<std::string>{});
}

}  // namespace
}  // namespace lanescope::emulator
