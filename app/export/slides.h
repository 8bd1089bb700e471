// A series of pages of one size for a projector: the figures that a sentence is about, and the sentence in
// large text below. Method: each figure keeps the page that it has as a file (page.h), with provenance and
// source, and is scaled to its part of the slide. Tests: tests/unit/export/slides_test.cpp

#pragma once

#include "export/export.h"
#include "plot/figures.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::exporting {

/// A piece of a sentence.
struct CaptionPiece {
  std::string text;
  bool is_strong = false;
};

struct Slide {
  std::string title;                  // of the series
  std::string count;                  // "3 / 8"
  std::vector<plot::Figure> figures;  // at most 4, side by side; empty: the caption is alone and larger
  std::vector<CaptionPiece> caption;
};

/// Points; 16 : 9.
inline constexpr plot::Size kSlideSize{1280, 720};
/// A good size to draw a figure in that shares a slide with others: with its headlines and sentences it then
/// fills its part of the slide.
plot::Frame slide_frame(size_t figures);

/// Whether the extension names a format of slides; the error (Usage) lists the formats.
Result<void> check_slide_format(const std::filesystem::path& file);

/// Writes the slides as the extension says: .pdf, a page for each; .png, a file for each with its number
/// before the extension; .apng, an animation in which each is shown as long as its caption takes to read.
/// Returns the files. Errors: Usage for another extension, File.
Result<std::vector<std::filesystem::path>> write_slides(std::span<const Slide> slides,
                                                        const std::filesystem::path& file,
                                                        const Style& style);

/// The picture of a slide as a PNG.
Result<std::string> slide_png(const Slide& slide, const Style& style);
/// How long a slide of an animation is shown.
unsigned reading_milliseconds(const Slide& slide);

}  // namespace lanescope::exporting
