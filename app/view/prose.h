// Draws the paragraphs of a Markdown text: wrapped, with words in bold and in the face of code.
// Test: tests/gui/lesson_panel_test.cpp

#pragma once

#include "lesson/markdown.h"
#include "view/theme.h"
#include "view/widgets.h"

#include <vector>

namespace lanescope::view {

/// At the cursor, in the width that is there; `style` is that of plain words.
void draw_prose(const Theme& theme, const TextStyle& style, const std::vector<lesson::Paragraph>& paragraphs);

}  // namespace lanescope::view
