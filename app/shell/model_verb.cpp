// `lanescope model`: runs a kernel and predicts the time of its memory traffic on a device, by the timing
// model if the device has one, else by a bound.

#include "caches/savings.h"
#include "export/export.h"
#include "export/model_report.h"
#include "model/bound.h"
#include "model/timing.h"
#include "pipeline/access_gaps.h"
#include "pipeline/hazards.h"
#include "recordings/kernel_key.h"
#include "recordings/recording.h"
#include "shell/findings.h"
#include "shell/output_arguments.h"
#include "shell/program_trace.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

struct ModelArguments {
  RunArguments run;
  JsonArgument json;
  std::vector<std::string> without;
  unsigned seeds = 0;
  bool ablation = false;
};

Result<model::Assumptions> assumptions_of(const std::vector<std::string>& without) {
  model::Assumptions assumptions;
  for (const std::string& name : without) {
    const auto found = model::find_assumption(name);
    if (!found) {
      std::vector<std::string_view> names;
      for (const auto& text : model::assumption_texts()) names.push_back(text.name);
      return fail(ErrorKind::Usage, fmt::format("there is no assumption '{}'; --without takes one of: {}",
                                                name, fmt::join(names, ", ")));
    }
    assumptions.switch_off(*found);
  }
  return assumptions;
}

void print_assumptions() {
  for (const auto& text : model::assumption_texts())
    fmt::print("{:<18} {}\n", text.name, say(Language::English, text.description));
}

void print_report(const Finished& finished, const model::TimingReport& report, bool timed) {
  const trace::Trace& trace = *finished.run->trace;
  const model::Device& device = finished.request.device;
  fmt::print("{}  grid {} x {} x {}  block {} x {} x {}  on {}  (modelled)\n\n", trace.kernel, trace.grid.x,
             trace.grid.y, trace.grid.z, trace.block.x, trace.block.y, trace.block.z, device.title);
  fmt::print("{:.1f} us{}, {:.1f} GiB/s = {:.1f} GB/s of useful bytes", report.seconds * 1e6,
             timed ? "" : " at least", report.gib_per_second(), report.bytes_per_second() / 1e9);
  if (device.memory_bytes_per_second)
    fmt::print(", {:.1f} % of the peak", 100 * report.bytes_per_second() / *device.memory_bytes_per_second);
  fmt::print("\n{} transactions transfer {} bytes for {} useful bytes; {} blocks in flight\n",
             report.transactions, report.bytes_moved, report.useful_bytes, report.blocks_in_flight);
  if (report.blocks_missing != 0)
    fmt::print("{} blocks of the grid were not stored and are not modelled\n", report.blocks_missing);
  if (!timed) return;
  const model::Imbalance read = report.imbalance(model::Traffic::Read);
  const model::Imbalance written = report.imbalance(model::Traffic::Written);
  fmt::print(
      "in windows of {:.0f} us: reads keep {:.1f} of {} partitions busy together ({:.0f} % at the "
      "busiest), writes {:.1f} ({:.0f} %)\n\n",
      report.window_seconds * 1e6, read.effective, report.partitions.size(), 100 * read.busiest_share,
      written.effective, 100 * written.busiest_share);
  fmt::print("{:>9} {:>10} {:>10} {:>14} {:>9} {:>11}\n", "partition", "reads", "writes", "bytes", "bus busy",
             "mean queue");
  for (size_t n = 0; n < report.partitions.size(); ++n) {
    const model::PartitionTiming& one = report.partitions[n];
    fmt::print("{:>9} {:>10} {:>10} {:>14} {:>8.0f}% {:>11.1f}\n", n, one.reads, one.writes,
               one.read_bytes + one.written_bytes, 100 * one.busy_share, one.mean_queue);
  }
}

/// A division's cost has no source: what the model says with half and with twice the estimate.
Result<void> vary_divisions(const trace::Trace& trace, const model::Device& device,
                            model::TimingOptions options, exporting::ModelHeader& header) {
  if (!device.timing || !divides(options.gaps) || !options.assumptions.holds(model::Assumption::Divisions))
    return {};
  options.division_cost = 0.5;
  TRY(const auto cheap, model::time_memory(trace, device, options));
  options.division_cost = 2;
  TRY(const auto dear, model::time_memory(trace, device, options));
  header.cheap_divisions = cheap.gib_per_second();
  header.dear_divisions = dear.gib_per_second();
  return {};
}

/// The effect of each assumption, switched off alone.
Result<void> print_ablation(const Finished& finished, model::TimingOptions options, double with_all) {
  fmt::print("\n{:<18} {:>8} {:>8}\n", "without", "GiB/s", "change");
  for (const auto& text : model::assumption_texts()) {
    model::TimingOptions one = options;
    one.assumptions.switch_off(text.assumption);
    TRY(const auto report, model::time_memory(*finished.run->trace, finished.request.device, one));
    fmt::print("{:<18} {:>8.1f} {:>+7.0f}%\n", text.name, report.gib_per_second(),
               100 * (report.gib_per_second() / with_all - 1));
  }
  return {};
}

/// The bound level by level, and the recorded time of the same kernel.
struct BoundReport {
  model::BoundTerms terms;
  std::optional<double> recorded_seconds;
  std::string recorded_on;
};
Result<std::optional<BoundReport>> bound_report(const ModelArguments& arguments, const Finished& finished,
                                                const model::Work& work, const Paths& paths) {
  const model::Device& device = finished.request.device;
  if (!device.bound) return std::nullopt;
  const trace::Trace& trace = *finished.run->trace;
  BoundReport report;
  TRY(report.terms, model::bound_of(work, device));
  const auto file = paths.assets / "recordings" / (device.name + ".json");
  std::error_code ignored;
  const uint64_t rows =
      trace.buffers.empty() || trace.buffers[0].row_elements == 0
          ? 0
          : trace.buffers[0].size_bytes / trace.buffers[0].element_bytes / trace.buffers[0].row_elements;
  const bool square = rows != 0 && rows == trace.buffers[0].row_elements;
  if (arguments.run.lesson.empty() || !square || !std::filesystem::exists(file, ignored)) return report;
  TRY(const recordings::Recording recording, recordings::read_recording(file));
  const pipeline::Job& job = finished.request.job();
  TRY(const ChosenLesson chosen, lesson_of(arguments.run, paths));
  TRY(const std::string shapes, recordings::launch_shapes(chosen.lesson, chosen.settings));
  const auto key = recordings::kernel_key(finished.run->ptx_text, job.kernel, shapes);
  if (const auto* times = recordings::find_times(recording, key, static_cast<uint32_t>(rows))) {
    report.recorded_seconds = times->cold.median;
    report.recorded_on =
        fmt::format("{}, driver {}, {}", recording.gpu.name, recording.gpu.driver, recording.date);
  }
  return report;
}

/// Demand on the levels: what the caches transfer, where they were modelled, else each useful byte once.
Result<model::Work> work_of(const Finished& finished) {
  const pipeline::Run& run = *finished.run;
  const model::Device& device = finished.request.device;
  if (!run.caches) return model::work_of(*run.trace, device);
  if (!run.caches->is_whole())
    return fail(ErrorKind::Unsupported,
                fmt::format("the launch is large, so the caches of {} of {} multiprocessors were modelled, "
                            "and what all of them transfer is not known; leave --caches out",
                            run.caches->multiprocessors, run.caches->all_multiprocessors));
  return caches::demand_of(*run.trace, *run.caches, device);
}

void print_bound(const BoundReport& report, bool by_caches) {
  fmt::print("\nbound: {:.1f} us from the launch to the first bytes, plus the slowest of\n",
             report.terms.start_seconds * 1e6);
  for (size_t n = 0; n < model::kLevels; ++n)
    fmt::print("  {:<14} {:>9.1f} us{}\n", name_of(static_cast<model::Level>(n)),
               report.terms.level_seconds[n] * 1e6,
               static_cast<model::Level>(n) == report.terms.limit ? "  <- limits" : "");
  fmt::print("bytes of the levels: {}\n",
             by_caches ? "what the modelled caches transfer"
                       : "each useful byte once; with --caches what the modelled caches transfer");
  if (!report.recorded_seconds) return;
  const double error = report.terms.seconds() / *report.recorded_seconds - 1;
  fmt::print("recorded ({}): {:.1f} us; the bound is {:.0f} % {}\n", report.recorded_on,
             *report.recorded_seconds * 1e6, 100 * std::abs(error), error < 0 ? "below" : "above");
}

Result<int> model_kernel(const ModelArguments& arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  if (arguments.without.size() == 1 && arguments.without.front() == "help") {
    print_assumptions();
    return 0;
  }
  model::TimingOptions options;
  TRY(options.assumptions, assumptions_of(arguments.without));
  const auto output =
      arguments.json.on_standard_output() ? ProgramCommand::Output::Error : ProgramCommand::Output::Output;
  TRY(const auto program, run_launch(arguments.run, paths, output));
  Finished finished;
  if (program) {
    finished.run = program->launch;
    finished.request.device = program->device;
  } else {
    TRY(finished, run_request(arguments.run, paths));
  }
  const trace::Trace& trace = *finished.run->trace;
  TRY_VOID(pipeline::require_whole(trace, "a time"));
  const model::Device& device = finished.request.device;
  options.gaps = pipeline::find_access_gaps(finished.run->ptx_text, finished.run->kernel, trace.sites);

  const bool timed = device.timing.has_value();
  TRY(const model::Work work, work_of(finished));
  const auto start = std::chrono::steady_clock::now();
  TRY(model::TimingReport report,
      timed ? model::time_memory(trace, device, options) : model::bound_memory(trace, device, work));
  exporting::ModelHeader header;
  header.model_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  header.file = finished.run->source_name;
  header.dynamic_shared_bytes = static_cast<uint32_t>(arguments.run.shared_bytes);
  header.method = timed ? "timing" : "bound";
  header.without = arguments.without;
  for (unsigned seed = 0; timed && seed < arguments.seeds; ++seed) {
    options.jitter_seed = seed;
    TRY(const auto other, model::time_memory(trace, device, options));
    const double speed = other.gib_per_second();
    header.seed_low = seed == 0 ? speed : std::min(header.seed_low, speed);
    header.seed_high = std::max(header.seed_high, speed);
  }
  options.jitter_seed.reset();
  TRY_VOID(vary_divisions(trace, device, options, header));
  TRY(const std::optional<BoundReport> bound, bound_report(arguments, finished, work, paths));
  if (bound) {
    report.seconds = bound->terms.seconds();
    header.bound = bound->terms;
    header.by_caches = finished.run->caches != nullptr;
    header.recorded_seconds = bound->recorded_seconds.value_or(0);
    header.recorded_on = bound->recorded_on;
  }

  if (arguments.json.given()) {
    const std::string text = exporting::model_report(trace, device, report, header);
    TRY_VOID(write_report(arguments.json, text));
    return program ? report_program(*program) : report_findings(trace);
  }
  print_report(finished, report, timed);
  if (header.cheap_divisions > 0)
    fmt::print(
        "\nthe kernel divides integers, and the cost of a division ({} instructions) is an estimate: with "
        "half of "
        "it {:.1f} GiB/s, with twice {:.1f} GiB/s\n",
        device.timing->division_instructions, header.cheap_divisions, header.dear_divisions);
  if (header.seed_high > 0)
    fmt::print("\n{} seeds of random start delays: {:.1f} to {:.1f} GiB/s\n", arguments.seeds,
               header.seed_low, header.seed_high);
  if (bound) print_bound(*bound, finished.run->caches != nullptr);
  if (arguments.ablation && timed) TRY_VOID(print_ablation(finished, options, report.gib_per_second()));
  return program ? report_program(*program) : report_findings(trace);
}

}  // namespace

void add_model_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<ModelArguments>();
  const Verb verb =
      program.add_verb("model", "the time of a kernel's memory traffic on a device, by a model");
  add_run_arguments(verb, arguments->run);
  add_json_argument(verb, arguments->json);
  verb.add("--without", arguments->without, "switch an assumption off; 'help' lists and explains them")
      .repeatable();
  verb.add("--seeds", arguments->seeds, "repeat with this many random start delays and print the range")
      .between(0, 1000);
  verb.add("--ablation", arguments->ablation, "also with each assumption switched off alone");
  verb.add("--caches", arguments->run.caches,
           "the bound of what the modelled caches of the device transfer, instead of each useful byte once");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return model_kernel(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
