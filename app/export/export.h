// A figure as a file: SVG, PDF, PNG through Cairo, CSV and JSON from its table. Equal to the drawing in the
// window. Files are written under a temporary name and renamed, so a failed export does not change the old
// file. Tests: tests/unit/export/*

#pragma once

#include "base/error.h"
#include "plot/figure.h"

#include <filesystem>
#include <string>

namespace lanescope::exporting {

struct Style {
  plot::Theme theme = plot::Theme::Light;
  float scale = 2;                       // pixels per point, PNG only
  std::filesystem::path font_directory;  // the fonts of the window
};

/// Whether the extension names a format; the error (Usage) lists the formats.
Result<void> check_format(const std::filesystem::path& file);

/// Writes `figure` in the format that the extension names; an unknown one is ErrorKind::Usage and lists them.
Result<void> write_figure(const plot::Figure& figure, const std::filesystem::path& file, const Style& style);

/// The figure's table as text: CSV with a header line and provenance comment lines, or JSON.
std::string to_csv(const plot::Figure& figure);
std::string to_json(const plot::Figure& figure);

/// Writes `bytes` to `file` through a temporary file next to it; the error names the file and the reason.
Result<void> write_file(const std::filesystem::path& file, std::string_view bytes);

/// Whether write_file() can create the file, with its error if not: for use before work that takes minutes.
Result<void> check_place(const std::filesystem::path& file);

}  // namespace lanescope::exporting
