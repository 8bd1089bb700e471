// Which level a panel shows, where the totals count the machine code: "SASS" at those of totals, the
// instruction at those that draw one access, "PTX" at the others, with what the assembler made of the access.
// Tests: tests/gui/source_test.cpp

#pragma once

#include "plot/color.h"
#include "sass/match.h"
#include "view/context.h"

#include <optional>
#include <string>

namespace lanescope::view {

struct LevelMark {
  std::string text;     // "SASS", "PTX", "PTX → LDS.128"
  std::string shorter;  // "SASS", "PTX": where a header has no room for the text
  std::string tip;
  plot::Role role = plot::Role::Dim;
};

/// The mark of `context.panel`; none where all panels show the PTX, and of a panel without accesses.
std::optional<LevelMark> level_mark(const Context& context);

/// What a machine instruction has to do with its access of the PTX; none for the same access.
std::optional<Text> text_of(sass::Fate fate);

}  // namespace lanescope::view
