// Properties of every figure at every size: no mark leaves the sheet, no two texts overlap, no text is too
// small, every pick exists, every row of the table is whole.

#include "plot/sheet.h"
#include "support/figure_cases.h"

#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::tests {
namespace {

using plot::Box;
using plot::Figure;
using plot::Frame;
using plot::Label;

const std::vector<Frame> kFrames = [] {
  std::vector<Frame> frames;
  for (const plot::Size size :
       {plot::Size{300, 180}, {440, 290}, {560, 330}, {360, 700}, {1100, 70}, {1600, 900}}) {
    for (const float text : {11.0f, 16.0f, 22.0f}) {
      const Language language = text == 16 ? Language::French : Language::English;
      frames.push_back({size, language, text});
    }
  }
  return frames;
}();

void for_each_figure(const std::function<void(const Figure&, const std::string& where)>& check) {
  for_each_figure_case([&](std::string_view name, const FigureMaker& make) {
    for (const Frame& frame : kFrames) {
      check(make(frame),
            fmt::format("{} at {} x {}, text {}", name, frame.size.width, frame.size.height, frame.text));
    }
  });
}

struct Extent {
  Box operator()(const plot::Rect& rect) const { return {rect.x, rect.y, rect.width, rect.height}; }
  Box operator()(const plot::Line& line) const {
    return {std::min(line.x1, line.x2), std::min(line.y1, line.y2), std::abs(line.x2 - line.x1),
            std::abs(line.y2 - line.y1)};
  }
  Box operator()(const Label& label) const { return plot::box_of(label); }
  Box operator()(const plot::Cells& cells) const { return {cells.x, cells.y, cells.width, cells.height}; }
};

TEST(Layout, marks_stay_on_the_sheet) {
  for_each_figure([](const Figure& figure, const std::string& where) {
    constexpr float kStroke = 1;  // an outline may reach this far over the edge
    for (const plot::Mark& mark : figure.marks) {
      const Box box = std::visit(Extent{}, mark);
      ASSERT_GE(box.x, -kStroke) << where;
      ASSERT_GE(box.y, -kStroke) << where;
      ASSERT_LE(box.right(), figure.size.width + kStroke) << where << ", mark " << mark.index();
      ASSERT_LE(box.bottom(), figure.size.height + kStroke) << where << ", mark " << mark.index();
      ASSERT_GE(box.width, 0) << where;
      ASSERT_GE(box.height, 0) << where;
    }
  });
}

TEST(Layout, texts_do_not_overlap) {
  for_each_figure([](const Figure& figure, const std::string& where) {
    std::vector<Box> boxes;
    std::vector<std::string> texts;
    for (const plot::Mark& mark : figure.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label == nullptr) continue;
      boxes.push_back(plot::box_of(*label));
      texts.push_back(label->text);
    }
    for (size_t a = 0; a < boxes.size(); ++a) {
      for (size_t b = a + 1; b < boxes.size(); ++b) {
        ASSERT_FALSE(plot::overlap(boxes[a], boxes[b]))
            << where << ": '" << texts[a] << "' and '" << texts[b] << "'";
      }
    }
  });
}

TEST(Layout, no_text_is_smaller_than_seven_tenths_of_the_ordinary) {
  for_each_figure([](const Figure& figure, const std::string& where) {
    for (const plot::Mark& mark : figure.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label != nullptr) {
        ASSERT_GE(label->size + 0.02f, 0.7f * figure.text) << where << ": " << label->text;
      }
    }
  });
}

TEST(Layout, picks_and_tables_are_whole) {
  for_each_figure([](const Figure& figure, const std::string& where) {
    std::set<size_t> used;
    for (const plot::Mark& mark : figure.marks) {
      if (const auto* rect = std::get_if<plot::Rect>(&mark); rect != nullptr && rect->pick)
        used.insert(*rect->pick);
      if (const auto* line = std::get_if<plot::Line>(&mark); line != nullptr && line->pick)
        used.insert(*line->pick);
    }
    for (const size_t pick : used) ASSERT_LT(pick, figure.picks.size()) << where;
    for (const plot::Pick& pick : figure.picks) ASSERT_FALSE(pick.tip.empty()) << where;
    for (const auto& row : figure.table.rows) ASSERT_EQ(row.size(), figure.table.columns.size()) << where;
    for (const plot::Column& column : figure.table.columns) {
      ASSERT_EQ(column.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << where;
    }
    ASSERT_FALSE(figure.title.empty()) << where;
    ASSERT_FALSE(figure.source.empty()) << where;
  });
}

TEST(Layout, a_larger_sheet_has_at_least_as_many_labels) {
  // Headings that a small sheet has no room for come back on a large one.
  for_each_figure_case([](std::string_view name, const FigureMaker& make) {
    if (name == "partitions-unknown") return;  // a sentence, in fewer lines where there is more room
    const auto labels = [&](plot::Size size) {
      size_t count = 0;
      for (const plot::Mark& mark : make({size, Language::English, 13}).marks) {
        count += std::holds_alternative<Label>(mark) ? 1 : 0;
      }
      return count;
    };
    EXPECT_LE(labels({300, 180}), labels({1600, 900})) << name;
  });
}

TEST(Layout, an_empty_sheet_does_not_crash) {
  for_each_figure_case([](std::string_view, const FigureMaker& make) {
    for (const plot::Size size : {plot::Size{0, 0}, {1, 1}, {40, 30}, {2000, 3}, {3, 2000}}) {
      make({size, Language::English, 13});
    }
  });
}

}  // namespace
}  // namespace lanescope::tests
