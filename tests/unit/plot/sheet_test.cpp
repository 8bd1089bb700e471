#include "plot/sheet.h"

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

Label mono(float x, float y, std::string text) {
  return {.x = x, .y = y, .text = std::move(text), .size = 10, .color = {}, .face = Label::Face::Mono};
}

TEST(Sheet, a_label_over_the_edge_is_refused) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 50}});
  EXPECT_TRUE(sheet.place(mono(40, 5, "0123456789")));    // 40 to 100
  EXPECT_FALSE(sheet.place(mono(41, 25, "0123456789")));  // ends at 101
  EXPECT_FALSE(sheet.place(mono(0, 4, "a")));             // begins at -1
  EXPECT_FALSE(sheet.place(mono(0, 46, "a")));
  EXPECT_EQ(figure.marks.size(), 1);
}

TEST(Sheet, a_label_on_another_one_is_refused) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 50}});
  EXPECT_TRUE(sheet.place(mono(0, 10, "ab")));  // 0 to 12, 5 to 15
  EXPECT_FALSE(sheet.place(mono(11, 10, "c")));
  EXPECT_FALSE(sheet.place(mono(0, 19, "c")));
  EXPECT_TRUE(sheet.place(mono(12, 10, "c")));
  EXPECT_TRUE(sheet.place(mono(0, 20, "c")));
}

TEST(Sheet, an_empty_label_is_not_a_mark) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 50}});
  EXPECT_FALSE(sheet.place(mono(10, 10, "")));
  EXPECT_TRUE(figure.marks.empty());
}

TEST(Sheet, a_number_is_written_only_into_a_cell_that_holds_it) {
  Figure figure;
  Sheet sheet(figure, {.size = {100, 50}});
  EXPECT_TRUE(sheet.inscribe("12", {0, 0, 14, 10}, 10, {}, Label::Face::Mono));  // 12 wide and 1 on each side
  EXPECT_FALSE(sheet.inscribe("12", {0, 0, 13, 10}, 10, {}, Label::Face::Mono));
  EXPECT_FALSE(sheet.inscribe("12", {0, 0, 14, 9}, 10, {}, Label::Face::Mono));
}

TEST(Sheet, type_shrinks_to_the_cell_down_to_the_given_minimum) {
  EXPECT_FLOAT_EQ(fitting_size("12", 14, 100, 8, 20, Label::Face::Mono), 10);
  EXPECT_FLOAT_EQ(fitting_size("12", 100, 12, 8, 20, Label::Face::Mono), 12);
  EXPECT_FLOAT_EQ(fitting_size("12", 100, 100, 8, 20, Label::Face::Mono), 20);
  EXPECT_EQ(fitting_size("12", 10, 100, 8, 20, Label::Face::Mono), 0);
}

TEST(Sheet, the_figure_takes_the_frames_size_language_and_text) {
  Figure figure;
  const Sheet sheet(figure, {.size = {320, 200}, .language = Language::French, .text = 18});
  EXPECT_EQ(figure.size, (Size{320, 200}));
  EXPECT_EQ(figure.language, Language::French);
  EXPECT_EQ(figure.text, 18);
}

}  // namespace
}  // namespace lanescope::plot
