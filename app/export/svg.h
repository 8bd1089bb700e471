// Adds to Cairo's SVG what it lacks: ids that do not depend on earlier drawings, and a text description for
// screen readers (Cairo writes text as outlines). Tests: tests/unit/export/svg_test.cpp

#pragma once

#include "plot/figure.h"

#include <span>
#include <string>
#include <string_view>

namespace lanescope::exporting {

/// The text without what has a meaning in XML, and without control characters.
std::string escaped(std::string_view text);
/// escaped(), also between the double quotes of an attribute.
std::string escaped_in_quotes(std::string_view text);

/// `svg` with its ids numbered in order of appearance, and a title and a description of the figures in front.
std::string finish_svg(std::string svg, std::span<const plot::Figure> figures);

}  // namespace lanescope::exporting
