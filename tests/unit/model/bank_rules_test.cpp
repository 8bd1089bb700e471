// Passes of shared memory by compute capability: the guide's figures and examples, and properties.

#include "model/bank_rules.h"

#include "support/warp_pattern.h"

#include <random>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::affine_access;
using tests::shared_load;
using tests::shared_store;
using tests::WarpPattern;

uint32_t passes(const trace::WarpAccess& access, int capability,
                KeplerBanks kepler = KeplerBanks::FourBytes) {
  return count_shared_passes(access, capability, kepler).passes;
}
trace::WarpAccess words(int stride) { return affine_access(shared_load(4), 0, 4 * stride); }

// CUDA C Programming Guide 4.2, F.3.3.1: no conflict when the stride is odd, and 16 banks by half-warp.
TEST(BankRules, strides_of_1x_conflict_by_their_common_divisor_with_16) {
  EXPECT_EQ(passes(words(1), 13), 2u);  // two half-warps, one pass each
  EXPECT_EQ(passes(words(3), 13), 2u);
  EXPECT_EQ(passes(words(2), 13), 4u);
  EXPECT_EQ(passes(words(8), 13), 16u);
  EXPECT_EQ(passes(words(16), 13), 32u);
  EXPECT_EQ(passes(words(17), 13), 2u);
}
// NVIDIA, "Optimizing Matrix Transpose in CUDA": in a tile of 32 columns, column k and k + 16 share a bank,
// so a column is a 16-way conflict for each half-warp; one more column removes it.
TEST(BankRules, the_unpadded_tile_is_a_16_way_conflict_on_a_gtx_280) {
  EXPECT_EQ(passes(words(32), 13), 2u * 16);
  EXPECT_EQ(passes(words(33), 13), 2u);
}
// F.3.3.2: the broadcast word is chosen once a step, so one pass serves all lanes at one word.
TEST(BankRules, one_word_for_all_is_one_pass_for_each_half_warp_of_1x) {
  EXPECT_EQ(passes(words(0), 10), 2u);
}
TEST(BankRules, two_shared_words_take_two_broadcasts_on_1x) {
  // Lanes 0 to 7 at word 0, 8 to 15 at word 1: the second word serves one lane in the first step.
  const WarpPattern pattern(shared_load(4), [](int lane) { return lane / 8 * 4; }, LaneMask{0xffff});
  EXPECT_EQ(passes(pattern.access(), 10), 2u);
  EXPECT_EQ(passes(pattern.access(), 20), 1u);
}
// F.3.3.3: "char data = shared[BaseIndex + tid]" conflicts, "4 * tid" does not.
TEST(BankRules, neighboring_bytes_conflict_four_ways_on_1x) {
  EXPECT_EQ(passes(affine_access(shared_load(1), 0, 1), 10), 2u * 4);
  EXPECT_EQ(passes(affine_access(shared_load(1), 0, 4), 10), 2u);
}
// F.3.3.4: a double is two requests of 32 bits with a stride of two words, each a two-way conflict.
TEST(BankRules, doubles_conflict_two_ways_on_1x) {
  const SharedPasses found = count_shared_passes(affine_access(shared_load(8), 0, 8), 13);
  EXPECT_EQ(found.requests, 2u);
  EXPECT_EQ(found.ideal, 4u);
  EXPECT_EQ(found.passes, 8u);
}

// F.4.3: 32 banks for the whole warp; several words are multicast.
TEST(BankRules, strides_of_2x_conflict_by_their_common_divisor_with_32) {
  EXPECT_EQ(passes(words(1), 20), 1u);
  EXPECT_EQ(passes(words(2), 20), 2u);
  EXPECT_EQ(passes(words(3), 20), 1u);
  EXPECT_EQ(passes(words(32), 20), 32u);
  EXPECT_EQ(passes(words(33), 20), 1u);
}
TEST(BankRules, bytes_and_doubles_do_not_conflict_on_2x) {
  EXPECT_EQ(passes(affine_access(shared_load(1), 0, 1), 20), 1u);
  EXPECT_EQ(passes(affine_access(shared_load(8), 0, 8), 20), 2u);  // a pass for each half-warp
}
// F.4.3.3: "the majority of 128-bit accesses will cause 2-way bank conflicts", even with unit stride.
TEST(BankRules, unit_stride_of_16_bytes_is_a_two_way_conflict_of_each_half_warp_on_2x) {
  EXPECT_EQ(passes(affine_access(shared_load(16), 0, 16), 20), 4u);
}

// F.5.3: in 32-bit mode words i and i + 32 of one aligned segment of 64 words do not conflict.
TEST(BankRules, stride_two_is_free_on_3x_in_both_modes) {
  EXPECT_EQ(passes(words(2), 30, KeplerBanks::FourBytes), 1u);
  EXPECT_EQ(passes(words(2), 30, KeplerBanks::EightBytes), 1u);
  EXPECT_EQ(passes(words(32), 30, KeplerBanks::FourBytes), 16u);
  EXPECT_EQ(passes(words(32), 30, KeplerBanks::EightBytes), 16u);
  // The segment must be the same: word 32 and word 64 share bank 0 of 32-bit words and no segment; as 64-bit
  // words they are 16 and 32, in banks 16 and 0.
  const WarpPattern across(shared_load(4), [](int lane) { return (32 + 32 * lane) * 4; }, LaneMask{0x3});
  EXPECT_EQ(passes(across.access(), 30, KeplerBanks::FourBytes), 2u);
  EXPECT_EQ(passes(across.access(), 30, KeplerBanks::EightBytes), 1u);
}
TEST(BankRules, the_modes_of_3x_differ_on_neighbors_32_words_apart) {
  // Words 1 and 33: bank 1 twice in 32-bit mode, one segment; 64-bit words 0 and 16 in 64-bit mode.
  const WarpPattern pair(shared_load(4), [](int lane) { return (1 + 32 * lane) * 4; }, LaneMask{0x3});
  EXPECT_EQ(passes(pair.access(), 35, KeplerBanks::FourBytes), 1u);
  EXPECT_EQ(passes(pair.access(), 35, KeplerBanks::EightBytes), 1u);
  // Words 0 and 64: two segments, one bank in both.
  const WarpPattern far(shared_load(4), [](int lane) { return 256 * lane; }, LaneMask{0x3});
  EXPECT_EQ(passes(far.access(), 35, KeplerBanks::FourBytes), 2u);
  EXPECT_EQ(passes(far.access(), 35, KeplerBanks::EightBytes), 2u);
}
TEST(BankRules, doubles_take_one_pass_on_3x_and_two_since_5x) {
  EXPECT_EQ(passes(affine_access(shared_load(8), 0, 8), 35), 1u);
  EXPECT_EQ(passes(affine_access(shared_load(8), 0, 8), 52), 2u);
  EXPECT_EQ(passes(affine_access(shared_load(16), 0, 16), 35), 2u);
}

TEST(BankRules, a_broadcast_never_conflicts) {
  for (const int capability : {10, 13, 20, 30, 52, 90}) {
    for (const int bytes : {1, 2, 4}) {
      const SharedPasses found = count_shared_passes(affine_access(shared_load(bytes), 128, 0), capability);
      EXPECT_EQ(found.conflicts(), 0u) << capability << " " << bytes;
    }
  }
}
TEST(BankRules, a_column_with_an_odd_pitch_in_words_never_conflicts) {
  for (const int capability : {10, 13, 20, 30, 52, 90})
    for (int pitch = 1; pitch < 200; pitch += 2)
      EXPECT_EQ(count_shared_passes(words(pitch), capability).conflicts(), 0u) << capability << " " << pitch;
}
TEST(BankRules, the_order_of_the_lanes_of_a_half_warp_does_not_matter) {
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    std::array<uint32_t, kLanes> at{};
    for (uint32_t& word : at) word = static_cast<uint32_t>(random() % 100);
    auto mixed = at;
    std::shuffle(mixed.begin(), mixed.begin() + 16, random);
    std::shuffle(mixed.begin() + 16, mixed.end(), random);
    const WarpPattern one(shared_load(4), [&](int lane) { return at[lane] * 4; });
    const WarpPattern other(shared_load(4), [&](int lane) { return mixed[lane] * 4; });
    for (const int capability : {20, 30, 52, 90})
      EXPECT_EQ(passes(one.access(), capability), passes(other.access(), capability)) << round;
  }
}
TEST(BankRules, global_memory_has_no_banks) {
  EXPECT_EQ(passes(affine_access(tests::global_load(4), 0, 4), 13), 0u);
}

}  // namespace
}  // namespace lanescope::model
