// How wide a text will be, before any font is loaded: figures lay themselves out without drawing.
// Method: a table of Inter's advances (every digit as wide as the widest, as tabular figures are), and 0.6 em
// for the monospaced face; the strong face counts 8 % wider. The estimate is meant to be a little too wide
// rather than too narrow. Source: advances of Inter 4.0 and JetBrains Mono 2.242, read with FreeType.
// Tests: tests/unit/plot/text_width_test.cpp

#pragma once

#include "plot/figure.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::plot {

/// Height of a capital or a digit over the em, Inter 4.0: texts are centered by it, on screen and in files.
inline constexpr double kCapitalHeight = 0.727;

/// Width of UTF-8 `text` in points.
float text_width(std::string_view text, float size, Label::Face face);

/// `text`, or as much of its beginning as fits into `width` with an ellipsis; empty if not even that fits.
std::string shorten(std::string_view text, float width, float size, Label::Face face);

/// `text` broken at spaces into lines that fit into `width`. A wider word gets its own line.
std::vector<std::string> wrap(std::string_view text, float width, float size, Label::Face face);

}  // namespace lanescope::plot
