// Recorder: exact totals for any number of workers, and which blocks are stored.

#include "trace/recorder.h"

#include "trace/traffic.h"

#include <array>
#include <cstring>

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

/// As many sectors as lanes, and the phase of the base as lines: enough to see which costs were added.
Cost stub_cost(const WarpAccess& access) {
  return {.sectors = static_cast<uint16_t>(access.active.count()),
          .ideal_sectors = 1,
          .lines = static_cast<uint16_t>(access.addresses.affine() ? access.addresses.base % 128 : 7),
          .wavefronts = 3,
          .ideal_wavefronts = 2};
}

Trace header() {
  Trace trace;
  trace.kernel = "kernel";
  trace.sites = {Site{.id = {0},
                      .operation = {Space::Global, Kind::Load, 4},
                      .source = {},
                      .source_text = {},
                      .ptx_line = 1,
                      .ptx_text = {}},
                 Site{.id = {1},
                      .operation = {Space::Shared, Kind::Store, 8},
                      .source = {},
                      .source_text = {},
                      .ptx_line = 2,
                      .ptx_text = {}}};
  return trace;
}

WarpAccess affine(uint32_t site, uint32_t cta, uint32_t warp, uint32_t step, uint64_t base,
                  int64_t stride = 4) {
  return {.site = {site},
          .cta = {cta},
          .warp = {warp},
          .step = step,
          .active = kAllLanes,
          .operation = header().sites[site].operation,
          .addresses = {.base = base, .stride = stride}};
}

void run_block(Sink& sink, uint32_t cta, int accesses) {
  sink.begin_block({cta});
  for (int n = 0; n < accesses; ++n)
    sink.on_access(affine(0, cta, 0, static_cast<uint32_t>(n), global_address(0, 128u * n)));
}

/// Four warps, 128 bytes apart or as `bases` says, in rows of 16 lanes.
TEST(Recorder, accesses_of_several_warps_count_and_are_stored_like_those_of_each) {
  constexpr uint64_t kAddress = 128;
  const std::array<std::array<int64_t, 4>, 2> all_bases{{{0, 128, 256, 384}, {0, 132, 260, 384}}};
  const std::array<int64_t, 4> strides{4, 4, 4, 4};
  const std::array<int64_t, 4> rows{1024, 1024, 1024, 1024};
  const std::array<uint32_t, 4> steps{7, 7, 8, 7};
  for (const auto& bases : all_bases) {
    for (const uint32_t row_lanes : {16u, 32u}) {
      const GroupAccess group{.site = {0},
                              .cta = {0},
                              .active = kAllLanes,
                              .operation = affine(0, 0, 0, 0, 0).operation,
                              .count = 4,
                              .address = kAddress,
                              .base = bases.data(),
                              .stride = strides.data(),
                              .row = rows.data(),
                              .step = steps.data(),
                              .row_lanes = row_lanes,
                              .base_bits = static_cast<uint64_t>(bases[1] | bases[2] | bases[3]),
                              .same_strides = true,
                              .pattern = {}};
      Recorder together(header(), stub_cost, {});
      together.sink(0).begin_block({0});
      together.sink(0).on_group(group);
      const Trace a = together.finish();
      Recorder alone(header(), stub_cost, {});
      alone.sink(0).begin_block({0});
      for (uint32_t n = 0; n < group.count; ++n) alone.sink(0).on_access(group.at(n));
      const Trace b = alone.finish();
      EXPECT_EQ(a.totals, b.totals);
      EXPECT_EQ(a.totals[0].requests, 4u);
      ASSERT_EQ(a.blocks.size(), 1u);
      ASSERT_EQ(a.blocks[0].accesses.size(), 4u);
      for (size_t n = 0; n < 4; ++n) {
        const WarpAccess stored = view(a, a.blocks[0], a.blocks[0].accesses[n]);
        EXPECT_EQ(stored.warp.value, n);
        EXPECT_EQ(stored.step, steps[n]);
        for_each_address(stored, [&](int, int lane, uint64_t address) {
          const auto l = static_cast<uint64_t>(lane);
          EXPECT_EQ(address, kAddress + static_cast<uint64_t>(bases[n]) +
                                 (row_lanes == 32 ? 4 * l : l % 16 * 4 + l / 16 * 1024));
        });
      }
    }
  }
}

/// The pattern of a group is counted once and then remembered: with its phase, how many warps and which
/// lanes there are, and which of two patterns it has.
TEST(Recorder, groups_with_a_known_pattern_count_like_their_warps) {
  const std::array<int64_t, 4> near{0, 128, 256, 384};
  const std::array<int64_t, 4> far{0, 1028, 2052, 3076};
  const std::array<int64_t, 4> strides{4, 4, 4, 4};
  const std::array<int64_t, 4> rows{64, 64, 64, 64};
  const std::array<uint32_t, 4> steps{};
  const int maker = 0;
  Keep nothing;
  nothing.blocks = Keep::Blocks::None;
  Recorder together(header(), stub_cost, nothing);
  Recorder alone(header(), stub_cost, nothing);
  together.sink(0).begin_block({0});
  alone.sink(0).begin_block({0});
  uint32_t turn = 0;
  for (const uint64_t address : {128u, 256u, 132u, 128u, 192u, 160u, 128u, 132u})
    for (const uint32_t count : {4u, 2u, 4u}) {
      const bool is_near = ++turn % 3 != 0;
      const GroupAccess group{.site = {0},
                              .cta = {0},
                              .active = {turn % 5 == 0 ? 0xffu : kAllLanes.bits},
                              .operation = affine(0, 0, 0, 0, 0).operation,
                              .count = count,
                              .address = address,
                              .base = (is_near ? near : far).data(),
                              .stride = strides.data(),
                              .row = rows.data(),
                              .step = steps.data(),
                              .row_lanes = kLanes,
                              .base_bits = is_near ? 384u : 4095u,
                              .same_strides = true,
                              .pattern = {&maker, is_near ? 1u : 2u}};
      together.sink(0).on_group(group);
      for (uint32_t n = 0; n < count; ++n) alone.sink(0).on_access(group.at(n));
    }
  const Trace a = together.finish();
  EXPECT_EQ(a.totals, alone.finish().totals);
  EXPECT_EQ(a.totals[0].requests, 8u * (4 + 2 + 4));
}

/// The same where each warp has its own lanes, or none.
TEST(Recorder, groups_with_lanes_of_each_warp_count_and_are_stored_like_their_warps) {
  const std::array<int64_t, 4> bases{0, 128, 260, 384};
  const std::array<int64_t, 4> strides{4, 4, 4, 4};
  const std::array<int64_t, 4> rows{128, 128, 128, 128};
  const std::array<uint32_t, 4> steps{3, 1, 4, 1};
  const std::array<std::array<uint32_t, 4>, 4> all_masks{{{0xfffffffe, kAllLanes.bits, 0, 0x7fffffff},
                                                          {0xfffffffe, kAllLanes.bits, 0, 0x7fffffff},
                                                          {0xfffffffe, 0xffff, 0, 0x7fffffff},
                                                          {0, 0, 0, 1}}};
  const int maker = 0;
  Recorder together(header(), stub_cost, {});
  Recorder alone(header(), stub_cost, {});
  together.sink(0).begin_block({0});
  alone.sink(0).begin_block({0});
  for (const uint64_t address : {128u, 256u, 132u, 128u})
    for (const auto& masks : all_masks) {
      const GroupAccess group{.site = {0},
                              .cta = {0},
                              .active = kAllLanes,
                              .operation = affine(0, 0, 0, 0, 0).operation,
                              .count = 4,
                              .address = address,
                              .base = bases.data(),
                              .stride = strides.data(),
                              .row = rows.data(),
                              .step = steps.data(),
                              .row_lanes = kLanes,
                              .base_bits = 128 | 260 | 384,
                              .same_strides = true,
                              .pattern = {&maker, 1},
                              .masks = masks.data()};
      together.sink(0).on_group(group);
      for (uint32_t n = 0; n < group.count; ++n)
        if (masks[n] != 0) alone.sink(0).on_access(group.at(n));
    }
  const Trace a = together.finish();
  const Trace b = alone.finish();
  EXPECT_EQ(a.totals, b.totals);
  EXPECT_EQ(a.totals[0].requests, 4u * (3 + 3 + 3 + 1));
  ASSERT_EQ(a.blocks.size(), 1u);
  ASSERT_EQ(a.blocks[0].accesses.size(), b.blocks[0].accesses.size());
  for (size_t n = 0; n < a.blocks[0].accesses.size(); ++n) {
    EXPECT_EQ(a.blocks[0].accesses[n].warp, b.blocks[0].accesses[n].warp) << n;
    EXPECT_EQ(a.blocks[0].accesses[n].active, b.blocks[0].accesses[n].active) << n;
    EXPECT_EQ(a.blocks[0].accesses[n].base, b.blocks[0].accesses[n].base) << n;
  }
}

/// A batch of three blocks, whose warps have the numbers of BatchOrder.
TEST(Recorder, accesses_of_a_batch_are_stored_in_their_blocks) {
  Keep keep;
  keep.blocks = Keep::Blocks::Listed;
  keep.listed = {{5}, {7}};
  Recorder recorder(header(), stub_cost, keep);
  ASSERT_TRUE(recorder.sink(0).begin_batch({4}, BatchOrder{3}));
  for (uint32_t warp = 0; warp < 6; ++warp) recorder.sink(0).on_access(affine(0, 4, warp, 0, 128 * warp));
  recorder.sink(0).suspend_block();
  recorder.sink(0).resume_block({5});
  recorder.sink(0).on_access(affine(0, 5, 0, 1, 4096));
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.totals[0].requests, 7u);
  ASSERT_EQ(trace.blocks.size(), 1u);
  EXPECT_EQ(trace.blocks[0].cta.value, 5u);
  std::vector<std::pair<uint32_t, uint64_t>> found;
  for (const StoredAccess& access : trace.blocks[0].accesses)
    found.emplace_back(access.warp.value, access.base);
  EXPECT_EQ(found, (std::vector<std::pair<uint32_t, uint64_t>>{{0, 128}, {0, 4096}, {1, 512}}));
}

TEST(Recorder, a_batch_with_the_block_whose_values_are_wanted_is_refused) {
  Keep keep;
  keep.values_of = CtaId{6};
  Recorder recorder(header(), stub_cost, keep);
  EXPECT_FALSE(recorder.sink(0).begin_batch({4}, BatchOrder{3}));
  EXPECT_TRUE(recorder.sink(0).begin_batch({8}, BatchOrder{3}));
  EXPECT_TRUE(recorder.sink(0).begin_batch({3}, BatchOrder{3}));
}

TEST(Recorder, totals_add_lanes_bytes_and_cost_of_every_access) {
  Recorder recorder(header(), stub_cost, {});
  Sink& sink = recorder.sink(0);
  sink.begin_block({0});
  sink.on_access(affine(0, 0, 0, 0, 128));
  sink.on_access(affine(0, 0, 0, 1, 256));
  sink.on_access(affine(0, 0, 0, 2, 256 + 5));
  WarpAccess half = affine(0, 0, 0, 3, 128);
  half.active = {0xffff};
  sink.on_access(half);
  sink.on_access(affine(1, 0, 0, 4, 0));
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.totals[0], (Totals{.requests = 4,
                                     .lanes = 3 * 32 + 16,
                                     .bytes = 4 * (3 * 32 + 16),
                                     .sectors = 3 * 32 + 16,
                                     .ideal_sectors = 4,
                                     .lines = 5,
                                     .wavefronts = 12,
                                     .ideal_wavefronts = 8}));
  EXPECT_EQ(trace.totals[1].bytes, 32u * 8);
  EXPECT_EQ(total_of(trace, Space::Shared, Traffic::Store), trace.totals[1]);
  EXPECT_EQ(total_of(trace, Space::Global, Traffic::Store), Totals{});
}

TEST(Recorder, listed_addresses_are_counted_and_stored) {
  Recorder recorder(header(), stub_cost, {});
  Sink& sink = recorder.sink(0);
  sink.begin_block({0});
  std::array<uint64_t, 3> list{global_address(1, 8), global_address(1, 100), global_address(1, 4)};
  WarpAccess access = affine(0, 0, 2, 0, 0);
  access.active = {0b1000'0000'0000'0000'0000'0000'0001'0001u};
  access.addresses = {.list = list.data()};
  sink.on_access(access);
  list = {};  // what an access borrows is valid during the call only
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.totals[0].sectors, 3u);
  EXPECT_EQ(trace.totals[0].lines, 7u);
  ASSERT_EQ(trace.blocks.size(), 1u);
  const WarpAccess kept = view(trace, trace.blocks[0], trace.blocks[0].accesses[0]);
  std::vector<std::pair<int, uint64_t>> seen;
  for_each_address(kept, [&](int, int lane, uint64_t address) { seen.emplace_back(lane, address); });
  EXPECT_EQ(seen, (std::vector<std::pair<int, uint64_t>>{
                      {0, global_address(1, 8)}, {4, global_address(1, 100)}, {31, global_address(1, 4)}}));
}

TEST(Recorder, accesses_without_addresses_are_counted_and_not_stored) {
  Trace with_texture = header();
  with_texture.sites[1].operation = {Space::Texture, Kind::Load, 16};
  Recorder recorder(with_texture, stub_cost, {});
  Sink& sink = recorder.sink(0);
  sink.begin_block({0});
  WarpAccess read = affine(1, 0, 0, 0, 0, 0);
  read.operation = with_texture.sites[1].operation;
  read.active = {0xff};
  sink.on_access(read);
  sink.on_access(affine(0, 0, 0, 0, 128));
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.totals[1].requests, 1u);
  EXPECT_EQ(trace.totals[1].lanes, 8u);
  ASSERT_EQ(trace.blocks.size(), 1u);
  ASSERT_EQ(trace.blocks[0].accesses.size(), 1u);
  EXPECT_EQ(trace.blocks[0].accesses[0].site, SiteId{0});
  EXPECT_EQ(trace.dropped, 0u);
}

TEST(Recorder, a_stride_beyond_32_bits_is_kept_exactly) {
  Recorder recorder(header(), stub_cost, {});
  Sink& sink = recorder.sink(0);
  sink.begin_block({0});
  sink.on_access(affine(0, 0, 0, 0, global_address(0, 0), int64_t{1} << 33));
  const Trace trace = recorder.finish();
  const WarpAccess kept = view(trace, trace.blocks[0], trace.blocks[0].accesses[0]);
  EXPECT_EQ(kept.addresses.at(31, 31), global_address(0, uint64_t{31} << 33));
}

TEST(Recorder, accesses_of_a_block_are_sorted_by_warp_and_step) {
  Recorder recorder(header(), stub_cost, {});
  Sink& sink = recorder.sink(0);
  sink.begin_block({5});
  for (uint32_t step = 0; step < 3; ++step)
    for (uint32_t warp : {2u, 0u}) sink.on_access(affine(0, 5, warp, step, 128 * step));
  const Trace trace = recorder.finish();
  const StoredBlock* block = find_block(trace, {5});
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(find_block(trace, {4}), nullptr);
  EXPECT_EQ(accesses_of(*block, {0}).size(), 3u);
  EXPECT_EQ(accesses_of(*block, {1}).size(), 0u);
  ASSERT_EQ(accesses_of(*block, {2}).size(), 3u);
  EXPECT_EQ(accesses_of(*block, {2})[1].step, 1u);
  EXPECT_EQ(accesses_of(*block, {2})[1].base, 128u);
}

TEST(Recorder, values_are_stored_only_for_the_selected_block) {
  Keep keep;
  keep.values_of = CtaId{1};
  Recorder recorder(header(), stub_cost, keep);
  Sink& sink = recorder.sink(0);
  EXPECT_FALSE(sink.begin_block({0}));
  EXPECT_TRUE(sink.begin_block({1}));
  std::array<uint32_t, 2> values{17, 42};
  WarpAccess access = affine(0, 1, 0, 0, 0);
  access.active = {0b101};
  access.values = reinterpret_cast<const std::byte*>(values.data());
  sink.on_access(access);
  const Trace trace = recorder.finish();
  const WarpAccess kept = view(trace, trace.blocks[1], trace.blocks[1].accesses[0]);
  ASSERT_NE(kept.values, nullptr);
  EXPECT_EQ(std::memcmp(kept.values, values.data(), sizeof values), 0);
}

TEST(Recorder, the_selected_block_is_stored_before_all_others) {
  Keep keep;
  keep.budget_bytes =
      10 * (sizeof(StoredBlock) + 4 * sizeof(StoredAccess)) + 1;  // ten blocks of four accesses
  keep.values_of = CtaId{50};
  for (unsigned workers : {1u, 3u}) {
    Recorder recorder(header(), stub_cost, keep);
    for (unsigned worker = 0; worker < workers; ++worker) recorder.sink(worker);
    for (uint32_t cta = 0; cta < 64; ++cta) run_block(recorder.sink(cta * 7 % workers), cta, 4);
    const Trace trace = recorder.finish();
    ASSERT_EQ(trace.blocks.size(), 10u);
    EXPECT_EQ(trace.blocks[8].cta, CtaId{8});
    EXPECT_EQ(trace.blocks[9].cta, CtaId{50});
    EXPECT_EQ(trace.dropped, 54u * 4);
  }
}

TEST(Recorder, totals_and_stored_blocks_do_not_depend_on_the_number_of_workers) {
  const auto record = [](unsigned workers) {
    Keep keep;
    keep.budget_bytes =
        10 * (sizeof(StoredBlock) + 4 * sizeof(StoredAccess)) + 1;  // ten blocks of four accesses
    Recorder recorder(header(), stub_cost, keep);
    for (unsigned worker = 0; worker < workers; ++worker) recorder.sink(worker);
    for (uint32_t cta = 0; cta < 64; ++cta) run_block(recorder.sink(cta * 7 % workers), cta, 4);
    return recorder.finish();
  };
  const Trace one = record(1);
  EXPECT_EQ(one.blocks.size(), 10u);
  EXPECT_EQ(one.dropped, 54u * 4);
  EXPECT_EQ(one.totals[0].requests, 64u * 4);
  for (unsigned workers : {2u, 5u}) {
    const Trace many = record(workers);
    EXPECT_EQ(many.totals, one.totals);
    EXPECT_EQ(many.dropped, one.dropped);
    ASSERT_EQ(many.blocks.size(), one.blocks.size());
    for (size_t n = 0; n < one.blocks.size(); ++n) EXPECT_EQ(many.blocks[n].cta, one.blocks[n].cta);
  }
}

TEST(Recorder, accesses_of_a_suspended_block_stay_separate) {
  Recorder recorder(header(), stub_cost, {});
  Sink& sink = recorder.sink(0);
  run_block(sink, 0, 2);
  sink.suspend_block();
  run_block(sink, 1, 3);
  sink.suspend_block();
  run_block(sink, 2, 1);
  sink.resume_block({0});
  sink.on_access(affine(0, 0, 0, 2, global_address(0, 512)));
  sink.resume_block({1});
  sink.on_access(affine(0, 1, 0, 3, global_address(0, 512)));
  const Trace trace = recorder.finish();
  ASSERT_EQ(trace.blocks.size(), 3u);
  EXPECT_EQ(trace.blocks[0].accesses.size(), 3u);
  EXPECT_EQ(trace.blocks[1].accesses.size(), 4u);
  EXPECT_EQ(trace.blocks[2].accesses.size(), 1u);
  EXPECT_EQ(trace.totals[0].requests, 8u);
}

TEST(Recorder, only_listed_blocks_are_stored_and_the_others_do_not_count_as_dropped) {
  Keep keep;
  keep.blocks = Keep::Blocks::Listed;
  keep.listed = {{9}, {3}};
  Recorder recorder(header(), stub_cost, keep);
  for (uint32_t cta = 0; cta < 12; ++cta) run_block(recorder.sink(0), cta, 2);
  const Trace trace = recorder.finish();
  ASSERT_EQ(trace.blocks.size(), 2u);
  EXPECT_EQ(trace.blocks[0].cta.value, 3u);
  EXPECT_EQ(trace.blocks[1].cta.value, 9u);
  EXPECT_EQ(trace.dropped, 0u);
  EXPECT_EQ(trace.totals[0].requests, 24u);
}

TEST(Recorder, a_block_beyond_the_whole_budget_is_counted_as_dropped) {
  Keep keep;
  keep.budget_bytes = sizeof(StoredBlock) + 5 * sizeof(StoredAccess);
  Recorder recorder(header(), stub_cost, keep);
  run_block(recorder.sink(0), 0, 2);
  run_block(recorder.sink(0), 1, 9);
  run_block(recorder.sink(0), 2, 1);
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.blocks.size(), 1u);
  EXPECT_EQ(trace.dropped, 10u);
  EXPECT_EQ(trace.totals[0].requests, 12u);
}

TEST(Recorder, what_another_worker_stored_after_a_block_beyond_the_budget_is_left_out) {
  Keep keep;
  keep.budget_bytes = 3 * sizeof(StoredBlock) + 5 * sizeof(StoredAccess);
  Recorder recorder(header(), stub_cost, keep);
  run_block(recorder.sink(0), 0, 2);
  run_block(recorder.sink(1), 2, 1);
  run_block(recorder.sink(0), 1, 20);
  const Trace trace = recorder.finish();
  ASSERT_EQ(trace.blocks.size(), 1u);
  EXPECT_EQ(trace.blocks[0].cta.value, 0u);
  EXPECT_EQ(trace.dropped, 21u);
}

TEST(Recorder, blocks_without_accesses_take_room_too) {
  Keep keep;
  keep.budget_bytes = 3 * sizeof(StoredBlock);
  Recorder recorder(header(), stub_cost, keep);
  for (uint32_t cta = 0; cta < 100; ++cta) recorder.sink(0).begin_block({cta});
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.blocks.size(), 3u);
  EXPECT_EQ(trace.dropped, 0u);
}

TEST(Recorder, blocks_without_accesses_are_stored_empty) {
  Recorder recorder(header(), stub_cost, {});
  recorder.sink(0).begin_block({0});
  const Trace trace = recorder.finish();
  ASSERT_EQ(trace.blocks.size(), 1u);
  EXPECT_TRUE(trace.blocks[0].accesses.empty());
}

TEST(Recorder, waits_are_kept_of_the_chosen_block) {
  Recorder recorder(header(), stub_cost, {.listed = {}, .values_of = CtaId{1}});
  Sink& sink = recorder.sink(0);
  for (uint32_t cta = 0; cta < 2; ++cta) {
    const bool is_chosen = sink.begin_block({cta});
    EXPECT_EQ(is_chosen, cta == 1);
    sink.on_access(affine(0, cta, 0, 0, 0));
    if (is_chosen) sink.on_wait({.warp = {0}, .step = 1, .meeting = 3, .lanes = kAllLanes, .line = 9});
  }
  const Trace trace = recorder.finish();
  ASSERT_EQ(trace.blocks.size(), 2u);
  EXPECT_FALSE(trace.blocks[0].knows_waits);
  EXPECT_TRUE(trace.blocks[1].knows_waits);
  ASSERT_EQ(trace.blocks[1].waits.size(), 1u);
  EXPECT_EQ(trace.blocks[1].waits[0].meeting, 3u);
  EXPECT_EQ(trace.blocks[1].waits[0].line, 9);
}

TEST(Recorder, a_gpu_does_not_tell_of_waits) {
  Trace of_gpu = header();
  of_gpu.provenance = Provenance::Recorded;
  Recorder recorder(std::move(of_gpu), stub_cost, {.listed = {}, .values_of = CtaId{0}});
  run_block(recorder.sink(0), 0, 1);
  EXPECT_FALSE(recorder.finish().blocks.at(0).knows_waits);
}

}  // namespace
}  // namespace lanescope::trace
