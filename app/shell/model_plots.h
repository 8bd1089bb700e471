// The figures of `lanescope plot` that need several runs or none: strides, published, widths, queues.
// Tests: tests/cli/model_plot_test.cpp

#pragma once

#include "plot/figure.h"
#include "plot/figures.h"
#include "shell/run_arguments.h"

#include <string>
#include <vector>

namespace lanescope::shell {

struct ModelPlotArguments {
  std::string maps = "gt200,h200";  // of strides
  uint32_t accesses = 128;          // of strides
  std::string beside = "diagonal";  // of queues: the kernel shown beside the chosen one
  uint32_t width_step = 16;         // of widths
};

bool is_model_plot(const std::string& figure);
const std::vector<std::string>& model_plot_names();
Result<plot::Figure> make_model_plot(const std::string& figure, const ModelPlotArguments& arguments,
                                     const RunArguments& run, const Paths& paths, const plot::Frame& frame);

}  // namespace lanescope::shell
