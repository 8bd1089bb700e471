// The machine code beside the PTX: its memory instructions, as far as app/sass decodes them, of one line of
// the source or all. Those that make the current access are marked; pointing at one shows the line that it
// comes from. Below them registers, shared memory and the blocks that they leave room for. Tests:
// tests/gui/source_test.cpp

#pragma once

#include "view/code.h"
#include "view/context.h"

#include <memory>
#include <vector>

namespace lanescope::view {

class SassListing {
 public:
  /// `level`: what is listed, not null.
  void read(const std::shared_ptr<const sass::MachineLevel>& level);
  /// `source_line_of`: [PTX line - 1]. `line`: of the source, whose instructions are listed; 0: all. Returns
  /// the line of the source that the instruction under the pointer comes from; 0 where there is none.
  int draw(const Context& context, const std::vector<int>& source_line_of, int line);

 private:
  struct Row {
    ListingLine code;
    int ptx_line = 0;
    Text tip{};
    bool has_tip = false;
    size_t sites = 1;  // of the PTX that the instruction stands for
  };
  void draw_resources(const Context& context) const;
  void draw_row(const Context& context, size_t row, int source_line);
  /// True if the instruction makes the access that is shown.
  bool is_of_access(const Context& context, size_t row) const;

  std::shared_ptr<const sass::MachineLevel> level_;
  std::vector<Row> rows_;  // [access of the match]
  int hovered_ = 0;        // line of the source, found in this frame
  int scrolled_to_ = -1;   // row that was brought into view last
};

}  // namespace lanescope::view
