// `lanescope plot --from`: figures and tables of a sweep. Tests: tests/cli/sweep_plot_test.cpp

#pragma once

#include "plot/figures.h"
#include "shell/output_arguments.h"
#include "shell/parser.h"
#include "shell/paths.h"

#include <string>
#include <vector>

namespace lanescope::shell {

struct SweepPlotArguments {
  std::string from;  // the database; empty: no sweep is drawn
  std::string x, y, by;
  std::vector<std::string> where;  // AXIS=VALUE
  std::string as = "lines";
  bool largest = false;
};

void add_sweep_plot_options(const Verb& verb, SweepPlotArguments& arguments);

/// Writes the figure to `output`; a table of the best to standard output where that is empty. Errors: Usage,
/// File.
Result<int> plot_sweep(const SweepPlotArguments& arguments, const std::string& output,
                       const plot::Frame& frame, const LookArguments& look, const Paths& paths);

}  // namespace lanescope::shell
