// The caches of small launches, counted by hand.

#include "caches/simulate.h"

#include "support/trace_builder.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

constexpr trace::Operation kLoad{trace::Space::Global, trace::Kind::Load, 4};
constexpr trace::Operation kStore{trace::Space::Global, trace::Kind::Store, 4};
constexpr trace::Operation kAtomic{trace::Space::Global, trace::Kind::Atomic, 4};
constexpr trace::Operation kLocalLoad{trace::Space::Local, trace::Kind::Load, 8};

model::Device hopper() {
  model::Device device;
  device.title = "by hand";
  device.compute_capability = 90;
  device.multiprocessors = 2;
  device.blocks_per_multiprocessor = 32;
  device.warps_per_multiprocessor = 64;
  device.shared_bytes_per_multiprocessor = 233472;
  device.shared_bytes_reserved_per_block = 1024;
  device.caches =
      model::CacheParameters{.l1_bytes = 256 << 10, .l2_bytes = uint64_t{50} << 20, .l2_partitions = 2};
  return device;
}

/// Launch of one buffer and sites 0 load, 1 store, 2 atomic, 3 load of local memory.
trace::Trace launch(uint32_t blocks, uint32_t threads) {
  tests::TraceBuilder builder({blocks, 1, 1}, {threads, 1, 1});
  builder.buffer("a", 1024, 1024);
  for (const trace::Operation& operation : {kLoad, kStore, kAtomic, kLocalLoad}) builder.site(operation);
  return builder.take();
}

/// Request of all lanes, word by word from `line` on.
Request at_line(uint16_t site, uint64_t line) {
  return {.base = trace::global_address(0, line * kLineBytes), .stride = 4, .lanes = kAllLanes, .site = site};
}

CacheReport report_of(const trace::Trace& trace, std::vector<BlockStream> blocks, const Rules& rules = {}) {
  auto report =
      simulate({.multiprocessors = 2, .blocks = std::move(blocks)}, trace, hopper(), {.rules = rules});
  EXPECT_TRUE(report) << report.error().message;
  return *report;
}

TEST(Simulate, second_load_of_a_line_hits) {
  const CacheReport report = report_of(
      launch(1, 32), {{.cta = {0}, .warps = {{at_line(0, 3), at_line(0, 3), at_line(0, 4)}}, .list = {}}});
  EXPECT_EQ(report.global_loads.requests, 3u);
  EXPECT_EQ(report.global_loads.sectors, 12u);
  EXPECT_EQ(report.global_loads.hits, 4u);
  EXPECT_EQ(report.l2_to_l1, 8u);
  EXPECT_EQ(report.l2.dram_read, 8 + kLaunchSectors);
  EXPECT_EQ(report.sites[0].from_dram, 8u);
}

TEST(Simulate, packets_and_cycles_of_rows_and_columns) {
  // A row is 4 sectors of a line: 2 packets of 64 bytes on the way in, 4 of 32 on the way out. A column is 32
  // lines with a sector each, 8 in each partition of the tags, all in one bank; a store of such a line is a
  // packet for the line and one for the sector.
  Request in_column = at_line(0, 64), out_column = at_line(1, 128);
  in_column.stride = out_column.stride = kLineBytes;
  const CacheReport report = report_of(
      launch(1, 32), {{.cta = {0},
                       .warps = {{at_line(0, 0), in_column, at_line(1, 1), out_column, at_line(2, 3)}},
                       .list = {}}});
  EXPECT_EQ(report.sites[0].packets_from_l2, 2u + 32);
  EXPECT_EQ(report.sites[0].l1.tag_cycles, 1u + 8);
  EXPECT_EQ(report.sites[0].l1.data_cycles, 1u + 32);
  EXPECT_EQ(report.sites[1].packets_to_l2, 4u + 64);
  EXPECT_EQ(report.sites[1].l1.data_cycles, 1u + 32);
  EXPECT_EQ(report.sites[1].packets_from_l2, 0u);
  EXPECT_EQ(report.sites[2].packets_to_l2, 4u) << "each sector of an atomic is a packet";
  EXPECT_EQ(report.sites[2].packets_from_l2, 2u) << "and what it returns comes in two";
}

TEST(Simulate, stores_one_after_the_other_to_the_same_sectors_are_packets_once) {
  // Two fields of 4 bytes of structures of 8: 8 sectors of two lines by each store.
  Request first = at_line(1, 64), second = first;
  first.stride = second.stride = 8;
  second.base += 4;
  const auto packets = [&](std::vector<Request> requests) {
    return report_of(launch(1, 32), {{.cta = {0}, .warps = {std::move(requests)}, .list = {}}})
        .sites[1]
        .packets_to_l2;
  };
  EXPECT_EQ(packets({first}), 2u + 8);
  EXPECT_EQ(packets({first, second}), 2u + 8);
  EXPECT_EQ(packets({first, at_line(0, 3), second}), 2 * (2u + 8)) << "a load comes between them";
}

TEST(Simulate, blocks_of_two_multiprocessors_share_the_l2_alone) {
  const CacheReport report = report_of(launch(2, 32), {{.cta = {0}, .warps = {{at_line(0, 3)}}, .list = {}},
                                                       {.cta = {1}, .warps = {{at_line(0, 3)}}, .list = {}}});
  EXPECT_EQ(report.global_loads.hits, 0u);
  EXPECT_EQ(report.l2.dram_read, 4 + kLaunchSectors);
  EXPECT_EQ(report.l2_to_l1, 8u);
}

TEST(Simulate, third_block_finds_what_the_first_of_its_multiprocessor_loaded) {
  std::vector<BlockStream> blocks;
  for (uint32_t n = 0; n < 4; ++n) blocks.push_back({.cta = {n}, .warps = {{at_line(0, 3)}}, .list = {}});
  EXPECT_EQ(report_of(launch(4, 32), std::move(blocks)).global_loads.hits, 8u);
}

TEST(Simulate, warps_wait_for_each_other_at_a_barrier) {
  // Warp 1 loads what warp 0 stores before the barrier, after more work than warp 1 has.
  const Request barrier{.base = 0};
  std::vector<Request> stores;
  for (uint64_t line = 0; line < 20; ++line) stores.push_back(at_line(1, line));
  stores.push_back(barrier);
  const auto hits = [&](const std::vector<Request>& loads) {
    return report_of(launch(1, 64), {{.cta = {0}, .warps = {stores, loads}, .list = {}}}).global_loads.hits;
  };
  EXPECT_EQ(hits({barrier, at_line(0, 19)}), 4u);
  EXPECT_EQ(hits({at_line(0, 19), barrier}), 0u);
}

TEST(Simulate, warps_wait_for_the_level_that_has_what_they_load) {
  // Three loads, each in a basic block of its own: DRAM 650 cycles, L1 35, DRAM 650, and a cycle for each.
  trace::Trace trace = launch(1, 32);
  for (uint32_t site = 0; site < 4; ++site)
    trace.sites[site].wait = {.block = 0, .step = site, .fills_register = true, .is_used = true, .needs = {}};
  const Streams streams{
      .multiprocessors = 2,
      .blocks = {{.cta = {0}, .warps = {{at_line(0, 3), at_line(0, 3), at_line(0, 4)}}, .list = {}}}};
  const CacheReport report = simulate(streams, trace, hopper()).value();
  EXPECT_DOUBLE_EQ(report.warp_cycles, 650 + 35 + 650 + 3);
  EXPECT_DOUBLE_EQ(report.longest_warp_cycles, report.warp_cycles);
  EXPECT_DOUBLE_EQ(report.byte_cycles, 2 * 128 * 650);
  for (trace::Site& site : trace.sites) site.wait = {};  // of a program that is not known
  EXPECT_EQ(simulate(streams, trace, hopper()).value().warp_cycles, 0);
}

TEST(Simulate, atomic_goes_to_the_l2_and_makes_the_sector_invalid) {
  Request one_word = at_line(2, 3);
  one_word.stride = 0;
  const CacheReport report = report_of(
      launch(1, 32), {{.cta = {0}, .warps = {{at_line(0, 3), one_word, at_line(0, 3)}}, .list = {}}});
  EXPECT_EQ(report.atomics.sectors, 32u);  // one for each lane on the word
  EXPECT_EQ(report.global_loads.hits, 3u);
  EXPECT_EQ(report.l2_to_l1, 4u + 32u + 1u);
}

TEST(Simulate, local_memory_of_a_warp_is_interleaved_by_lane) {
  // Two words of each lane: word w of all lanes is one line.
  const Request request{.base = 8, .stride = 0, .lanes = kAllLanes, .site = 3};
  const CacheReport report =
      report_of(launch(1, 32), {{.cta = {0}, .warps = {{request, request}}, .list = {}}});
  EXPECT_EQ(report.local_loads.sectors, 16u);
  EXPECT_EQ(report.local_loads.hits, 8u);
}

TEST(Simulate, warps_of_two_blocks_have_their_own_local_memory) {
  const Request request{.base = 8, .stride = 0, .lanes = kAllLanes, .site = 3};
  std::vector<BlockStream> blocks;
  for (uint32_t n = 0; n < 4; ++n) blocks.push_back({.cta = {n}, .warps = {{request}}, .list = {}});
  EXPECT_EQ(report_of(launch(4, 32), std::move(blocks)).local_loads.hits, 0u);
}

TEST(Simulate, bypassing_load_never_hits) {
  trace::Trace trace = launch(1, 32);
  trace.sites[0].cache_use.level1 = CacheUse::Level1::Bypass;
  EXPECT_EQ(report_of(trace, {{.cta = {0}, .warps = {{at_line(0, 3), at_line(0, 3)}}, .list = {}}})
                .global_loads.hits,
            0u);
}

/// Loads of `lines` lines in order, three times, past the L1.
CacheReport report_of_rounds(uint64_t lines) {
  trace::Trace trace = launch(1, 32);
  trace.buffers.front().size_bytes = lines * kLineBytes;
  trace.sites[0].cache_use.level1 = CacheUse::Level1::Bypass;
  std::vector<Request> requests;
  for (uint64_t n = 0; n < 3 * lines; ++n) requests.push_back(at_line(0, n % lines));
  model::Device device = hopper();
  device.caches->l2_bytes = 4096 * kLineBytes;
  device.caches->l2_partitions = 1;
  auto report =
      simulate({.multiprocessors = 2, .blocks = {{.cta = {0}, .warps = {std::move(requests)}, .list = {}}}},
               trace, device);
  EXPECT_TRUE(report) << report.error().message;
  return *report;
}

TEST(Simulate, reads_of_a_launch_at_the_edge_of_the_l2_are_a_band) {
  // Of 4096 lines that fit: a quarter of them is far from the edge, 3800 more than a smaller L2 holds.
  const CacheReport far = report_of_rounds(1024);
  EXPECT_EQ(far.l2.dram_read, 1024 * 4 + kLaunchSectors);
  EXPECT_FALSE(far.has_band());
  const CacheReport edge = report_of_rounds(3800);
  EXPECT_TRUE(edge.has_band());
  EXPECT_LE(edge.dram_read_low, edge.l2.dram_read);
  EXPECT_GE(edge.dram_read_low, 3800 * 4 + kLaunchSectors);
  EXPECT_GT(edge.dram_read_high, 2 * 3800 * 4u);
}

TEST(Simulate, stream_has_no_band_whatever_its_size) {
  // Rounds over twice what fits find nothing again, also in an L2 that is a fifth larger.
  const CacheReport report = report_of_rounds(8192);
  EXPECT_GE(report.l2.dram_read, 3 * 8192 * 4 * 99 / 100u);
  EXPECT_FALSE(report.has_band());
}

TEST(Simulate, origins_say_where_sectors_came_from_and_who_brought_them) {
  // Warp 0 loads line 3 twice. Warp 1 stores line 5, and warp 0 loads it after a barrier.
  const Request barrier{};
  const trace::Trace trace = launch(1, 64);
  const auto report = simulate({.multiprocessors = 2,
                                .blocks = {{.cta = {0},
                                            .warps = {{at_line(0, 3), at_line(0, 3), barrier, at_line(0, 5)},
                                                      {at_line(1, 5), barrier, at_line(0, 4)}},
                                            .list = {}}}},
                               trace, hopper(), {.keeps_origins = true});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_NE(report->origins, nullptr);
  const auto first = report->origins->of({0}, 0, 0);
  ASSERT_EQ(first.size(), 4u);
  EXPECT_EQ(first[0].level, CacheLevel::Dram);
  EXPECT_EQ(first[1].sector, first[0].sector + 1);
  const auto second = report->origins->of({0}, 0, 1);
  ASSERT_EQ(second.size(), 4u);
  EXPECT_EQ(second[3].sector, first[3].sector);
  EXPECT_EQ(second[3].level, CacheLevel::L1);
  EXPECT_EQ(second[3].by.warp, 0u);
  EXPECT_EQ(second[3].by.site, 0u);
  // The barrier is no request.
  const auto stored = report->origins->of({0}, 0, 2);
  ASSERT_EQ(stored.size(), 4u);
  EXPECT_EQ(stored[0].level, CacheLevel::L1);
  EXPECT_EQ(stored[0].by.warp, 1u);
  EXPECT_EQ(stored[0].by.site, 1u);
  EXPECT_TRUE(report->origins->of({0}, 1, 0).empty());  // a store
  EXPECT_EQ(report->origins->of({0}, 1, 1).size(), 4u);
  EXPECT_TRUE(report->origins->of({0}, 1, 2).empty());
  EXPECT_TRUE(report->origins->of({1}, 0, 0).empty());
  EXPECT_EQ(report_of(trace, {}).origins, nullptr);
}

TEST(Simulate, device_without_rules_is_one_sentence) {
  model::Device device = hopper();
  device.caches.reset();
  device.title = "GeForce GTX 280 (GT200)";
  const auto report = simulate({}, launch(1, 32), device, {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "the caches of GeForce GTX 280 (GT200) are not known: their rules were measured on an H100 and "
            "an H200, and stand for those since Volta; "
            "--device h100 or h200 models them");
}

TEST(Simulate, stop_is_obeyed) {
  std::stop_source stop;
  stop.request_stop();
  const auto report =
      simulate({.multiprocessors = 2, .blocks = {{.cta = {0}, .warps = {{at_line(0, 3)}}, .list = {}}}},
               launch(1, 32), hopper(), {.stop = stop.get_token()});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::Cancelled);
}

}  // namespace
}  // namespace lanescope::caches
