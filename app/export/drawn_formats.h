// The formats in which a figure is drawn, as far as this build has them: those of Cairo, or in a browser what
// needs no library.

#pragma once

#include "export/export.h"

#include <string_view>

namespace lanescope::exporting {

using Figures = std::span<const plot::Figure>;
/// The bytes of a file with the figures, of which there is at least one.
using Writer = Result<std::string> (*)(Figures, const Style&);

struct DrawnFormat {
  std::string_view extension;  // ".svg"
  Writer write;
};
std::span<const DrawnFormat> drawn_formats();

}  // namespace lanescope::exporting
