// The rule of the slices on the measured map of an H200: learned on one page, it holds on every other.

#include "model/slice_fit.h"

#include "model/address_maps.h"

#include <vector>

#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

/// A page of the measured buffer, which address_maps_test.cpp compares with the measurement.
std::vector<MeasuredGranule> page(uint32_t number) {
  std::vector<MeasuredGranule> granules;
  for (uint32_t offset = 0; offset < kSlicePageBytes; offset += kSliceGranuleBytes) {
    const H200Slice slice = h200_slice_of(uint64_t{number} * kSlicePageBytes + offset);
    granules.push_back({offset, {static_cast<uint8_t>(slice.pair), static_cast<uint8_t>(slice.home)}});
  }
  return granules;
}

TEST(SliceFit, learns_a_whole_page) {
  const auto granules = page(0);
  const auto learnt = learn_page(granules);
  ASSERT_TRUE(learnt);
  for (const MeasuredGranule& granule : granules)
    ASSERT_EQ(slice_in_page(learnt->table, learnt->base, granule.offset), granule.slice) << granule.offset;
}

TEST(SliceFit, the_rule_of_one_page_holds_on_all_others) {
  const auto learnt = learn_page(page(0));
  ASSERT_TRUE(learnt);
  for (const uint32_t number : {1u, 2u, 7u, 100u, 511u}) {
    const auto granules = page(number);
    const auto base = fit_page(learnt->table, granules);
    ASSERT_TRUE(base) << number;
    for (const MeasuredGranule& granule : granules)
      ASSERT_EQ(slice_in_page(learnt->table, *base, granule.offset), granule.slice) << number;
  }
}

TEST(SliceFit, a_few_dozen_granules_are_enough_for_a_page) {
  const auto learnt = learn_page(page(0));
  ASSERT_TRUE(learnt);
  const auto whole = page(33);
  std::vector<MeasuredGranule> few;
  for (size_t n = 0; n < 32; ++n) few.push_back(whole[(n * 5077) % whole.size()]);
  const auto base = fit_page(learnt->table, few);
  ASSERT_TRUE(base);
  EXPECT_EQ(base, fit_page(learnt->table, whole));
}

TEST(SliceFit, one_contradicting_granule_rejects_the_rule) {
  auto granules = page(0);
  granules[4000].slice.pair = static_cast<uint8_t>((granules[4000].slice.pair + 1) % kSlicePairs);
  EXPECT_FALSE(learn_page(granules));
  const auto learnt = learn_page(page(0));
  ASSERT_TRUE(learnt);
  auto other = page(3);
  other[17].slice.home ^= 1;
  EXPECT_FALSE(fit_page(learnt->table, other));
}

TEST(SliceFit, too_few_granules_give_no_base) {
  const auto learnt = learn_page(page(0));
  ASSERT_TRUE(learnt);
  const auto whole = page(5);
  EXPECT_FALSE(fit_page(learnt->table, std::span(whole).first(1)));
}

}  // namespace
}  // namespace lanescope::model
