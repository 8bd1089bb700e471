// The plans of the studies, one function each.

#include "model/address_maps.h"
#include "plot/model_figures.h"
#include "recordings/recording.h"
#include "study/study.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::study {
namespace {

/// NVIDIA's paper of 2010 counts in 2^30 bytes.
constexpr double kGbPerGib = static_cast<double>(1 << 30) / 1e9;

/// The lesson whose kernels run, with their labels.
class Kernels {
 public:
  explicit Kernels(std::shared_ptr<const lesson::Lesson> lesson) : lesson_(std::move(lesson)) {}

  const std::shared_ptr<const lesson::Lesson>& lesson() const { return lesson_; }
  const lesson::Studies& studies() const { return *lesson_->studies; }
  std::vector<std::string> all() const {
    std::vector<std::string> names;
    for (const lesson::Kernel& kernel : lesson_->kernels) names.push_back(kernel.name);
    return names;
  }
  bool has(const std::string& kernel) const {
    return std::ranges::find(lesson_->kernels, kernel, &lesson::Kernel::name) != lesson_->kernels.end();
  }
  std::string of(const std::string& kernel, Language language) const {
    const lesson::Kernel* const found = lesson::find_kernel(*lesson_, kernel);
    return found == nullptr ? kernel : found->label.in(language);
  }
  double published(const std::string& kernel) const {
    const auto of_kernel = std::ranges::find(studies().published, kernel, &lesson::StudiedKernel::kernel);
    return of_kernel->gib_per_second * kGbPerGib;
  }

  StudyRun run(const std::string& kernel, const std::string& size, const model::Device& device,
               uint32_t most_blocks = 0) const {
    return {.kernel = kernel,
            .toggles = {{lesson_->size_toggle, size}},
            .device = device,
            .most_blocks = most_blocks,
            .done = {}};
  }

 private:
  std::shared_ptr<const lesson::Lesson> lesson_;
};

Result<const model::AddressMap*> find_map(const std::string& name) {
  if (const model::AddressMap* const map = model::find_address_map(name)) return map;
  std::string names;
  for (const model::AddressMap& map : model::address_maps())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", map.name);
  return fail(ErrorKind::Usage, fmt::format("there is no map '{}'; --maps takes two of: {}", name, names));
}

Result<StudyPlan> plan_strides(const StudyRequest& request) {
  constexpr uint32_t kMost = 1 << 20;
  if (request.accesses == 0 || request.accesses > kMost)
    return fail(ErrorKind::Usage,
                fmt::format("--accesses is a number from 1 to {}, not {}", kMost, request.accesses));
  TRY(const model::AddressMap* const left, find_map(request.left_map));
  TRY(const model::AddressMap* const right, find_map(request.right_map));
  return StudyPlan{
      .runs = {},
      .draw = [left, right, accesses = request.accesses](const StudyOutcomes&, const plot::Frame& frame) {
        return plot::stride_figure(*left, *right, accesses, frame);
      }};
}

Result<StudyPlan> plan_published(uint32_t seeds, const model::Device& device, const Kernels& names) {
  constexpr uint32_t kMost = 100;
  if (seeds > kMost)
    return fail(ErrorKind::Usage, fmt::format("--seeds is a number up to {}, not {}", kMost, seeds));
  StudyPlan plan;
  const lesson::Studies& studies = names.studies();
  for (const lesson::StudiedKernel& one : studies.published) {
    StudyRun run = names.run(one.kernel, studies.size, device);
    for (uint64_t seed = 0; seed < seeds; ++seed) run.variants.push_back({.jitter_seed = seed});
    plan.runs.push_back(std::move(run));
  }
  plan.draw = [seeds, device, names](const StudyOutcomes& outcomes, const plot::Frame& frame) {
    std::vector<plot::PublishedRow> rows;
    const auto& published = names.studies().published;
    for (size_t n = 0; n < published.size(); ++n) {
      using enum plot::PublishedRow::Origin;
      plot::PublishedRow row{.kernel = names.of(published[n].kernel, frame.language),
                             .published = published[n].gib_per_second * kGbPerGib,
                             .modelled = outcomes[n]->timing.gb_per_second(),
                             .origin = published[n].fitted ? Fitted : Predicted};
      row.modelled_low = row.modelled_high = row.modelled;
      for (const model::TimingReport& other : outcomes[n]->variants) {
        row.modelled_low = std::min(row.modelled_low, other.gb_per_second());
        row.modelled_high = std::max(row.modelled_high, other.gb_per_second());
      }
      rows.push_back(std::move(row));
    }
    return plot::published_figure(rows, seeds, device, frame);
  };
  return plan;
}

StudyPlan plan_assumptions(const model::Device& device, const Kernels& names) {
  StudyPlan plan;
  for (const std::string& kernel : names.studies().assumptions) {
    StudyRun run = names.run(kernel, names.studies().size, device);
    for (const model::AssumptionText& text : model::assumption_texts()) {
      model::TimingOptions without;
      without.assumptions.switch_off(text.assumption);
      run.variants.push_back(without);
    }
    plan.runs.push_back(std::move(run));
  }
  plan.draw = [device, names](const StudyOutcomes& outcomes, const plot::Frame& frame) {
    plot::AssumptionTable table;
    const std::vector<std::string>& kernels = names.studies().assumptions;
    for (size_t n = 0; n < kernels.size(); ++n) {
      table.kernels.push_back(names.of(kernels[n], frame.language));
      table.published.push_back(names.published(kernels[n]));
      table.with_all.push_back(outcomes[n]->timing.gb_per_second());
      table.without.emplace_back();
      for (size_t a = 0; a < model::kAssumptions; ++a)
        table.without.back()[a] = outcomes[n]->variants[a].gb_per_second();
    }
    return plot::assumption_figure(table, device, frame);
  };
  return plan;
}

Result<StudyPlan> plan_widths(const StudyRequest& request, const model::Device& device,
                              const Kernels& names) {
  static constexpr uint32_t kFirst = 1024, kLast = 4096, kBlocks = 1024;
  if (request.width_step == 0)
    return fail(ErrorKind::Usage, "--width-step is a number of floats above 0, for example 16");
  StudyPlan plan;
  std::vector<uint32_t> widths;
  for (uint32_t width = kFirst; width <= kLast; width += std::min(request.width_step, kLast))
    widths.push_back(width);
  for (const uint32_t width : widths)
    for (const std::string& kernel : names.studies().widths)
      plan.runs.push_back(names.run(kernel, fmt::to_string(width), device, kBlocks));
  plan.grows_from = names.studies().widths.size();
  plan.draw = [device, names, widths](const StudyOutcomes& outcomes, const plot::Frame& frame) {
    plot::WidthSweep sweep{.widths = widths, .kernels = {}, .gb_per_second = {}, .blocks = kBlocks};
    const std::vector<std::string>& kernels = names.studies().widths;
    for (size_t n = 0; n < kernels.size(); ++n) {
      sweep.kernels.push_back(names.of(kernels[n], frame.language));
      sweep.gb_per_second.emplace_back();
      for (size_t w = 0; w < widths.size(); ++w) {
        const size_t run = w * kernels.size() + n;
        sweep.gb_per_second.back().push_back(run < outcomes.size() ? outcomes[run]->timing.gb_per_second()
                                                                   : plot::WidthSweep::kNotYet);
      }
    }
    return plot::width_figure(sweep, device, frame);
  };
  return plan;
}

Result<StudyPlan> plan_queues(const StudyRequest& request, const model::Device& device,
                              const Kernels& names) {
  const std::vector<std::string>& usual = names.studies().queues;
  const std::string& beside = request.beside.empty() ? usual[1] : request.beside;
  if (!names.has(beside))
    return fail(ErrorKind::Usage, fmt::format("--beside is a kernel of the lesson {}, one of {}, not '{}'",
                                              names.lesson()->name, fmt::join(names.all(), ", "), beside));
  StudyPlan plan;
  const std::array<std::string, 2> kernels{usual[0], beside};
  for (const std::string& kernel : kernels)
    plan.runs.push_back(names.run(kernel, names.studies().size, device));
  plan.draw = [device, names, kernels](const StudyOutcomes& outcomes, const plot::Frame& frame) {
    std::vector<plot::TimedRun> runs;
    for (size_t n = 0; n < kernels.size(); ++n)
      runs.push_back({names.of(kernels[n], frame.language), outcomes[n]->timing});
    return plot::queue_figure(runs, device, frame);
  };
  return plan;
}

Result<StudyPlan> plan_traffic(const StudyContext& context) {
  if (!context.current)
    return fail(ErrorKind::Usage, "this figure is of a run, and nothing has run yet; choose a kernel");
  if (!context.device.timing)
    return fail(ErrorKind::Unsupported,
                fmt::format("{} has no timing model, so there is no traffic to show; choose the device GT200",
                            context.device.title));
  StudyPlan plan;
  plan.runs.push_back(
      {.kernel = context.current->kernel, .toggles = {}, .device = context.device, .done = context.current});
  plan.draw = [device = context.device, grid = context.current->trace->grid,
               kernel = context.current->kernel](const StudyOutcomes& outcomes, const plot::Frame& frame) {
    const std::string name = phrase(frame.language, Text::figure_traffic_run, kernel, grid.x, grid.y);
    return plot::traffic_figure({name, outcomes.front()->timing}, device, frame);
  };
  return plan;
}

StudyPlan plan_remedies(const model::Device& device, const Kernels& names) {
  StudyPlan plan;
  for (const lesson::Remedy& remedy : names.studies().remedies)
    plan.runs.push_back(names.run(remedy.kernel, remedy.size, device));
  plan.draw = [device, names](const StudyOutcomes& outcomes, const plot::Frame& frame) {
    std::vector<plot::TimedRun> runs;
    const auto& remedies = names.studies().remedies;
    for (size_t n = 0; n < remedies.size(); ++n)
      runs.push_back({remedies[n].label.in(frame.language), outcomes[n]->timing});
    return plot::remedy_figure(runs, device, frame);
  };
  return plan;
}

/// Recorded times and their device.
struct RecordedDevice {
  recordings::Recording recording;
  model::Device device;
};
Result<RecordedDevice> recorded_device(const pipeline::Options& options) {
  RecordedDevice found;
  TRY(found.recording,
      recordings::read_recording(options.assets / "recordings" / (options.recording + ".json")));
  TRY(found.device, model::find_device(options.assets / "devices", options.recording));
  return found;
}

constexpr uint32_t kCountedSide = 1024;  // whose accesses are counted; larger sizes are multiples of it

/// One run of each kernel for its totals; accesses are not stored.
std::vector<StudyRun> counting_runs(const Kernels& names, const model::Device& device) {
  std::vector<StudyRun> runs;
  for (const std::string& kernel : names.all())
    runs.push_back(names.run(kernel, fmt::to_string(kCountedSide), device, 1));
  return runs;
}

/// The work of the same kernel on a square of `side`: all counts are proportional to the number of tiles.
model::Work work_at(const StudyOutcome& outcome, uint32_t side) {
  const double sides = static_cast<double>(side) / kCountedSide;
  return outcome.work.times(sides * sides);
}

std::string origin_of(const recordings::Recording& recording) {
  return fmt::format("{}, driver {}, CUDA {}, {}", recording.gpu.name, recording.gpu.driver,
                     recording.gpu.cuda, recording.date);
}

Result<StudyPlan> plan_bound(const pipeline::Options& options, const Kernels& names) {
  static constexpr std::array<uint32_t, 5> kSides{1024, 2048, 4096, 8192, 16384};
  TRY(RecordedDevice recorded, recorded_device(options));
  StudyPlan plan{.runs = counting_runs(names, recorded.device), .draw = {}};
  plan.draw = [names, recorded = std::move(recorded)](const StudyOutcomes& outcomes,
                                                      const plot::Frame& frame) {
    plot::BoundTable table{.kernels = {},
                           .sizes = {kSides.begin(), kSides.end()},
                           .cells = {},
                           .gpu = recorded.recording.gpu.name,
                           .origin = origin_of(recorded.recording)};
    const lesson::Studies& studies = names.studies();
    const std::vector<std::string> kernels = names.all();
    for (size_t n = 0; n < outcomes.size(); ++n) {
      table.kernels.push_back(names.of(kernels[n], frame.language));
      table.cells.emplace_back();
      for (const uint32_t side : kSides) {
        const recordings::RecordedTimes* times = find_times(recorded.recording, outcomes[n]->key, side);
        const auto terms = model::bound_of(work_at(*outcomes[n], side), recorded.device);
        auto& cell = table.cells.back().emplace_back();
        if (times == nullptr || !terms) continue;
        const bool fitted = kernels[n] == studies.bound_kernel && fmt::to_string(side) == studies.bound_size;
        cell = {.predicted_seconds = terms->seconds(),
                .recorded_seconds = times->cold.median,
                .limit = terms->limit,
                .origin = fitted ? plot::BoundCell::Origin::Fitted : plot::BoundCell::Origin::Predicted};
      }
    }
    return plot::bound_figure(table, frame);
  };
  return plan;
}

plot::Roofline recorded_roofline(const RecordedDevice& recorded, const Kernels& names,
                                 const StudyOutcomes& outcomes, uint32_t side, Language language) {
  plot::Roofline roofline{
      .device = recorded.recording.gpu.name,
      .place = phrase(language, Text::figure_roofline_recorded, side, recorded.recording.date),
      .provenance = Provenance::Recorded,
      .peak_gb_per_second = recorded.device.memory_bytes_per_second.value_or(0) / 1e9,
      .points = {}};
  const std::vector<std::string> kernels = names.all();
  for (size_t n = 0; n < kernels.size(); ++n) {
    const recordings::RecordedTimes* times = find_times(recorded.recording, outcomes[n]->key, side);
    if (times == nullptr) continue;
    const model::Work work = work_at(*outcomes[n], side);
    plot::RooflinePoint point{.kernel = names.of(kernels[n], language),
                              .wanted_share = work.memory_bytes / work.l2_bytes,
                              .gb_per_second = work.memory_bytes / times->cold.median / 1e9};
    const auto terms = model::bound_of(work, recorded.device);
    if (terms && work.wavefronts > 0)
      point.shared_gb_per_second =
          work.memory_bytes / terms->level_seconds[static_cast<size_t>(model::Level::SharedMemory)] / 1e9;
    roofline.points.push_back(std::move(point));
  }
  return roofline;
}

Result<StudyPlan> plan_roofline(const pipeline::Options& options, const model::Device& device,
                                const Kernels& names) {
  static constexpr uint32_t kSide = 8192;
  TRY(RecordedDevice recorded, recorded_device(options));
  StudyPlan plan{.runs = counting_runs(names, recorded.device), .draw = {}};
  const lesson::Studies& studies = names.studies();
  for (const lesson::StudiedKernel& one : studies.published)
    plan.runs.push_back(names.run(one.kernel, studies.size, device));
  plan.draw = [names, device, recorded = std::move(recorded)](const StudyOutcomes& outcomes,
                                                              const plot::Frame& frame) {
    const Language language = frame.language;
    plot::Roofline modelled{.device = device.title,
                            .place = phrase(language, Text::figure_roofline_modelled, names.studies().size),
                            .provenance = Provenance::Modelled,
                            .peak_gb_per_second = device.memory_bytes_per_second.value_or(0) / 1e9,
                            .points = {}};
    const auto& published = names.studies().published;
    for (size_t n = 0; n < published.size(); ++n) {
      const model::TimingReport& timing = outcomes[names.all().size() + n]->timing;
      modelled.points.push_back(
          {.kernel = names.of(published[n].kernel, language),
           .wanted_share = static_cast<double>(timing.useful_bytes) / static_cast<double>(timing.bytes_moved),
           .gb_per_second = timing.bytes_per_second() / 1e9});
    }
    return plot::roofline_figure(recorded_roofline(recorded, names, outcomes, kSide, language), modelled,
                                 frame);
  };
  return plan;
}

StudyPlan plan_device(const model::Device& device) {
  return {.runs = {}, .draw = [device](const StudyOutcomes&, const plot::Frame& frame) {
            return plot::device_figure(device, frame);
          }};
}

Result<StudyPlan> plan_kernels(const StudyRequest& request, const StudyContext& context,
                               const Kernels& kernels) {
  // The published table is of one card; other figures use the chosen device, if it has a timing model.
  TRY(const model::Device published, model::find_device(context.options.assets / "devices", "gt200"));
  const model::Device& device = context.device.timing ? context.device : published;
  switch (request.study) {
    case Study::Published:
      return plan_published(request.seeds, published, kernels);
    case Study::Assumptions:
      return plan_assumptions(published, kernels);
    case Study::Widths:
      return plan_widths(request, device, kernels);
    case Study::Queues:
      return plan_queues(request, device, kernels);
    case Study::Remedies:
      return plan_remedies(device, kernels);
    case Study::Roofline:
      return plan_roofline(context.options, device, kernels);
    case Study::Bound:
      return plan_bound(context.options, kernels);
    case Study::Strides:
    case Study::Traffic:
    case Study::Device:
      break;  // run no kernel
  }
  std::unreachable();
}

}  // namespace

Result<StudyPlan> plan_study(const StudyRequest& request, const StudyContext& context) {
  switch (request.study) {
    case Study::Strides:
      return plan_strides(request);
    case Study::Traffic:
      return plan_traffic(context);
    case Study::Device:
      return plan_device(context.device);
    case Study::Published:
    case Study::Assumptions:
    case Study::Widths:
    case Study::Queues:
    case Study::Remedies:
    case Study::Roofline:
    case Study::Bound:
      break;
  }
  TRY(lesson::Lesson lesson, lesson::find_studied_lesson(context.options.assets / "lessons"));
  const Kernels kernels(std::make_shared<const lesson::Lesson>(std::move(lesson)));
  TRY(StudyPlan plan, plan_kernels(request, context, kernels));
  plan.lesson = kernels.lesson();
  return plan;
}

}  // namespace lanescope::study
