// The PTX below a source: the instructions of one line of it, or all, with the one of the current access
// marked. Pointing at an instruction shows the line that it comes from. Where the totals count the machine
// code, that is listed beside it.
// Tests: tests/gui/stepping_test.cpp, tests/gui/source_test.cpp

#pragma once

#include "view/code.h"
#include "view/context.h"
#include "view/source/sass_listing.h"

#include <string>
#include <vector>

namespace lanescope::view {

class PtxListing {
 public:
  /// `source`: the file whose lines the instructions are looked up in.
  void read(const std::string& ptx, const std::string& source);
  /// `line`: of the source, 0 for none; `is_hovered`: the pointer is over it. Returns the line of the source
  /// that the instruction under the pointer comes from; 0 where there is none.
  int draw(const Context& context, int line, bool is_hovered);
  void follow() { scrolled_to_ = 0; }

 private:
  void draw_header(const Context& context, int line);
  static void draw_level(const Context& context, ImVec2 right_top);
  void draw_rows(const Context& context, int line, bool is_hovered);
  std::vector<int> rows_of(int line) const;
  void draw_row(const Context& context, int row, int current, int line);

  std::string text_, source_;
  std::vector<ListingLine> lines_;
  std::vector<int> source_line_of_;  // [PTX line - 1]
  SassListing sass_;
  int scrolled_to_ = 0;  // PTX line that was brought into view last
  int hovered_ = 0;      // line of the source, found in this frame
  enum class Extent { OfLine, Whole } extent_ = Extent::OfLine;
};

}  // namespace lanescope::view
