// Accesses that fold into those of wider instructions: counted by hand.

#include "sass/folding_sink.h"

#include "model/cost.h"

#include <array>

#include <gtest/gtest.h>

namespace lanescope::sass {
namespace {

/// A sink that counts what reaches it.
struct CountingSink final : trace::Sink {
  bool begin_block(CtaId) override { return true; }
  bool begin_batch(CtaId, trace::BatchOrder) override { return true; }
  void on_access(const trace::WarpAccess&) override { ++accesses; }
  int accesses = 0;
};

/// Sites 0 to `count` - 1 are one merged access of `bytes`; site `count` is none.
Match merged_sites(uint32_t count, uint32_t bytes, std::vector<uint32_t> narrower = {},
                   MemorySpace space = MemorySpace::Shared) {
  Match match;
  match.sites.resize(count + 1);
  MergedAccess merged{
      .space = space, .kind = MemoryKind::Load, .bytes = bytes, .narrower = std::move(narrower)};
  for (uint32_t n = 0; n < count; ++n) {
    match.sites[n] = {.fate = Fate::Merged, .merged = 0};
    merged.sites.push_back(n);
  }
  match.merged.push_back(std::move(merged));
  return match;
}

trace::WarpAccess load_of(uint32_t site, uint64_t base, int64_t stride, uint32_t lanes = ~uint32_t{0},
                          MemorySpace space = MemorySpace::Shared, uint32_t warp = 0) {
  return {.site = {site},
          .cta = {},
          .warp = {warp},
          .step = 0,
          .active = {lanes},
          .operation = {space, MemoryKind::Load, 4},
          .addresses = {.base = base, .stride = stride}};
}

/// Wavefronts and ideal wavefronts that site 1 has in the PTX alone.
std::pair<uint64_t, uint64_t> absent_of(const FoldingSink& sink) {
  return {sink.absent()[1].wavefronts, sink.absent()[1].ideal_wavefronts};
}

class Folding : public testing::Test {
 protected:
  /// Totals after these accesses of one block.
  FoldedTotals totals_of(const Match& match, const std::vector<trace::WarpAccess>& accesses) {
    FoldingSink sink(match, model::cost_of, inner_);
    sink.begin_block({});
    for (const trace::WarpAccess& access : accesses) sink.on_access(access);
    return sink.finish().front();
  }
  CountingSink inner_;
};

TEST_F(Folding, four_words_of_each_lane_are_one_access_of_16_bytes) {
  // Lane l reads the words 4 l to 4 l + 3: 512 bytes, 4 wavefronts at best.
  const FoldedTotals folded = totals_of(
      merged_sites(4, 16), {load_of(0, 0, 16), load_of(1, 4, 16), load_of(2, 8, 16), load_of(3, 12, 16)});
  EXPECT_EQ(folded.totals.requests, 1u);
  EXPECT_EQ(folded.totals.lanes, 32u);
  EXPECT_EQ(folded.totals.bytes, 512u);
  EXPECT_EQ(folded.totals.wavefronts, 4u);
  EXPECT_EQ(folded.uneven, 0u);
  EXPECT_EQ(inner_.accesses, 4) << "all accesses are passed on";
}

TEST_F(Folding, iterations_of_one_site_fold_alike) {
  std::vector<trace::WarpAccess> accesses;
  for (uint64_t n = 0; n < 8; ++n) accesses.push_back(load_of(0, 4 * n, 0));
  // All lanes read one address: 8 iterations are two accesses of 16 bytes, two wavefronts each, as measured.
  const FoldedTotals folded = totals_of(merged_sites(1, 16), accesses);
  EXPECT_EQ(folded.totals.requests, 2u);
  EXPECT_EQ(folded.totals.wavefronts, 4u);
}

TEST_F(Folding, a_byte_that_comes_twice_begins_another_access) {
  EXPECT_EQ(
      totals_of(merged_sites(2, 8), {load_of(0, 0, 8), load_of(0, 0, 8), load_of(1, 4, 8)}).totals.requests,
      2u);
}

TEST_F(Folding, other_lanes_and_other_warps_do_not_fold) {
  const Match match = merged_sites(2, 8);
  EXPECT_EQ(totals_of(match, {load_of(0, 0, 8), load_of(1, 4, 8, 0xffff)}).totals.requests, 2u);
  EXPECT_EQ(totals_of(match, {load_of(0, 0, 8), load_of(1, 4, 8, ~uint32_t{0}, MemorySpace::Shared, 1)})
                .totals.requests,
            2u);
}

TEST_F(Folding, a_block_ends_what_is_open) {
  const Match match = merged_sites(2, 8);
  FoldingSink sink(match, model::cost_of, inner_);
  sink.begin_block({0});
  sink.on_access(load_of(0, 0, 8));
  sink.begin_block({1});
  sink.on_access(load_of(1, 4, 8));
  EXPECT_EQ(sink.finish().front().totals.requests, 2u);
}

TEST_F(Folding, a_hole_costs_the_whole_width_unless_a_copy_is_narrower) {
  // Words 0 and 1 of each window of 16 bytes. Global memory: 32 lanes x 16 bytes are 16 sectors.
  const std::vector<trace::WarpAccess> accesses{load_of(0, 4096, 16, ~uint32_t{0}, MemorySpace::Global),
                                                load_of(1, 4100, 16, ~uint32_t{0}, MemorySpace::Global)};
  const FoldedTotals wide = totals_of(merged_sites(4, 16, {}, MemorySpace::Global), accesses);
  EXPECT_EQ(wide.totals.requests, 1u);
  EXPECT_EQ(wide.totals.bytes, 512u);
  EXPECT_EQ(wide.totals.sectors, 16u);
  const FoldedTotals narrow = totals_of(merged_sites(4, 16, {4, 8}, MemorySpace::Global), accesses);
  EXPECT_EQ(narrow.totals.requests, 1u);
  EXPECT_EQ(narrow.totals.bytes, 256u);
  EXPECT_EQ(narrow.totals.sectors, 16u);
}

TEST_F(Folding, a_part_of_an_access_is_counted_with_its_bytes_alone) {
  // Lanes read 16 bytes each, side by side, of which an instruction reads the last 4: one word of each window
  // of 16 bytes, all 16 sectors, and 128 bytes.
  Match match = merged_sites(1, 4, {}, MemorySpace::Global);
  match.merged[0].first_byte = 12;
  trace::WarpAccess access = load_of(0, 4096, 16, ~uint32_t{0}, MemorySpace::Global);
  access.operation.bytes_per_lane = 16;
  const FoldedTotals part = totals_of(match, {access, access});
  EXPECT_EQ(part.totals.requests, 2u);
  EXPECT_EQ(part.totals.bytes, 256u);
  EXPECT_EQ(part.totals.sectors, 32u);
  // 32 bytes apart by lane, the last 4 of 32 are in the second half of a sector: still one sector each.
  access = load_of(0, 4096, 32, ~uint32_t{0}, MemorySpace::Global);
  access.operation.bytes_per_lane = 32;
  EXPECT_EQ(totals_of(match, {access}).totals.sectors, 32u);
}

TEST_F(Folding, lanes_at_different_places_of_their_windows_are_counted_as_uneven) {
  EXPECT_EQ(totals_of(merged_sites(1, 16), {load_of(0, 0, 4)}).uneven, 1u);
}

TEST_F(Folding, shared_memory_of_other_blocks_has_no_wavefronts_here_but_one_of_an_atomic) {
  const Match match = merged_sites(1, 8);
  FoldingSink sink(match, model::cost_of, inner_);
  sink.begin_block({});
  // Site 1: a load with a stride of 8 bytes takes 2 wavefronts, 1 at best for 128 bytes.
  trace::WarpAccess access = load_of(1, 0, 8);
  access.owner = trace::SharedOwner::OtherBlock;
  sink.on_access(access);
  EXPECT_EQ(absent_of(sink), (std::pair<uint64_t, uint64_t>{2, 1}));
  // An atomic beside lanes that go to their own block's, and one without.
  access = load_of(1, 0, 8);
  access.operation.kind = MemoryKind::Reduction;
  access.owner = trace::SharedOwner::OtherBlock;
  sink.on_access(access);
  EXPECT_EQ(absent_of(sink), (std::pair<uint64_t, uint64_t>{4, 2}));
  access.owner = trace::SharedOwner::OtherBlocksAlone;
  sink.on_access(access);
  EXPECT_EQ(absent_of(sink), (std::pair<uint64_t, uint64_t>{5, 3}));
  EXPECT_EQ(inner_.accesses, 3);
}

TEST_F(Folding, one_lane_acts_for_a_warp_that_elects_it) {
  Match match = merged_sites(1, 8);
  match.sites[1] = {.fate = Fate::Same, .election = Election::OfActiveLanes};
  FoldingSink sink(match, model::cost_of, inner_);
  sink.begin_block({});
  // 32 lanes add to one word: as many wavefronts as lanes, of which one is left.
  trace::WarpAccess access = load_of(1, 64, 0);
  access.operation.kind = MemoryKind::Atomic;
  const uint64_t all = model::cost_of(access).wavefronts;
  ASSERT_GT(all, 1u);
  sink.on_access(access);
  EXPECT_EQ(absent_of(sink).first, all - 1);
  // Where full warps alone elect a lane, half a warp does not.
  match.sites[1].election = Election::OfFullWarps;
  access.active = {0xffff};
  sink.on_access(access);
  EXPECT_EQ(absent_of(sink).first, all - 1);
  EXPECT_EQ(sink.repeated_sectors()[1], 0u) << "shared memory has no sectors";
}

TEST_F(Folding, other_sites_are_passed_on_alone) {
  const FoldedTotals folded = totals_of(merged_sites(1, 8), {load_of(1, 0, 8)});
  EXPECT_EQ(folded.totals.requests, 0u);
  EXPECT_EQ(inner_.accesses, 1);
}

}  // namespace
}  // namespace lanescope::sass
