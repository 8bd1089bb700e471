// The fonts of the window for Cairo: Inter and JetBrains Mono from files, so that a figure looks the same on
// a machine where neither is installed. Method: FreeType opens the file, Cairo draws it. If a file is
// missing, Cairo's "sans-serif" or "monospace" replaces it. Tests: tests/unit/export/write_figure_test.cpp

#pragma once

#include "plot/figure.h"

#include <array>
#include <filesystem>
#include <memory>

#include <cairo.h>

namespace lanescope::exporting {

class Faces {
 public:
  /// Opens the faces that are in `directory`; an empty path opens none.
  explicit Faces(const std::filesystem::path& directory);

  /// Sets the face and its size (of the em) on `cairo`.
  void select(cairo_t* cairo, plot::Label::Face face, float size) const;

 private:
  struct Destroy {
    void operator()(cairo_font_face_t* face) const { cairo_font_face_destroy(face); }
  };
  std::array<std::unique_ptr<cairo_font_face_t, Destroy>, 3> faces_;  // [Label::Face], null: replacement
};

}  // namespace lanescope::exporting
