// Which blocks are kept, and what a request finds.

#include "caches/sector_origins.h"

#include <gtest/gtest.h>

namespace lanescope::caches {
namespace {

TEST(SectorOrigins, blocks_are_kept_while_the_budget_lasts) {
  const SectorOrigins few(100, 3 * 100 * sizeof(SectorOrigin));
  EXPECT_EQ(few.blocks(), 3u);
  EXPECT_EQ(SectorOrigins(100, 10).blocks(), 1u);
  EXPECT_GT(SectorOrigins(0).blocks(), 1'000'000u);
}

TEST(SectorOrigins, request_of_a_block_that_is_not_kept_is_empty) {
  SectorOrigins origins(1, 2 * sizeof(SectorOrigin));
  for (const uint32_t block : {0u, 1u, 2u}) {
    origins.begin_request({block}, 1);
    origins.add({block}, 1, {.sector = block, .by = {}});
  }
  ASSERT_EQ(origins.of({1}, 1, 0).size(), 1u);
  EXPECT_EQ(origins.of({1}, 1, 0)[0].sector, 1u);
  EXPECT_TRUE(origins.of({1}, 0, 0).empty());
  EXPECT_TRUE(origins.of({2}, 1, 0).empty());
}

TEST(SectorOrigins, request_without_sectors_is_between_those_with_some) {
  SectorOrigins origins(8);
  origins.begin_request({0}, 0);
  origins.add({0}, 0, {.sector = 7, .by = {}});
  origins.begin_request({0}, 0);
  origins.begin_request({0}, 0);
  origins.add({0}, 0, {.sector = 9, .by = {}});
  EXPECT_EQ(origins.of({0}, 0, 0).size(), 1u);
  EXPECT_TRUE(origins.of({0}, 0, 1).empty());
  EXPECT_EQ(origins.of({0}, 0, 2)[0].sector, 9u);
  EXPECT_TRUE(origins.of({0}, 0, 3).empty());
}

}  // namespace
}  // namespace lanescope::caches
