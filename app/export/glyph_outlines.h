// The faces of figures as outlines, for a browser, which has no FreeType: PDF and PNG are filled with them.
// Method: stb_truetype, which Dear ImGui brings, reads the program's own files. Test:
// tests/page/filled_marks_test.cpp

#pragma once

#include "base/error.h"
#include "plot/figure.h"

#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

namespace lanescope::exporting {

struct Point {
  float x = 0, y = 0;
};

/// From the end of the step before: to `end` straight, or by a cubic curve with these handles.
struct PathStep {
  enum class Kind : uint8_t { Move, Line, Curve } kind = Kind::Move;
  Point end;
  Point first = {}, second = {};
};
/// Closed outlines; what is inside is filled, and holes turn the other way. y points down.
using Path = std::vector<PathStep>;

/// In ems, from the beginning of the baseline.
struct Glyph {
  float advance = 0;
  Path path;
};

class GlyphFaces {
 public:
  /// Error: File, where one of the three faces is not in the folder, or is none.
  static Result<GlyphFaces> open(const std::filesystem::path& folder);

  /// A box for a letter that the face lacks.
  const Glyph& glyph(plot::Label::Face face, char32_t letter);

 private:
  std::array<std::vector<unsigned char>, 3> files_;  // [Label::Face]
  std::array<std::map<char32_t, Glyph>, 3> known_;
};

/// The letters of UTF-8, broken bytes as U+FFFD.
std::vector<char32_t> letters_of(std::string_view text);

/// Where the baseline of a label begins.
Point start_of(const plot::Label& label, GlyphFaces& faces);

/// A rectangle with round corners; inwards by `inset`. `turns_back`: as the outline of a hole.
Path outline(const plot::Rect& rect, float inset = 0, bool turns_back = false);

}  // namespace lanescope::exporting
