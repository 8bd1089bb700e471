// Bank counts computed by hand.

#include "model/banks.h"

#include "support/warp_pattern.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using tests::affine_access;
using tests::shared_atomic;
using tests::shared_load;
using tests::shared_store;
using tests::WarpPattern;
using trace::Detail;

int loads(int bytes, int64_t stride_bytes) {
  return count_wavefronts(affine_access(shared_load(bytes), 0, stride_bytes));
}
int stores(int bytes, int64_t stride_bytes) {
  return count_wavefronts(affine_access(shared_store(bytes), 0, stride_bytes));
}
template <class F>
int wavefronts(trace::Operation operation, F&& address_of_lane, LaneMask active = kAllLanes) {
  const WarpPattern warp(operation, address_of_lane, active);
  return count_wavefronts(warp.access());
}

TEST(Banks, every_stride_in_words_conflicts_by_its_common_divisor_with_32) {
  for (int words = 1; words <= 33; ++words) EXPECT_EQ(loads(4, 4 * words), std::gcd(words, 32)) << words;
}

TEST(Banks, a_falling_stride_costs_what_the_rising_one_does) {
  for (int words = 1; words <= 33; ++words) {
    EXPECT_EQ(wavefronts(shared_load(4), [&](int lane) { return 4 * words * (31 - lane); }),
              std::gcd(words, 32))
        << words;
  }
}

TEST(Banks, broadcast_is_one_wavefront_for_loads_and_stores) {
  EXPECT_EQ(loads(4, 0), 1);
  EXPECT_EQ(stores(4, 0), 1);
}

TEST(Banks, two_words_in_one_bank_are_two_wavefronts) {
  EXPECT_EQ(wavefronts(shared_load(4), [](int lane) { return lane % 2 == 0 ? 0 : 128; }), 2);
}

TEST(Banks, two_bytes_of_one_word_never_conflict) {
  EXPECT_EQ(loads(1, 1), 1);
  EXPECT_EQ(loads(2, 2), 1);
  EXPECT_EQ(wavefronts(shared_store(1), [](int lane) { return lane % 4; }), 1);
}

TEST(Banks, bytes_of_different_words_of_one_bank_conflict) {
  EXPECT_EQ(loads(1, 128), 32);
  EXPECT_EQ(loads(1, 64), 16);
}

TEST(Banks, halves_six_bytes_apart_conflict_after_32_words) {
  // Lane l reads word floor(6 l / 4): lane 22 is at word 33, in bank 1 like lane 1's word 1.
  EXPECT_EQ(loads(2, 6), 2);
}

TEST(Banks, column_of_an_unpadded_tile_is_32_wavefronts) { EXPECT_EQ(loads(4, 32 * 4), 32); }

TEST(Banks, one_column_of_padding_removes_the_conflict) { EXPECT_EQ(loads(4, 33 * 4), 1); }

TEST(Banks, two_columns_of_padding_leave_two_wavefronts) { EXPECT_EQ(loads(4, 34 * 4), 2); }

TEST(Banks, column_of_a_swizzled_tile_is_one_wavefront) {
  for (int column = 0; column < 32; ++column) {
    EXPECT_EQ(wavefronts(shared_load(4), [&](int row) { return 4 * (32 * row + (column ^ row)); }), 1);
    EXPECT_EQ(wavefronts(shared_store(4), [&](int lane) { return 4 * (32 * column + (lane ^ column)); }), 1);
  }
}

TEST(Banks, unit_stride_of_wide_accesses_fills_128_bytes_per_wavefront) {
  EXPECT_EQ(loads(8, 8), 2);
  EXPECT_EQ(loads(16, 16), 4);
  EXPECT_EQ(stores(8, 8), 2);
  EXPECT_EQ(stores(16, 16), 4);
}

TEST(Banks, a_broadcast_of_16_bytes_is_two_wavefronts_and_its_store_four) {
  EXPECT_EQ(loads(8, 0), 1);
  EXPECT_EQ(loads(16, 0), 2);
  EXPECT_EQ(stores(8, 0), 2);
  EXPECT_EQ(stores(16, 0), 4);
}

TEST(Banks, wide_loads_merge_if_neighbors_share_their_address) {
  for (const int sharing : {2, 4, 8}) {
    const auto slot = [&](int bytes) { return [=](int lane) { return bytes * (lane / sharing); }; };
    EXPECT_EQ(wavefronts(shared_load(8), slot(8)), 1) << sharing;
    EXPECT_EQ(wavefronts(shared_load(16), slot(16)), 2) << sharing;
    EXPECT_EQ(wavefronts(shared_store(8), slot(8)), 2) << sharing;
    EXPECT_EQ(wavefronts(shared_store(16), slot(16)), 4) << sharing;
  }
  for (const int period : {8, 16}) {
    EXPECT_EQ(wavefronts(shared_load(8), [&](int lane) { return 8 * (lane % period); }), 2);
    EXPECT_EQ(wavefronts(shared_load(16), [&](int lane) { return 16 * (lane % period); }), 4);
  }
}

TEST(Banks, column_of_an_unpadded_tile_of_wide_elements) {
  EXPECT_EQ(loads(8, 32 * 8), 32);    // 2 groups x 16 lanes in one pair of banks
  EXPECT_EQ(loads(16, 32 * 16), 32);  // 4 groups x 8 lanes in one quad of banks
  EXPECT_EQ(loads(8, 33 * 8), 2);
  EXPECT_EQ(loads(16, 33 * 16), 4);
}

TEST(Banks, only_executing_lanes_count) {
  const auto column = [](int lane) { return lane * 128; };
  EXPECT_EQ(wavefronts(shared_load(4), column, {0x1}), 1);
  EXPECT_EQ(wavefronts(shared_load(4), column, {0x80000001u}), 2);
  EXPECT_EQ(wavefronts(shared_load(4), column, {0x0000ffffu}), 16);
  EXPECT_EQ(wavefronts(shared_store(8), [](int lane) { return lane * 8; }, {0x0000ffffu}), 1);
  EXPECT_EQ(wavefronts(shared_store(16), [](int lane) { return lane * 16; }, {0xff0000ffu}), 2);
}

TEST(Banks, an_odd_first_word_changes_nothing) {
  for (int words = 1; words <= 33; ++words) {
    EXPECT_EQ(count_wavefronts(affine_access(shared_load(4), 4 * 7, 4 * words)), std::gcd(words, 32));
  }
}

TEST(Banks, atomics_at_one_address_are_serialized) {
  EXPECT_EQ(wavefronts(shared_atomic(4), [](int) { return 0; }), 32);
  EXPECT_EQ(wavefronts(shared_atomic(4), [](int lane) { return 4 * lane; }), 1);
  EXPECT_EQ(wavefronts(shared_atomic(4), [](int lane) { return 4 * (lane / 4); }), 4);
}

TEST(Banks, an_increment_whose_result_is_unused_is_free_to_share) {
  EXPECT_EQ(wavefronts(shared_atomic(4, Detail::UnusedIncrement), [](int) { return 0; }), 1);
}

TEST(Banks, compare_and_swap_passes_twice) {
  EXPECT_EQ(wavefronts(shared_atomic(4, Detail::CompareAndSwap), [](int lane) { return 4 * lane; }), 2);
  EXPECT_EQ(wavefronts(shared_atomic(8, Detail::CompareAndSwap), [](int lane) { return 8 * lane; }), 4);
  EXPECT_EQ(wavefronts(shared_atomic(8, Detail::CompareAndSwap), [](int) { return 0; }), 64);
}

TEST(Banks, a_matrix_load_is_one_wavefront_per_eight_rows_in_a_row) {
  trace::Operation matrix = shared_load(16);
  matrix.detail = Detail::Matrix;
  EXPECT_EQ(wavefronts(matrix, [](int lane) { return 16 * lane; }, {0xff}), 1);
  EXPECT_EQ(wavefronts(matrix, [](int lane) { return 16 * lane; }), 4);
  EXPECT_EQ(wavefronts(matrix, [](int lane) { return 128 * lane; }), 32);
  EXPECT_EQ(wavefronts(matrix, [](int lane) { return 144 * lane; }), 4);
}

TEST(Banks, ideal_is_the_width_of_the_memory_or_the_broadcast) {
  const auto ideal = [](trace::Operation operation, int64_t stride) {
    return count_ideal_wavefronts(affine_access(operation, 0, stride));
  };
  EXPECT_EQ(ideal(shared_load(4), 128), 1);
  EXPECT_EQ(ideal(shared_load(8), 256), 2);
  EXPECT_EQ(ideal(shared_load(16), 512), 4);
  EXPECT_EQ(ideal(shared_load(8), 0), 1);
  EXPECT_EQ(ideal(shared_load(16), 0), 2);
  EXPECT_EQ(ideal(shared_store(16), 0), 4);
  EXPECT_EQ(ideal(shared_atomic(4), 0), 1);
  EXPECT_EQ(ideal(shared_atomic(4, Detail::CompareAndSwap), 4), 2);
}

TEST(Banks, the_report_puts_each_word_of_a_conflict_in_a_separate_wavefront) {
  const BankReport report = count_banks(affine_access(shared_load(4), 12, 128));
  EXPECT_EQ(report.wavefronts, 32);
  EXPECT_EQ(report.ideal, 1);
  ASSERT_EQ(report.words.size(), 32u);
  for (int n = 0; n < 32; ++n) {
    EXPECT_EQ(report.words[n].wavefront, n);
    EXPECT_EQ(report.words[n].bank, 3);
    EXPECT_EQ(report.words[n].word, 32u * n + 3);
    EXPECT_EQ(report.words[n].lanes.bits, 1u << n);
  }
}

TEST(Banks, the_report_of_a_broadcast_is_one_word_of_all_lanes) {
  const BankReport report = count_banks(affine_access(shared_load(4), 8, 0));
  ASSERT_EQ(report.words.size(), 1u);
  EXPECT_EQ(report.words[0].lanes, kAllLanes);
  EXPECT_EQ(report.words[0].bank, 2);
}

TEST(Banks, the_report_of_a_wide_load_shows_its_groups_one_after_another) {
  const BankReport report = count_banks(affine_access(shared_load(16), 0, 16));
  EXPECT_EQ(report.wavefronts, 4);
  ASSERT_EQ(report.words.size(), 128u);
  EXPECT_EQ(report.words[0].lanes.bits, 1u);
  EXPECT_EQ(report.words[3].lanes.bits, 1u);
  EXPECT_EQ(report.words[32].lanes.bits, 1u << 8);  // lanes 8..15 come second
  EXPECT_EQ(report.words[32].wavefront, 1);
}

class BankProperties : public ::testing::Test {
 protected:
  void SetUp() override { RecordProperty("seed", std::to_string(seed_)); }
  uint32_t random(uint32_t below) { return static_cast<uint32_t>(generator_() % below); }
  trace::Operation random_operation() {
    trace::Operation operation = shared_load(1 << random(5));
    operation.kind = static_cast<trace::Kind>(random(4));
    return operation;
  }
  uint32_t seed_ = std::random_device{}();

 private:
  std::mt19937 generator_{seed_};
};

TEST_F(BankProperties, the_words_of_a_report_fill_its_wavefronts_and_never_share_a_bank) {
  for (int round = 0; round < 2000; ++round) {
    const trace::Operation operation = random_operation();
    const uint32_t slots = 1 + random(300);
    const WarpPattern warp(operation, [&](int) { return random(slots) * operation.bytes_per_lane; },
                           {1 + random(0xffffffffu)});
    const BankReport report = count_banks(warp.access());
    std::set<std::pair<int, int>> places;
    std::set<int> used;
    for (const BankWord& word : report.words) {
      ASSERT_TRUE(places.insert({word.wavefront, word.bank}).second) << "seed " << seed_;
      ASSERT_EQ(word.bank, word.word % 32);
      used.insert(word.wavefront);
    }
    ASSERT_EQ(used.size(), report.wavefronts) << "seed " << seed_;
    ASSERT_EQ(*used.rbegin() + 1, report.wavefronts) << "seed " << seed_;
    ASSERT_LE(report.ideal, report.address_wavefronts) << "seed " << seed_;
  }
}

TEST_F(BankProperties, one_address_never_conflicts_whatever_the_mask) {
  for (int round = 0; round < 500; ++round) {
    const uint32_t address = 4 * random(1000);
    EXPECT_EQ(wavefronts(shared_load(4), [&](int) { return address; }, {1 + random(0xffffffffu)}), 1)
        << "seed " << seed_;
  }
}

TEST_F(BankProperties, a_column_of_odd_pitch_never_conflicts_whatever_the_mask) {
  for (int round = 0; round < 500; ++round) {
    const uint32_t pitch = 2 * random(500) + 1;
    const uint32_t column = random(pitch);
    EXPECT_EQ(wavefronts(shared_load(4), [&](int lane) { return 4 * (pitch * lane + column); },
                         {1 + random(0xffffffffu)}),
              1)
        << "seed " << seed_;
  }
}

TEST_F(BankProperties, which_lane_holds_which_word_does_not_matter_up_to_four_bytes) {
  for (int round = 0; round < 500; ++round) {
    std::array<uint32_t, 32> offsets{};
    for (uint32_t& offset : offsets) offset = 4 * random(256);
    std::array<uint32_t, 32> shuffled = offsets;
    for (uint32_t n = 31; n > 0; --n) std::swap(shuffled[n], shuffled[random(n + 1)]);
    EXPECT_EQ(wavefronts(shared_load(4), [&](int lane) { return offsets[lane]; }),
              wavefronts(shared_load(4), [&](int lane) { return shuffled[lane]; }))
        << "seed " << seed_;
  }
}

}  // namespace
}  // namespace lanescope::model
