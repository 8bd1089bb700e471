#include "caches/address_map.h"
#include "support/figure_cases.h"
#include "support/figure_labels.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using plot::Frame;

const Frame kFrame{.size = {700, 400}, .language = Language::English, .text = 13};

Figure store_of(Transpose variant) {
  const trace::Trace trace = transpose_trace({.width = 1024, .height = 1024, .variant = variant});
  const trace::WarpAccess access = access_at(trace, 33, 0, 1);  // block (1, 1), its first store
  return plot::sector_figure({&trace, access, 1, 8}, model::count_sectors(access), kFrame);
}

size_t lines_in(const Figure& figure) {
  return static_cast<size_t>(std::ranges::count_if(
      figure.marks, [](const plot::Mark& mark) { return std::holds_alternative<plot::Line>(mark); }));
}

TEST(SectorFigure, a_coalesced_store_joins_32_lanes_to_one_line) {
  const Figure figure = store_of(Transpose::Copy);
  EXPECT_EQ(lines_in(figure), 32);
  EXPECT_EQ(figure.table.rows.size(), 4);
  EXPECT_EQ(figure.headlines[0].value, "4");
  EXPECT_EQ(figure.headlines[2].value, "100\u00a0%");
  EXPECT_EQ(std::ranges::count(labels_of(figure), "32 of 32 B"), 4);
}

TEST(SectorFigure, a_naive_store_is_a_row_per_line_with_what_it_wastes) {
  const Figure figure = store_of(Transpose::Naive);
  EXPECT_EQ(lines_in(figure), 0);
  ASSERT_EQ(figure.table.rows.size(), 32);
  EXPECT_EQ(figure.headlines[0].value, "32");
  EXPECT_EQ(figure.headlines[1].value, "4");
  EXPECT_EQ(figure.headlines[2].value, "12.5\u00a0%");
  EXPECT_TRUE(figure.headlines[2].tip.starts_with("128 of 1,024 bytes\n")) << figure.headlines[2].tip;
  EXPECT_GT(std::ranges::count(labels_of(figure), "4 of 32 B"), 8);
  // Lane 0 of block (1, 1) stores to out[32][32]: byte 32 x 4096 + 128.
  EXPECT_EQ(std::get<std::string>(figure.table.rows[0][2]), "out[32][32]");
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[0][3]), 32 * 4096 + 128);
}

TEST(SectorFigure, the_subtitle_says_which_buffer) {
  EXPECT_EQ(store_of(Transpose::Copy).subtitle,
            "line 6 · block (1, 1) · warp 0 · access 2 of 8 · writes to out");
}

TEST(SectorFigure, the_tooltip_of_a_lane_is_its_address) {
  const Figure figure = store_of(Transpose::Copy);
  const auto lane = std::ranges::find_if(
      figure.picks, [](const plot::Pick& pick) { return pick.tip == "lane 7: 4 bytes at out[32][39]"; });
  ASSERT_NE(lane, figure.picks.end());
  EXPECT_EQ(lane->lanes, LaneMask{1u << 7});
}

TEST(SectorFigure, sectors_have_the_level_that_they_came_from) {
  const trace::Trace trace = transpose_trace({.width = 1024, .height = 1024, .variant = Transpose::Copy});
  const trace::WarpAccess access = access_at(trace, 33, 0, 0);  // block (1, 1), its first load
  const model::SectorReport report = model::count_sectors(access);
  const caches::AddressMap addresses(trace.buffers);
  std::vector<caches::SectorOrigin> origins;
  for (const model::SectorUse& use : report.used)
    origins.push_back({.sector = addresses.global(use.address) / model::kSectorBytes,
                       .level = caches::CacheLevel::L1,
                       .by = {{5}, 2, 0}});
  origins[3].level = caches::CacheLevel::Dram;
  const Figure figure = plot::sector_figure({&trace, access, 0, 8}, report, kFrame, origins);
  EXPECT_EQ(std::ranges::count(labels_of(figure), "32 of 32 B · L1"), 3);
  EXPECT_EQ(std::ranges::count(labels_of(figure), "32 of 32 B · DRAM"), 1);
  EXPECT_TRUE(
      figure.explanation.ends_with("MODEL: of 4 sectors 3 are in the L1, 0 in the L2, 1 come from the DRAM."))
      << figure.explanation;
  EXPECT_TRUE(std::ranges::any_of(figure.picks, [](const plot::Pick& pick) {
    return pick.tip.find("block 5, warp 2 brought it") != std::string::npos;
  }));
  ASSERT_EQ(figure.table.columns.size(), 10u);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[0][7]), "L1");
  EXPECT_EQ(std::get<int64_t>(figure.table.rows[0][8]), 5);
  EXPECT_EQ(std::get<std::string>(figure.table.rows[3][7]), "DRAM");
  EXPECT_EQ(std::get<std::string>(figure.table.rows[3][8]), "");
}

TEST(SectorFigure, an_access_that_needs_no_sector_leaves_the_sheet_empty) {
  const trace::Trace trace = lone_trace({.space = trace::Space::Constant});
  const trace::WarpAccess access{.site = SiteId{0},
                                 .cta = {},
                                 .warp = {},
                                 .active = kAllLanes,
                                 .operation = {.space = trace::Space::Constant},
                                 .addresses = {}};
  EXPECT_TRUE(plot::sector_figure({&trace, access, 0, 1}, {}, kFrame).marks.empty());
}

}  // namespace
}  // namespace lanescope::tests
