// The marks of a figure as triangles of a draw list, with what the pointer is over brought forward and the
// rest stepped back. Cells are drawn elsewhere (figure_view.cpp): they need a shader.

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// How a mark takes part in what is hovered.
enum class Emphasis { None, Forward, Back };
Emphasis emphasis_of(const Highlight& highlight, const plot::Pick* pick);

enum class Ticks {
  Drawn,
  LeftOut  // next to a zoomed map: the numbers of its whole extent would be wrong
};

/// Draws all marks but cells with the figure's upper left corner at `corner`.
void draw_plain_marks(const Theme& theme, const Highlight& highlight, ImDrawList& list, ImVec2 corner,
                      const plot::Figure& figure, Ticks ticks = Ticks::Drawn);

/// A text with its vertical middle at `at`, as Label says, `em_pixels` large.
void draw_label(const Theme& theme, ImDrawList& list, ImVec2 at, Face face, float em_pixels, ImU32 color,
                plot::Label::Anchor anchor, std::string_view text);

}  // namespace lanescope::view
