// `lanescope plot`: runs a kernel and writes one figure of it to a file.

#include "export/export.h"
#include "lesson/setting_text.h"
#include "model/cost.h"
#include "pipeline/hazards.h"
#include "pipeline/selection.h"
#include "pipeline/value_maps.h"
#include "plot/figure_table.h"
#include "plot/wording.h"
#include "recordings/bandwidth.h"
#include "recordings/slice_recording.h"
#include "shell/drawn_run.h"
#include "shell/findings.h"
#include "shell/model_plots.h"
#include "shell/output_arguments.h"
#include "shell/run_arguments.h"
#include "shell/sweep_plot.h"
#include "shell/verbs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  RunArguments run;
  ModelPlotArguments model;
  SweepPlotArguments sweep;
  std::string figure;
  std::string output;
  std::string cta = "0,0,0";
  uint32_t warp = 0;
  uint32_t wave = 0;
  std::optional<uint32_t> access;
  std::string size = "960x540";
  LookArguments look;
  std::string recording = "h200";
};

/// Of runs, recordings and models.
std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const plot::FigureRow& row : plot::figure_rows()) names.emplace_back(row.name);
  for (const study::Study study : study::kStudies) names.emplace_back(name_of(study));
  return names;
}

Result<plot::Size> parse_size(const std::string& text) {
  plot::Size size;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%fx%f%c", &size.width, &size.height, &rest) != 2 || !(size.width >= 100) ||
      !(size.height >= 100) || !(size.width <= 8192) || !(size.height <= 8192))
    return fail(
        ErrorKind::Usage,
        fmt::format("a size is WIDTHxHEIGHT, each from 100 to 8192, for example 1600x900; found '{}'", text));
  return size;
}

/// What a figure of one warp shows: the chosen access, else the warp's most expensive access of that kind.
Result<pipeline::Selection> select_access(const PlotArguments& arguments, const pipeline::Run& run,
                                          trace::Space space, int compute_capability) {
  pipeline::SelectionRequest wanted{.cta = {}, .warp = WarpId{arguments.warp}};
  TRY(wanted.cta, parse_block(arguments.cta, run.trace->grid));
  const pipeline::Selection warp = pipeline::select(run, wanted, compute_capability);
  if (arguments.warp >= warp.warps)
    return fail(ErrorKind::Usage,
                fmt::format("--warp {}: the block has {} warps, counted from 0", arguments.warp, warp.warps));
  if (warp.timeline.empty())
    return fail(ErrorKind::Usage,
                fmt::format("block {} has no stored access of warp {}; choose another with --cta and --warp",
                            arguments.cta, arguments.warp));
  const bool shared = space == trace::Space::Shared;
  const auto price = [&](const model::TimelineEntry& entry) {
    const bool is_shared = entry.operation.space == trace::Space::Shared;
    if (is_shared != shared) return -1;
    return static_cast<int>(shared ? entry.cost.wavefronts : entry.cost.sectors);
  };
  const auto dearest = std::ranges::max_element(warp.timeline, {}, price);
  wanted.access = arguments.access.value_or(static_cast<uint32_t>(dearest - warp.timeline.begin()));
  if (wanted.access >= warp.timeline.size())
    return fail(ErrorKind::Usage, fmt::format("--access {}: the warp made {} accesses, counted from 0",
                                              wanted.access, warp.timeline.size()));
  return pipeline::select(run, wanted, compute_capability);
}

/// Draws a figure of a run, or of one access of it.
Result<PlottedFigure> plot_run(const plot::FigureRow& row, const PlotArguments& arguments, const Paths& paths,
                               const plot::Frame& frame) {
  RunArguments of_run = arguments.run;
  if (of_run.device.empty() && row.shows == plot::FigureRow::Shows::MappedDevice) of_run.device = "gt200";
  const bool is_of_access =
      row.needs == plot::FigureRow::Needs::SharedAccess || row.needs == plot::FigureRow::Needs::GlobalAccess;
  if (is_of_access) of_run.looked_at = arguments.cta;
  of_run.reads_looked_at_alone = is_of_access;
  of_run.keeps_origins = is_of_access;
  if (row.needs == plot::FigureRow::Needs::Caches) of_run.caches = true;
  TRY(const DrawnRun drawn, drawn_run(of_run, paths));
  const pipeline::Run& run = *drawn.run;
  TRY_VOID(pipeline::require_whole(*run.trace, "a figure"));
  std::vector<model::ValueMap> values;
  if (row.name == "values") values = pipeline::value_maps(run);
  plot::FigureData data{.trace = run.trace.get(),
                        .device = &drawn.device,
                        .partitions = run.partitions.get(),
                        .partitions_reason = run.partitions_reason,
                        .tiles = run.tiles.get(),
                        .wave = arguments.wave,
                        .values = &values,
                        .caches = run.caches.get()};
  pipeline::Selection selection;
  if (is_of_access) {
    const bool shared = row.needs == plot::FigureRow::Needs::SharedAccess;
    TRY(selection, select_access(arguments, run, shared ? trace::Space::Shared : trace::Space::Global,
                                 drawn.device.compute_capability));
    data.timeline = &selection.timeline;
  }
  if (const auto& access = selection.current) {
    data.access = &access->drawn;
    data.banks = access->banks ? &*access->banks : nullptr;
    data.sectors = access->sectors ? &*access->sectors : nullptr;
    data.origins = access->origins;
  }
  TRY(plot::Figure figure, row.draw(data, frame));
  if (!of_run.lesson.empty()) {
    TRY(const ChosenLesson chosen, lesson_of(of_run, paths));
    plot::add_to_subtitle(figure, run.kernel);
    plot::add_to_subtitle(figure, lesson::settings_text(chosen.lesson, chosen.settings, frame.language));
    plot::add_to_subtitle(figure, drawn.device.title);
  }
  if (!data.trace->is_complete) figure.warning = say(frame.language, Text::figure_incomplete);
  PlottedFigure plotted{.figure = std::move(figure), .run = drawn.run};
  if (drawn.program) plotted.program_status = report_program(*drawn.program);
  return plotted;
}

/// Recorded times need no run.
Result<plot::Bandwidth> read_times(const PlotArguments& arguments, const Paths& paths, Language language) {
  if (arguments.run.lesson.empty())
    return fail(ErrorKind::Usage,
                "only lessons have recorded times; give --lesson NAME, or use 'lanescope time' for a file");
  TRY(const ChosenLesson chosen, lesson_of(arguments.run, paths));
  const fs::path folder = paths.assets / "recordings";
  TRY(const recordings::Recording recording,
      recordings::read_recording(folder / (arguments.recording + ".json")));
  recordings::KernelKeys keys;
  pipeline::Execution execution(session_options(paths));
  const auto bandwidth =
      recordings::bandwidth_of(recording, Provenance::Recorded, chosen.lesson, chosen.settings, language,
                               session_options(paths), keys, execution);
  if (bandwidth) return *bandwidth;
  const std::vector<uint32_t> sizes = recordings::sizes_of(recording, chosen.lesson, chosen.settings,
                                                           session_options(paths), keys, execution);
  if (sizes.empty())
    return fail(
        ErrorKind::Unsupported,
        fmt::format("{} has no recorded times of this kernel with these settings; try its presets, or "
                    "'lanescope time' on a machine with a GPU",
                    recording.gpu.name));
  return fail(
      ErrorKind::Unsupported,
      fmt::format("{} has no recorded times of this kernel for this size; there are times for {}, give "
                  "--set {}=N",
                  recording.gpu.name, fmt::join(sizes, ", "), chosen.lesson.size_toggle));
}

Result<PlottedFigure> plot_row(const plot::FigureRow& row, const PlotArguments& arguments, const Paths& paths,
                               const plot::Frame& frame) {
  using Needs = plot::FigureRow::Needs;
  switch (row.needs) {
    case Needs::Run:
    case Needs::Caches:
    case Needs::SharedAccess:
    case Needs::GlobalAccess:
      return plot_run(row, arguments, paths, frame);
    case Needs::RecordedTimes: {
      TRY(const plot::Bandwidth bandwidth, read_times(arguments, paths, frame.language));
      TRY(plot::Figure figure, row.draw({.bandwidth = &bandwidth}, frame));
      return PlottedFigure{.figure = std::move(figure)};
    }
    case Needs::RecordedSlices: {
      TRY(const recordings::SliceRecording recording,
          recordings::read_slices(paths.assets / "recordings/slices" / (arguments.recording + ".json")));
      const plot::Camping camping = recordings::camping_of(recording);
      TRY(plot::Figure figure, row.draw({.camping = &camping}, frame));
      return PlottedFigure{.figure = std::move(figure)};
    }
  }
  std::unreachable();
}

/// --from: a figure of a sweep, for which nothing runs.
Result<int> plot_results(const PlotArguments& arguments, const Paths& paths) {
  if (!arguments.figure.empty() || !arguments.run.file.empty() || !arguments.run.lesson.empty())
    return fail(ErrorKind::Usage,
                "--from draws the results of a sweep; leave out --figure, --lesson and other files");
  plot::Frame frame;
  TRY(frame.size, parse_size(arguments.size));
  frame.language = language_of(arguments.look);
  return plot_sweep(arguments.sweep, arguments.output, frame, arguments.look, paths);
}

Result<int> plot_kernel(const PlotArguments& arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  if (arguments.figure == "help") {
    print_names(figure_names());
    return 0;
  }
  if (arguments.figure.empty() && arguments.sweep.from.empty())
    return fail(ErrorKind::Usage, "--figure is required; 'help' lists the figures");
  if (!arguments.sweep.from.empty()) return plot_results(arguments, paths);
  // Of a file the roofline is that of its kernel.
  const bool is_of_kernel = arguments.figure == "roofline" && !arguments.run.file.empty();
  const plot::FigureRow* row = plot::find_figure(is_of_kernel ? "kernel_roofline" : arguments.figure);
  const auto study = is_of_kernel ? std::optional<study::Study>() : study::find_study(arguments.figure);
  if (row == nullptr && !study)
    return fail(ErrorKind::Usage, fmt::format("there is no figure '{}'; --figure takes one of: {}",
                                              arguments.figure, fmt::join(figure_names(), ", ")));
  const bool needs_no_file =
      study ? !study::shows_current_run(*study) : row->needs == plot::FigureRow::Needs::RecordedSlices;
  if (needs_no_file && !arguments.run.file.empty())
    return fail(ErrorKind::Usage,
                fmt::format("the figure '{}' does not show a file of the user's; leave out '{}'",
                            arguments.figure, arguments.run.file));
  if (arguments.output.empty())
    return fail(ErrorKind::Usage,
                "-o FILE is missing; its extension chooses the format: svg, pdf, png, csv, json");
  exporting::Style style;
  style.font_directory = paths.fonts;
  style.theme = theme_of(arguments.look);
  plot::Frame frame;
  TRY(frame.size, parse_size(arguments.size));
  frame.language = language_of(arguments.look);
  TRY_VOID(exporting::check_format(arguments.output));
  TRY(const PlottedFigure plotted, study
                                       ? make_model_plot(*study, arguments.model, arguments.run, paths, frame)
                                       : plot_row(*row, arguments, paths, frame));
  TRY_VOID(exporting::write_figure(plotted.figure, arguments.output, style));
  if (plotted.program_status) return *plotted.program_status;
  return plotted.run ? report_findings(*plotted.run->trace) : 0;
}

}  // namespace

void add_plot_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<PlotArguments>();
  const Verb verb = program.add_verb("plot", "run a kernel and write a figure to a file");
  add_run_arguments(verb, arguments->run);
  add_level_argument(verb, arguments->run.level);
  verb.add("--figure", arguments->figure, "which figure; 'help' lists them");
  verb.add("-o,--output", arguments->output, "FILE.svg, .pdf, .png, .csv or .json");
  verb.add("--cta", arguments->cta, "X,Y,Z: the block of a figure of one warp (default: 0,0,0)");
  verb.add("--warp", arguments->warp, "the warp within its block (default: 0)");
  verb.add("--caches", arguments->run.caches,
           "also model the caches of the device: 'sectors' says where each sector came from");
  verb.add("--wave", arguments->wave, "which wave 'blocks' shows in flight, from 0 (default: 0)");
  verb.add("--access", arguments->access,
           "which of the warp's accesses, from 0, which figures call access 1 (default: its most expensive)");
  verb.add("--maps", arguments->model.maps, "two maps of addresses for 'strides' (default: gt200,h200)");
  verb.add("--accesses", arguments->model.request.accesses,
           "accesses per stride in 'strides' (default: 128)");
  verb.add("--beside", arguments->model.request.beside,
           "the other kernel in 'queues' (default: the lesson's)");
  verb.add("--seeds", arguments->model.request.seeds,
           "runs with random start delays in 'published' (default: 4)");
  verb.add("--width-step", arguments->model.request.width_step,
           "the step of 'widths', in floats (default: 16)");
  verb.add("--size", arguments->size, "WIDTHxHEIGHT in points (default: 960x540)");
  verb.add("--recording", arguments->recording,
           "the recording for bandwidth and camping: a file in assets/recordings (default: h200)");
  add_look_arguments(verb, arguments->look);
  add_sweep_plot_options(verb, arguments->sweep);
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return plot_kernel(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
