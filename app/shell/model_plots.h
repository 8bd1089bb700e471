// The figures of `lanescope plot` that need several runs or none: strides, published, widths, queues, ...
// Tests: tests/cli/model_plot_test.cpp

#pragma once

#include "plot/figure.h"
#include "plot/figures.h"
#include "shell/run_arguments.h"
#include "study/study_request.h"

#include <memory>
#include <optional>
#include <string>

namespace lanescope::shell {

struct ModelPlotArguments {
  std::string maps = "gt200,h200";  // of strides
  study::StudyRequest request;
};

struct PlottedFigure {
  plot::Figure figure;
  std::shared_ptr<const pipeline::Run> run = nullptr;  // that it shows; null where the kernel did not run
  std::optional<int> program_status = {};              // of the program that the run is a launch of
};
/// Carries out the study `study`; `run` says on which device, and what runs for the figure of one run.
Result<PlottedFigure> make_model_plot(study::Study study, const ModelPlotArguments& arguments,
                                      const RunArguments& run, const Paths& paths, const plot::Frame& frame);

}  // namespace lanescope::shell
