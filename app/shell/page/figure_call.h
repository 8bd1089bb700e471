// A figure without the window: what a course page or a handout asks of the program by a link and a figure's
// name. Method: a session that works when it is asked to, the link as one of its commands, then the figure of
// what it shows. Test: tests/page/figure_test.py

#pragma once

#include "base/error.h"
#include "pipeline/options.h"
#include "plot/color.h"
#include "plot/figure.h"

#include <string>

namespace lanescope::shell::page {

struct FigureRequest {
  std::string figure;         // its name, as `plot --figure` takes it: "banks"
  std::string link;           // what is shown, as session/view_link.h has it: "lesson=transpose&access=5"
  plot::Size size{960, 540};  // points
  plot::Theme theme = plot::Theme::Light;
  std::string format = ".svg";  // or ".pdf", ".png"
};

/// The bytes of the figure's file. The lesson's PTX at the link's settings is in options.assets, or
/// options.compile_elsewhere is not set and the error says so. Errors: Usage for a figure, a format or a size
/// that there is not, or a figure of several runs or of recordings alone; those of the link and of the run.
Result<std::string> drawn_figure(const pipeline::Options& options, const FigureRequest& request);

}  // namespace lanescope::shell::page
