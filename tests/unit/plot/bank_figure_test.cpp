#include "support/figure_cases.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Figure;
using plot::Frame;
using plot::Label;
using plot::Rect;

const Frame kFrame{.size = {900, 500}, .language = Language::English, .text = 13};

Figure column_of_tile(uint32_t padding, const Frame& frame = kFrame) {
  const trace::Trace trace = transpose_trace({.width = 128, .height = 128, .padding = padding});
  const trace::WarpAccess access = access_at(trace, 7, 2, 8);
  return plot::bank_figure({&trace, access, 8, 16}, model::count_banks(access), frame);
}

Figure every_lane_at(uint64_t offset) {
  return lone_bank_figure({.space = trace::Space::Shared}, offsets_of([offset](int) { return offset; }),
                          kAllLanes, kFrame);
}

/// Rectangles whose pick speaks of a word.
std::vector<Rect> words_of(const Figure& figure) {
  std::vector<Rect> words;
  for (const plot::Mark& mark : figure.marks) {
    const auto* rect = std::get_if<Rect>(&mark);
    if (rect == nullptr || !rect->pick) continue;
    if (figure.picks[*rect->pick].tip.find("of shared memory") != std::string::npos) {
      words.push_back(*rect);
    }
  }
  return words;
}

bool says(const Figure& figure, std::string_view text) {
  return std::ranges::any_of(figure.marks, [&](const plot::Mark& mark) {
    const auto* label = std::get_if<Label>(&mark);
    return label != nullptr && label->text == text;
  });
}

TEST(BankFigure, a_column_of_an_unpadded_tile_fills_32_rows_of_one_bank) {
  const Figure figure = column_of_tile(0);
  const std::vector<Rect> words = words_of(figure);
  ASSERT_EQ(words.size(), 32);
  std::set<float> rows;
  for (const Rect& word : words) {
    EXPECT_EQ(word.x, words.front().x);
    rows.insert(word.y);
  }
  EXPECT_EQ(rows.size(), 32);
  EXPECT_EQ(figure.table.rows.size(), 32);
}

TEST(BankFigure, a_column_of_a_padded_tile_fills_one_row_of_32_banks) {
  const std::vector<Rect> words = words_of(column_of_tile(1));
  ASSERT_EQ(words.size(), 32);
  std::set<float> columns;
  for (const Rect& word : words) {
    EXPECT_EQ(word.y, words.front().y);
    columns.insert(word.x);
  }
  EXPECT_EQ(columns.size(), 32);
}

TEST(BankFigure, headlines_are_wavefronts_ideal_and_excess) {
  const Figure figure = column_of_tile(0);
  ASSERT_EQ(figure.headlines.size(), 3);
  EXPECT_EQ(figure.headlines[0].value, "32");
  EXPECT_EQ(figure.headlines[0].label, "wavefronts");
  EXPECT_EQ(figure.headlines[1].value, "1");
  EXPECT_EQ(figure.headlines[2].value, "31");
  EXPECT_EQ(figure.headlines[2].color, plot::Color::of(plot::Role::Bad));
  EXPECT_EQ(column_of_tile(1).headlines[0].label, "wavefront");
  EXPECT_EQ(column_of_tile(1).headlines[2].color, plot::Color::of(plot::Role::Good));
}

TEST(BankFigure, words_take_the_color_of_their_lane) {
  // Lane l of the padded column is at word 33 l + 2: bank (l + 2) mod 32, so bank 2 is lane 0's.
  const std::vector<Rect> words = words_of(column_of_tile(1));
  EXPECT_EQ(*words[2].fill, plot::Color::of_lane(0));
  EXPECT_EQ(*words[0].fill, plot::Color::of_lane(30));
}

TEST(BankFigure, a_single_row_stays_a_row_and_names_its_lanes) {
  const Figure figure = column_of_tile(1);
  for (const Rect& word : words_of(figure)) EXPECT_LT(word.height, 150);
  EXPECT_TRUE(says(figure, "31"));
}

TEST(BankFigure, a_broadcast_is_one_cell_that_says_how_many_share_it) {
  const Figure figure = every_lane_at(20);
  EXPECT_EQ(figure.table.rows.size(), 1);
  EXPECT_TRUE(says(figure, "×32"));
}

TEST(BankFigure, an_absent_lane_stays_empty_in_the_strip) {
  const Figure figure =
      lone_bank_figure({.space = trace::Space::Shared}, offsets_of([](int lane) { return lane * 4; }),
                       LaneMask{0xffff}, kFrame);
  const auto absent = std::ranges::count_if(
      figure.picks, [](const plot::Pick& pick) { return pick.tip.find("is inactive") != std::string::npos; });
  EXPECT_EQ(absent, 16);
}

TEST(BankFigure, clicking_a_word_leads_to_its_lane) {
  const Figure figure = column_of_tile(0);
  const Rect word = words_of(figure)[5];
  const plot::Pick* pick = plot::pick_at(figure, word.x + word.width / 2, word.y + word.height / 2);
  ASSERT_NE(pick, nullptr);
  EXPECT_EQ(pick->lanes, LaneMask{1u << 5});
  EXPECT_EQ(pick->tip, "lane 5: word 162 of shared memory, bank 2, wavefront 5");  // 32 x 5 + 2
}

TEST(BankFigure, is_translated_to_french) {
  const Figure figure = column_of_tile(0, {.size = {900, 500}, .language = Language::French, .text = 13});
  EXPECT_EQ(figure.title, "Bancs");
  EXPECT_EQ(figure.headlines[2].label, "excès");
  EXPECT_TRUE(says(figure, "banc"));
}

}  // namespace
}  // namespace lanescope::tests
