// The sentence for each kind of pattern, word by word.

#include "model/explain.h"

#include "support/warp_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using ::testing::HasSubstr;
using tests::affine_access;
using tests::global_load;
using tests::shared_atomic;
using tests::shared_load;
using tests::WarpPattern;

std::string banks_of(const trace::WarpAccess& access, Language language = Language::English) {
  return explain(count_banks(access), access, language);
}
std::string sectors_of(const trace::WarpAccess& access, Language language = Language::English) {
  return explain(count_sectors(access), access, language);
}
constexpr uint64_t kBase = trace::global_address(0, 0);

TEST(Explain, a_column_of_an_unpadded_tile_by_its_formula) {
  EXPECT_EQ(banks_of(affine_access(shared_load(4), 12, 128)),
            "Lane k accesses word 32·k + 3. Bank = word mod 32 = 3 for every lane: 32 different words of one "
            "bank take 32 wavefronts (ideal: 1).");
}

TEST(Explain, the_same_whether_the_addresses_are_kept_as_a_stride_or_listed) {
  for (const int64_t stride : {-128, -4, 0, 4, 8, 132}) {
    const WarpPattern listed(shared_load(4), [&](int lane) { return 8192 + stride * lane; });
    EXPECT_EQ(banks_of(listed.access()), banks_of(affine_access(shared_load(4), 8192, stride)));
  }
}

TEST(Explain, a_padded_column) {
  EXPECT_EQ(banks_of(affine_access(shared_load(4), 0, 132)),
            "Lane k accesses word 33·k. Bank = word mod 32 differs from lane to lane: one wavefront serves "
            "all 32.");
}

TEST(Explain, a_falling_sequence) {
  EXPECT_THAT(banks_of(affine_access(shared_load(4), 124, -4)), HasSubstr("Lane k accesses word 31 - k."));
}

TEST(Explain, a_lane_0_before_the_start_that_is_not_active) {
  const WarpPattern warp(shared_load(4), [](int lane) { return 4 * (2 * lane - 3); }, {0xfffffffcu});
  EXPECT_THAT(banks_of(warp.access()), HasSubstr("Lane k accesses word 2·k - 3."));
}

TEST(Explain, an_even_stride) {
  EXPECT_EQ(
      banks_of(affine_access(shared_load(4), 0, 8)),
      "Lane k accesses word 2·k. Bank = word mod 32 takes only 16 values: up to 2 different words of one "
      "bank take 2 wavefronts (ideal: 1).");
}

TEST(Explain, a_broadcast) {
  EXPECT_EQ(banks_of(affine_access(shared_load(4), 20, 0)),
            "All 32 lanes access word 5, which is served once (a broadcast): one wavefront.");
}

TEST(Explain, a_swizzled_column) {
  const WarpPattern warp(shared_load(4), [](int lane) { return 4 * (32 * lane + (lane ^ 5)); });
  EXPECT_EQ(banks_of(warp.access()),
            "No two lanes access different words of one bank: one wavefront serves all 32 lanes.");
}

TEST(Explain, a_wide_load_at_its_best) {
  EXPECT_EQ(
      banks_of(affine_access(shared_load(16), 0, 16)),
      "32 lanes of 16 bytes request 512 bytes, a wavefront carries 128, no bank conflicts: 4 wavefronts, the "
      "ideal.");
}

TEST(Explain, a_scattered_conflict) {
  const WarpPattern warp(shared_load(4), [](int lane) { return lane == 0 ? 0 : lane == 1 ? 128 : 4 * lane; });
  EXPECT_EQ(banks_of(warp.access()),
            "Bank 0 has 2 different words and serves one per wavefront: 2 wavefronts (ideal: 1).");
}

TEST(Explain, an_atomic_at_one_address) {
  EXPECT_EQ(
      banks_of(affine_access(shared_atomic(4), 8, 0)),
      "Updates of one bank are serialized, even at one address: 32 lanes in bank 2, 32 wavefronts (ideal: "
      "1).");
}

TEST(Explain, a_unit_stride) {
  EXPECT_EQ(sectors_of(affine_access(global_load(4), kBase, 4)),
            "Lane k is 4·k bytes after lane 0, unit stride: 4 sectors, every transferred byte is useful.");
}

TEST(Explain, a_misaligned_unit_stride) {
  EXPECT_EQ(sectors_of(affine_access(global_load(4), kBase + 4, 4)),
            "The 128 bytes are contiguous but start 4 bytes into a sector: 5 sectors (ideal: 4).");
}

TEST(Explain, a_large_stride) {
  EXPECT_EQ(sectors_of(affine_access(global_load(4), kBase, 4096)),
            "Lane k is 4096·k bytes after lane 0: 32 sectors of 32 bytes are transferred for 128 useful "
            "bytes, 13 %.");
}

TEST(Explain, one_address_for_all) {
  EXPECT_EQ(sectors_of(affine_access(global_load(4), kBase, 0)),
            "All 32 lanes access one address: a sector of 32 bytes is transferred for 4 bytes.");
}

TEST(Explain, full_sectors_in_many_lines) {
  const WarpPattern warp(global_load(16), [](int lane) { return kBase + lane / 2 * 16384 + lane % 2 * 16; });
  EXPECT_EQ(sectors_of(warp.access()),
            "Every transferred byte is useful, but the 16 sectors are in 16 lines (ideal: 4).");
}

TEST(Explain, scattered_lanes) {
  const WarpPattern warp(global_load(4), [](int lane) { return kBase + lane * lane * 64; });
  EXPECT_EQ(sectors_of(warp.access()),
            "32 lanes access 32 sectors in 31 lines: 1024 bytes are transferred for 128 useful bytes, 13 %.");
}

TEST(Explain, one_line_and_one_sector_are_not_counted) {
  const WarpPattern line(global_load(1), [](int lane) { return kBase + lane * lane % 64; });
  EXPECT_THAT(sectors_of(line.access()), HasSubstr("lanes access 2 sectors of one line: 64 bytes"));
  const WarpPattern sector(global_load(1), [](int lane) { return kBase + lane * lane % 31; });
  EXPECT_THAT(sectors_of(sector.access()), HasSubstr("32 lanes access one sector: 32 bytes are transferred"));
}

TEST(Explain, one_lane_is_one) {
  const WarpPattern warp(global_load(4), [](int) { return kBase; }, LaneMask{1});
  EXPECT_THAT(sectors_of(warp.access()), HasSubstr("1 lane accesses one sector: 32 bytes"));
  EXPECT_THAT(explain(count_sectors(warp.access()), warp.access(), Language::French),
              HasSubstr("1 lane accède à un seul secteur"));
}

TEST(Explain, in_french_too) {
  EXPECT_THAT(banks_of(affine_access(shared_load(4), 12, 128), Language::French),
              HasSubstr("La lane k accède au mot 32·k + 3. Banc = mot mod 32 = 3"));
  EXPECT_THAT(sectors_of(affine_access(global_load(4), kBase, 4), Language::French),
              HasSubstr("4 secteurs, chaque octet transféré est utile"));
}

TEST(Explain, every_pattern_gets_a_sentence_and_no_lane_gets_none) {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (int stride = -40; stride <= 40; ++stride) {
      for (const uint32_t mask : {0xffffffffu, 1u, 0x0f0f0000u}) {
        const uint64_t base = kBase + 4096;
        EXPECT_NE(sectors_of(affine_access(global_load(bytes), base, stride * bytes, {mask})), "");
        EXPECT_NE(banks_of(affine_access(shared_load(bytes), 4096, stride * bytes, {mask})), "");
        EXPECT_NE(banks_of(affine_access(shared_atomic(bytes), 4096, stride * bytes, {mask})), "");
      }
    }
  }
  EXPECT_EQ(banks_of(affine_access(shared_load(4), 0, 4, LaneMask{0})), "");
  EXPECT_EQ(sectors_of(affine_access(shared_load(4), 0, 4)), "");
}

}  // namespace
}  // namespace lanescope::model
