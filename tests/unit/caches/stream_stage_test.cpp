// Requests that are kept while a kernel runs.

#include "caches/stream_stage.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

struct LastSink final : trace::Sink {
  bool begin_block(CtaId) override { return false; }
  bool begin_batch(CtaId, trace::BatchOrder) override { return true; }
  void on_access(const trace::WarpAccess&) override { ++accesses; }
  int accesses = 0;
};

trace::WarpAccess load_of(uint32_t warp, uint64_t address, int64_t stride = 4) {
  return {.site = {0},
          .cta = {},
          .warp = {warp},
          .step = 0,
          .active = kAllLanes,
          .operation = {trace::Space::Global, trace::Kind::Load, 4},
          .addresses = {.base = trace::global_address(0, address), .stride = stride}};
}

const BlockOrder kOrder(4, 1, 8);

TEST(StreamStage, keeps_the_requests_of_each_warp_and_barriers_in_order) {
  StreamStage stage(kOrder, 2);
  LastSink last;
  stage.begin_run();
  trace::Sink& sink = stage.put_before(last);
  sink.begin_block({3});
  sink.on_access(load_of(1, 128));
  sink.on_barrier({});
  const std::array<uint32_t, 1> one{1};
  sink.on_barrier(one);
  sink.on_access(load_of(1, 256));
  const Streams streams = stage.take();
  ASSERT_EQ(streams.blocks.size(), 1u);
  EXPECT_EQ(streams.blocks[0].cta.value, 3u);
  const auto& warps = streams.blocks[0].warps;
  ASSERT_EQ(warps.size(), 2u);
  ASSERT_EQ(warps[0].size(), 1u);
  EXPECT_TRUE(warps[0][0].is_barrier());
  ASSERT_EQ(warps[1].size(), 4u);
  EXPECT_EQ(warps[1][0].base, trace::global_address(0, 128));
  EXPECT_EQ(warps[1][1].base, 0u);  // the first meeting
  EXPECT_EQ(warps[1][2].base, 1u);
  EXPECT_FALSE(warps[1][3].is_barrier());
  EXPECT_EQ(last.accesses, 2);
}

TEST(StreamStage, keeps_lists_and_long_strides_as_addresses) {
  StreamStage stage(kOrder, 1);
  LastSink last;
  stage.begin_run();
  trace::Sink& sink = stage.put_before(last);
  sink.begin_block({0});
  sink.on_access(load_of(0, 0, int64_t{1} << 33));
  const Streams streams = stage.take();
  const Request& request = streams.blocks.at(0).warps.at(0).at(0);
  EXPECT_TRUE(request.listed);
  EXPECT_EQ(addresses_of(streams.blocks[0], request).at(3, 3), trace::global_address(0, uint64_t{3} << 33));
}

TEST(StreamStage, tells_the_blocks_of_a_batch_apart) {
  StreamStage stage(kOrder, 2);
  LastSink last;
  stage.begin_run();
  trace::Sink& sink = stage.put_before(last);
  ASSERT_TRUE(sink.begin_batch({2}, {2}));
  const std::array<int64_t, 4> base{0, 1000, 2000, 3000};  // warp 0 of both blocks, then warp 1
  const std::array<int64_t, 4> stride{4, 4, 4, 4};
  const std::array<int64_t, 4> row{};
  const std::array<uint32_t, 4> step{};
  sink.on_group({.site = {0},
                 .cta = {2},
                 .active = kAllLanes,
                 .operation = {trace::Space::Global, trace::Kind::Load, 4},
                 .count = 4,
                 .address = trace::global_address(0, 0),
                 .base = base.data(),
                 .stride = stride.data(),
                 .row = row.data(),
                 .step = step.data(),
                 .pattern = {}});
  const Streams streams = stage.take();
  ASSERT_EQ(streams.blocks.size(), 2u);
  EXPECT_EQ(streams.blocks[1].cta.value, 3u);
  EXPECT_EQ(streams.blocks[1].warps[0].at(0).base, trace::global_address(0, 1000));
  EXPECT_EQ(streams.blocks[1].warps[1].at(0).base, trace::global_address(0, 3000));
}

TEST(StreamStage, keeps_a_suspended_block) {
  StreamStage stage(kOrder, 1);
  LastSink last;
  stage.begin_run();
  trace::Sink& sink = stage.put_before(last);
  sink.begin_block({0});
  sink.on_access(load_of(0, 0));
  sink.suspend_block();
  sink.begin_block({1});
  sink.on_access(load_of(0, 128));
  sink.resume_block({0});
  sink.on_access(load_of(0, 256));
  const Streams streams = stage.take();
  ASSERT_EQ(streams.blocks.size(), 2u);
  EXPECT_EQ(streams.blocks[0].warps[0].size(), 2u);
  EXPECT_EQ(streams.blocks[1].warps[0].size(), 1u);
}

TEST(StreamStage, keeps_fewer_multiprocessors_where_there_is_no_room_for_all) {
  constexpr uint64_t kBytes = 3000;
  StreamStage stage(kOrder, 1, kBytes);
  LastSink last;
  stage.begin_run();
  trace::Sink& sink = stage.put_before(last);
  for (uint32_t cta = 0; cta < 4; ++cta) {
    sink.begin_block({cta});
    for (int n = 0; n < 40; ++n) sink.on_access(load_of(0, 128));  // 24 bytes each, and the block's own
  }
  const Streams streams = stage.take();
  EXPECT_EQ(streams.multiprocessors, 2u);
  EXPECT_EQ(streams.blocks.size(), 2u);
  EXPECT_EQ(last.accesses, 160);
}

}  // namespace
}  // namespace lanescope::caches
