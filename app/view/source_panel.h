// The kernel's text with what each line costs, and the PTX of the current line below it. A compile error
// shows the compiler's log, with its lines marked. Tests: tests/gui/source_test.cpp

#pragma once

#include "view/context.h"
#include "view/listing.h"

#include <string>
#include <vector>

namespace lanescope::view {

class SourcePanel {
 public:
  void draw(const Context& context);

 private:
  void read(const pipeline::Run& run);
  void draw_source(const Context& context, ImVec2 size);
  void draw_source_line(const Context& context, int line, ImVec2 corner, float width);
  void draw_splitter(const Context& context, float room);
  void draw_ptx(const Context& context);
  int current_line(const Context& context) const;

  const pipeline::Run* shown_ = nullptr;
  std::string source_text_, ptx_text_;  // what the listings were made of
  std::vector<ListingLine> source_, ptx_;
  std::vector<int> source_line_of_;  // [PTX line - 1]
  float ptx_share_ = 0.24f;          // of the panel's height
  float price_width_ = 0;            // pixels of the column of prices
  int scrolled_to_ = 0;              // line that was brought into view last
  int scrolled_ptx_ = 0;
  enum class PtxExtent { OfLine, Whole } extent_ = PtxExtent::OfLine;
};

}  // namespace lanescope::view
