// A source that is read and not edited: numbers, costs, code, errors. Lines that are wider than the panel
// continue below themselves, so that every index can be read; the current line is kept in sight.
// Tests: tests/gui/stepping_test.cpp, tests/gui/source_test.cpp

#pragma once

#include "view/code.h"
#include "view/source/source_marks.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

class SourceListing {
 public:
  void read(const std::string& text, Syntax syntax);
  const std::string& text() const { return text_; }
  /// Brings this line into view in the next frame.
  void show_line(int line) { wanted_ = line; }
  /// The current line is brought into view again.
  void follow() { scrolled_to_ = 0; }
  /// Where the pointer and the last click are; 0: on no line.
  struct Pointer {
    int hovered = 0;
    int clicked = 0;
  };
  /// `marked`: a line that is highlighted as the one a person asked for; 0: none.
  Pointer draw(const Context& context, const SourceMarks& marks, float width_of_prices, int marked,
               ImVec2 size);

  /// The lines that are in sight as a whole, from 1; for tests.
  struct Seen {
    int first = 0, last = 0;
  };
  Seen seen() const { return seen_; }

 private:
  void wrap(const Theme& theme, float room);
  void scroll(const Theme& theme, int current);
  void draw_row(const Context& context, const SourceMarks& marks, const CodeRow& row, int marked,
                Pointer& pointer);
  size_t first_row_of(int line) const;

  std::string text_;
  Syntax syntax_ = Syntax::Cuda;
  std::vector<ListingLine> lines_;
  std::vector<CodeRow> rows_;
  size_t columns_ = 0;     // that the rows were cut for; 0: not yet
  float code_left_ = 0;    // pixels from the left edge to the code
  float width_ = 0;        // of a row
  float seen_height_ = 0;  // of the listing, in rows
  int scrolled_to_ = 0;    // line that was brought into view last
  bool is_new_ = false;    // the text: from its beginning, unless a line is asked for
  std::optional<int> wanted_;
  Seen seen_;
};

}  // namespace lanescope::view
