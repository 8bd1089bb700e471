// `lanescope plot`: runs a kernel and writes one figure of it to a file.

#include "export/export.h"
#include "model/cost.h"
#include "model/residency.h"
#include "pipeline/hazards.h"
#include "pipeline/selection.h"
#include "recordings/bandwidth.h"
#include "recordings/slice_recording.h"
#include "shell/findings.h"
#include "shell/model_plots.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  RunArguments run;
  ModelPlotArguments model;
  std::string figure;
  std::string output;
  std::string cta = "0,0,0";
  uint32_t warp = 0;
  uint32_t wave = 0;
  std::optional<uint32_t> access;
  std::string size = "960x540";
  std::string theme = "light";
  std::string language = "en";
  std::string recording = "h200";
};

const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"banks",    "sectors",  "partitions", "blocks", "totals",
                                 "timeline", "elements", "bandwidth",  "camping"};
    const std::vector<std::string> studies = model_plot_names();
    all.insert(all.end(), studies.begin(), studies.end());
    return all;
  }();
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

Result<Language> parse_language(const std::string& text) {
  if (text == "en") return Language::English;
  if (text == "fr") return Language::French;
  return fail(ErrorKind::Usage, fmt::format("--language is en or fr, not '{}'", text));
}

Result<plot::Theme> parse_theme(const std::string& text) {
  if (text == "light") return plot::Theme::Light;
  if (text == "dark") return plot::Theme::Dark;
  return fail(ErrorKind::Usage, fmt::format("--theme is light or dark, not '{}'", text));
}

/// What a figure of one warp shows: the chosen access, else the warp's most expensive access of that kind.
Result<pipeline::Selection> select_access(const PlotArguments& arguments, const pipeline::Run& run) {
  pipeline::SelectionRequest wanted{.cta = {}, .warp = WarpId{arguments.warp}};
  TRY(wanted.cta, parse_block(arguments.cta, run.trace->grid));
  const pipeline::Selection warp = pipeline::select(run, wanted);
  if (arguments.warp >= warp.warps)
    return fail(ErrorKind::Usage,
                fmt::format("--warp {}: the block has {} warps, counted from 0", arguments.warp, warp.warps));
  if (warp.timeline.empty())
    return fail(ErrorKind::Usage,
                fmt::format("block {} has no kept access of warp {}; choose another with --cta and --warp",
                            arguments.cta, arguments.warp));
  const bool shared = arguments.figure == "banks";
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
  return pipeline::select(run, wanted);
}

Result<plot::Figure> make_figure(const PlotArguments& arguments, const Finished& finished,
                                 const plot::Frame& frame) {
  const pipeline::Run& run = *finished.run;
  const std::string& name = arguments.figure;
  if (name == "totals") return plot::totals_figure(*run.trace, frame);
  if (name == "partitions") {
    if (!run.partitions)
      return fail(
          ErrorKind::Unsupported,
          fmt::format("there is no partition map to draw: {}; try --device gt200", run.partitions_reason));
    return plot::partition_figure(*run.trace, *run.partitions, finished.request.device, frame);
  }
  if (name == "blocks") {
    const uint32_t in_flight = model::residency_of(*run.trace, finished.request.device).in_flight;
    const uint32_t waves = model::wave_count(volume(run.trace->grid), in_flight);
    if (arguments.wave >= waves)
      return fail(ErrorKind::Usage,
                  fmt::format("--wave {}: the grid runs in {} waves, counted from 0", arguments.wave, waves));
    return plot::block_figure(*run.trace, *run.tiles, finished.request.device,
                              {.wave = arguments.wave, .partitions = run.partitions.get()}, frame);
  }
  if (name == "elements") {
    const auto map = model::map_elements(*run.trace, 0, trace::Kind::Load);
    if (!map)
      return fail(ErrorKind::Unsupported,
                  "the first buffer is no matrix that the kernel reads; this figure needs one");
    return plot::element_figure(*run.trace, *map, frame);
  }
  TRY(const pipeline::Selection selection, select_access(arguments, run));
  if (name == "timeline")
    return plot::timeline_figure(selection.timeline, selection.access, run.trace->provenance, frame);
  if (name == "banks") {
    if (!selection.current || !selection.current->banks)
      return fail(ErrorKind::Unsupported,
                  "this access is not to shared memory, so it meets no banks; choose another with --access, "
                  "or --figure sectors");
    return plot::bank_figure(selection.current->traced, *selection.current->banks, frame);
  }
  if (!selection.current || !selection.current->sectors)
    return fail(ErrorKind::Unsupported,
                "this access is to shared memory, so it touches no sectors; choose another with --access, or "
                "--figure banks");
  return plot::sector_figure(selection.current->traced, *selection.current->sectors, frame);
}

/// Recorded times need no run.
Result<plot::Figure> make_bandwidth_figure(const PlotArguments& arguments, const Paths& paths,
                                           const plot::Frame& frame) {
  if (arguments.run.lesson.empty())
    return fail(ErrorKind::Usage,
                "times are recorded of lessons; give --lesson NAME, or use 'lanescope time' for a file");
  TRY(const ChosenLesson chosen, lesson_of(arguments.run, paths));
  const fs::path folder = paths.assets / "recordings";
  TRY(const recordings::Recording recording,
      recordings::read_recording(folder / (arguments.recording + ".json")));
  recordings::TextKeys keys;
  const auto bandwidth =
      recordings::bandwidth_of(recording, Provenance::Recorded, chosen.lesson, chosen.settings,
                               frame.language, session_options(paths), keys);
  if (!bandwidth)
    return fail(
        ErrorKind::Unsupported,
        fmt::format(
            "there are no recorded times for this size on {}; square matrices of {} are recorded, give --set "
            "size=N",
            recording.gpu, fmt::join(recordings::recorded_sizes(recording), ", ")));
  return plot::bandwidth_figure(*bandwidth, frame);
}

/// The recording of slices knows no lesson.
Result<plot::Figure> make_camping_figure(const PlotArguments& arguments, const Paths& paths,
                                         const plot::Frame& frame) {
  TRY(const recordings::SliceRecording recording,
      recordings::read_slices(paths.assets / "recordings/slices" / (arguments.recording + ".json")));
  return plot::camping_figure(recordings::camping_of(recording), frame);
}

/// Figures of partitions show the device that has a published map, unless another was asked for.
void choose_device(PlotArguments& arguments) {
  if (arguments.run.device.empty() && (arguments.figure == "partitions" || arguments.figure == "blocks"))
    arguments.run.device = "gt200";
}

Result<int> plot_kernel(PlotArguments arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  if (arguments.figure == "help") {
    print_names(figure_names());
    return 0;
  }
  if (std::ranges::find(figure_names(), arguments.figure) == figure_names().end())
    return fail(ErrorKind::Usage, fmt::format("there is no figure '{}'; --figure takes one of: {}",
                                              arguments.figure, fmt::join(figure_names(), ", ")));
  if (arguments.output.empty())
    return fail(ErrorKind::Usage,
                "-o FILE is missing; its extension chooses the format: svg, pdf, png, csv, json");
  choose_device(arguments);
  exporting::Style style;
  style.font_directory = paths.fonts;
  TRY(style.theme, parse_theme(arguments.theme));
  plot::Frame frame;
  TRY(frame.size, parse_size(arguments.size));
  TRY(frame.language, parse_language(arguments.language));
  TRY_VOID(exporting::check_format(arguments.output));
  if (arguments.figure == "bandwidth" || arguments.figure == "camping") {
    TRY(const plot::Figure figure, arguments.figure == "camping"
                                       ? make_camping_figure(arguments, paths, frame)
                                       : make_bandwidth_figure(arguments, paths, frame));
    TRY_VOID(exporting::write_figure(figure, arguments.output, style));
    return 0;
  }
  if (const auto study = study::find_study(arguments.figure)) {
    TRY(const ModelPlot plot, make_model_plot(*study, arguments.model, arguments.run, paths, frame));
    TRY_VOID(exporting::write_figure(plot.figure, arguments.output, style));
    return plot.run ? report_findings(*plot.run->trace) : 0;
  }
  TRY(const Finished finished, run_request(arguments.run, paths));
  TRY_VOID(pipeline::require_whole(*finished.run->trace, "a figure"));
  TRY(const plot::Figure figure, make_figure(arguments, finished, frame));
  TRY_VOID(exporting::write_figure(figure, arguments.output, style));
  return report_findings(*finished.run->trace);
}

}  // namespace

void add_plot_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<PlotArguments>();
  const Verb verb = program.add_verb("plot", "run a kernel and write a figure to a file");
  add_run_arguments(verb, arguments->run);
  verb.add("--figure", arguments->figure, "which figure; 'help' lists them").required();
  verb.add("-o,--output", arguments->output, "FILE.svg, .pdf, .png, .csv or .json");
  verb.add("--cta", arguments->cta, "X,Y,Z: the block of a figure of one warp (default: 0,0,0)");
  verb.add("--warp", arguments->warp, "the warp within its block (default: 0)");
  verb.add("--wave", arguments->wave, "which wave 'blocks' shows in flight, from 0 (default: 0)");
  verb.add("--access", arguments->access,
           "which of the warp's accesses, from 0 (default: its most expensive)");
  verb.add("--maps", arguments->model.maps, "two maps of addresses for 'strides' (default: gt200,h200)");
  verb.add("--accesses", arguments->model.request.accesses, "how many for 'strides' (default: 128)");
  verb.add("--beside", arguments->model.request.beside,
           "the kernel beside 'padded' in 'queues' (default: diagonal)");
  verb.add("--seeds", arguments->model.request.seeds,
           "random starts that 'published' shows the range of (default: 4)");
  verb.add("--width-step", arguments->model.request.width_step, "of 'widths', in floats (default: 16)");
  verb.add("--size", arguments->size, "WIDTHxHEIGHT in points (default: 960x540)");
  verb.add("--recording", arguments->recording,
           "whose times the figures bandwidth and camping show: a file of assets/recordings (default: h200)");
  verb.add("--theme", arguments->theme, "light (default) or dark");
  verb.add("--language", arguments->language, "en (default) or fr");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return plot_kernel(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
