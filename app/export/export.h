// A figure as a file: SVG, PDF, PNG through Cairo, CSV and JSON from its table. Equal to the drawing in the
// window. Files are written whole (base/file.h), so a failed export does not change the old file. Tests:
// tests/unit/export/*

#pragma once

#include "base/error.h"
#include "plot/figure.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::exporting {

struct Style {
  plot::Theme theme = plot::Theme::Light;
  float scale = 2;                       // pixels per point, PNG only
  std::filesystem::path font_directory;  // the fonts of the window
};

/// The formats of this build, as extensions without the point: "svg", ...
std::vector<std::string> figure_formats();
/// Whether the extension names a format; the error (Usage) lists the formats.
Result<void> check_format(const std::filesystem::path& file);

/// Writes `figure` in the format that the extension names; an unknown one is ErrorKind::Usage and lists them.
Result<void> write_figure(const plot::Figure& figure, const std::filesystem::path& file, const Style& style);
/// The same figure of the runs A, B, ... in one file, each with its letter. At least one.
Result<void> write_figures(std::span<const plot::Figure> figures, const std::filesystem::path& file,
                           const Style& style);

/// The figure's table as text: CSV with a header line and provenance comment lines, or JSON. Of several runs
/// the tables of all, where the first column is the run's letter.
std::string to_csv(std::span<const plot::Figure> figures);
std::string to_json(std::span<const plot::Figure> figures);

}  // namespace lanescope::exporting
