// What stands beside the lines of a source: the costs of the run, the line of the current access, errors and
// hazards. The listing and the editor draw the same. Tests: tests/gui/stepping_test.cpp,
// tests/gui/editor_test.cpp

#pragma once

#include "session/source_texts.h"
#include "view/context.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace lanescope::view {

/// What one request of a line costs on average, and whether that is more than it must.
struct Price {
  std::string text;
  std::string tip;
  bool excess = false;
  std::array<float, 3> levels{};  // shares of the loaded sectors from the L1, the L2, the DRAM; 0: not known
};

/// [line - 1] of the run's source.
std::vector<Price> prices_of(const Context& context);
/// Pixels of the column of prices: of the widest one.
float price_width(const Theme& theme, const std::vector<Price>& prices);
/// Right-aligned at `right_middle`.
void draw_price(const Theme& theme, ImDrawList& list, ImVec2 right_middle, const Price& price);

/// Of one text; its lines are counted from 1.
struct SourceMarks {
  const std::vector<Price>* prices = nullptr;  // null: the text is not that of the run's source
  int current = 0;                             // line of the current access, or of the first error; 0: none
  int hinted = 0;                              // line that the pointer is over elsewhere
  std::map<int, std::string> errors;           // [line] of the compiler
  std::map<int, std::string> hazards;          // [line] that a check found in the run
};

/// The name of a file without its folders.
std::string file_name(const std::string& path);
/// The text that is shown in place of the run's: of what did not run, where that is another one or has
/// errors in it; null where the run's is shown.
const session::FailedRun* failed_text(const session::Snapshot& now);
/// The marks of one of the sources; `is_main`: it is the source itself, and no header.
SourceMarks marks_of(const Context& context, const std::string& name, bool is_main,
                     const std::vector<Price>& prices);

}  // namespace lanescope::view
