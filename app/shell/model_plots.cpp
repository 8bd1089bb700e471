#include "shell/model_plots.h"

#include "model/timing.h"
#include "plot/model_figures.h"
#include "session/division_count.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

Result<const model::AddressMap*> find_map(const std::string& name) {
  if (const model::AddressMap* const map = model::find_address_map(name)) return map;
  std::string names;
  for (const model::AddressMap& map : model::address_maps())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", map.name);
  return fail(ErrorKind::Usage, fmt::format("there is no map '{}'; --maps takes two of: {}", name, names));
}

Result<plot::Figure> plot_strides(const ModelPlotArguments& arguments, const plot::Frame& frame) {
  const size_t comma = arguments.maps.find(',');
  if (comma == std::string::npos)
    return fail(ErrorKind::Usage,
                fmt::format("--maps takes two names, for example gt200,h200; found '{}'", arguments.maps));
  if (arguments.accesses == 0 || arguments.accesses > 1 << 20)
    return fail(ErrorKind::Usage, fmt::format("--accesses is a number from 1 to {}", 1 << 20));
  TRY(const model::AddressMap* const left, find_map(arguments.maps.substr(0, comma)));
  TRY(const model::AddressMap* const right, find_map(arguments.maps.substr(comma + 1)));
  return plot::stride_figure(*left, *right, arguments.accesses, frame);
}

/// A kernel of the transpose lesson on a device with a timing model.
class Transposes {
 public:
  Transposes(const RunArguments& run, const Paths& paths)
      : run_(run), paths_(paths), execution_(session_options(paths)) {
    if (run_.device.empty()) run_.device = "gt200";
    run_.lesson = "transpose";
  }

  /// `most_blocks` 0: all of them.
  Result<model::TimingReport> time(const std::string& kernel, const std::string& size, uint32_t most_blocks) {
    run_.set = {"kernel=" + kernel, "size=" + size};
    TRY(Request request, request_of(run_, paths_));
    if (most_blocks != 0) {
      request.options.keep.blocks = trace::Keep::Blocks::Listed;
      const uint64_t blocks = std::min<uint64_t>(most_blocks, volume(request.job.launch->grid));
      for (uint32_t n = 0; n < blocks; ++n) request.options.keep.listed.push_back(CtaId{n});
    }
    TRY(const auto run, execution_.run(request.job, request.device, request.options));
    device_ = request.device;
    model::TimingOptions options;
    options.divisions_per_warp = session::count_divisions(run->ptx_text, run->kernel);
    return model::time_memory(*run->trace, request.device, options);
  }
  const model::Device& device() const { return device_; }

 private:
  RunArguments run_;
  const Paths& paths_;
  session::Execution execution_;
  model::Device device_;
};

/// NVIDIA, "Optimizing Matrix Transpose in CUDA", 2010: 2048 x 2048 floats on a GTX 280, GiB/s.
struct Published {
  const char* kernel;
  double gib_per_second;
  plot::PublishedRow::Origin origin;
};
constexpr auto kFitted = plot::PublishedRow::Origin::Fitted;
constexpr auto kPredicted = plot::PublishedRow::Origin::Predicted;
constexpr std::array<Published, 8> kPublished{{{"copy", 96.9, kFitted},
                                               {"copy_shared", 80.9, kFitted},
                                               {"naive", 2.2, kPredicted},
                                               {"tiled", 16.5, kFitted},
                                               {"padded", 16.6, kPredicted},
                                               {"fine_grained", 80.4, kFitted},
                                               {"coarse_grained", 16.7, kPredicted},
                                               {"diagonal", 69.5, kPredicted}}};

Result<plot::Figure> plot_published(Transposes& transposes, const plot::Frame& frame) {
  std::vector<plot::PublishedRow> rows;
  for (const Published& one : kPublished) {
    TRY(const model::TimingReport report, transposes.time(one.kernel, "2048", 0));
    rows.push_back({.kernel = one.kernel,
                    .published = one.gib_per_second,
                    .modelled = report.gib_per_second(),
                    .origin = one.origin});
  }
  return plot::published_figure(rows, transposes.device(), frame);
}

Result<plot::Figure> plot_widths(Transposes& transposes, const ModelPlotArguments& arguments,
                                 const plot::Frame& frame) {
  if (arguments.width_step == 0)
    return fail(ErrorKind::Usage, "--width-step is a number of floats above 0, for example 16");
  plot::WidthSweep sweep;
  sweep.blocks = 1024;
  for (uint32_t width = 1024; width <= 4096; width += arguments.width_step) sweep.widths.push_back(width);
  for (const char* kernel : {"padded", "diagonal"}) {
    sweep.kernels.emplace_back(kernel);
    sweep.gib_per_second.emplace_back();
    for (const uint32_t width : sweep.widths) {
      TRY(const model::TimingReport report,
          transposes.time(kernel, fmt::to_string(width), static_cast<uint32_t>(sweep.blocks)));
      sweep.gib_per_second.back().push_back(report.gib_per_second());
    }
  }
  return plot::width_figure(sweep, transposes.device(), frame);
}

Result<plot::Figure> plot_queues(Transposes& transposes, const ModelPlotArguments& arguments,
                                 const plot::Frame& frame) {
  std::vector<plot::TimedRun> runs;
  for (const std::string& kernel : {std::string("padded"), arguments.beside}) {
    TRY(model::TimingReport report, transposes.time(kernel, "2048", 0));
    runs.push_back({kernel, std::move(report)});
  }
  return plot::queue_figure(runs, transposes.device(), frame);
}

}  // namespace

const std::vector<std::string>& model_plot_names() {
  static const std::vector<std::string> names{"strides", "published", "widths", "queues"};
  return names;
}

bool is_model_plot(const std::string& figure) {
  return std::ranges::find(model_plot_names(), figure) != model_plot_names().end();
}

Result<plot::Figure> make_model_plot(const std::string& figure, const ModelPlotArguments& arguments,
                                     const RunArguments& run, const Paths& paths, const plot::Frame& frame) {
  if (figure == "strides") return plot_strides(arguments, frame);
  Transposes transposes(run, paths);
  if (figure == "published") return plot_published(transposes, frame);
  if (figure == "widths") return plot_widths(transposes, arguments, frame);
  return plot_queues(transposes, arguments, frame);
}

}  // namespace lanescope::shell
