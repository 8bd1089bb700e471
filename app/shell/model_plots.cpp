#include "shell/model_plots.h"

#include "study/study.h"

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

Result<study::StudyRequest> request_of_plot(study::Study study, const ModelPlotArguments& arguments) {
  study::StudyRequest request = arguments.request;
  request.study = study;
  const size_t comma = arguments.maps.find(',');
  if (comma == std::string::npos)
    return fail(ErrorKind::Usage,
                fmt::format("--maps takes two names, for example gt200,h200; found '{}'", arguments.maps));
  request.left_map = arguments.maps.substr(0, comma);
  request.right_map = arguments.maps.substr(comma + 1);
  return request;
}

}  // namespace

Result<PlottedFigure> make_model_plot(study::Study study, const ModelPlotArguments& arguments,
                                      const RunArguments& run, const Paths& paths, const plot::Frame& frame) {
  TRY(const study::StudyRequest request, request_of_plot(study, arguments));
  const pipeline::Options options = session_options(paths);
  TRY(const model::Device device,
      model::find_device(paths.assets / "devices", run.device.empty() ? "gt200" : run.device));
  if (!run.device.empty() && !device.timing && study::needs_timing(study))
    return fail(
        ErrorKind::Unsupported,
        fmt::format("{} has no timing model: its file has no [timing]; try --device gt200", device.title));
  std::shared_ptr<const pipeline::Run> current;
  if (study::shows_current_run(study)) {
    RunArguments on_device = run;
    if (on_device.device.empty()) on_device.device = "gt200";
    TRY(const Finished finished, run_request(on_device, paths));
    current = finished.run;
  }
  TRY(study::StudyPlan plan, study::plan_study(request, {options, device, current}));
  pipeline::Execution execution(options);
  study::StudyCache cache;
  study::StudyWork work(std::move(plan), options);
  while (!work.finished()) TRY_VOID(work.advance(execution, cache, {}));
  return PlottedFigure{.figure = work.figure()(frame), .run = std::move(current)};
}

}  // namespace lanescope::shell
