// Pictures one after the other as an animated PNG, which browsers, slides and viewers play. Method: the
// chunks of each picture's PNG are taken over; the first picture stays what a viewer without animation shows.
// Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", chunks acTL, fcTL and fdAT.
// Tests: tests/unit/export/animation_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <span>
#include <string>

namespace lanescope::exporting {

/// A picture of an animation.
struct AnimationFrame {
  std::string png;            // the bytes of a file
  uint16_t milliseconds = 0;  // how long it is shown
};

/// The bytes of the animation, which repeats without end. Errors: Internal where a frame is no PNG, or has
/// another size than the first. At least one frame.
Result<std::string> to_animated_png(std::span<const AnimationFrame> frames);

}  // namespace lanescope::exporting
