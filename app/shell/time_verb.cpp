// `lanescope time`: a kernel, or all of a lesson's side by side, measured on this machine's GPU: seconds,
// bandwidth, and what the same GPU makes of a plain copy. The emulator counts the bytes that the lanes ask
// for, and stands beside the times.

#include "export/export.h"
#include "shell/gpu_report.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

using Json = nlohmann::ordered_json;

struct TimeArguments {
  RunArguments run;
  std::string json_file;
  bool json = false;
  std::string l2 = "cold";
  unsigned repetitions = 21;
};

/// A kernel that was timed.
struct Timed {
  std::string name;  // as the lesson calls it, or the entry
  Finished finished;
  uint64_t useful_bytes = 0;
  gpu::Timing timing;
  gpu::Timing copy;  // of as many bytes
};

uint64_t useful_bytes(const trace::Trace& trace) {
  uint64_t bytes = 0;
  for (const trace::Kind kind : {trace::Kind::Load, trace::Kind::Store, trace::Kind::Atomic,
                                 trace::Kind::Reduction, trace::Kind::AsyncCopy})
    bytes += trace::total_of(trace, trace::Space::Global, kind).bytes;
  return bytes;
}

uint64_t sectors(const trace::Trace& trace) {
  uint64_t count = 0;
  for (const trace::Totals& totals : trace.totals) count += totals.sectors;
  return count;
}

gpu::TimingOptions options_of(const TimeArguments& arguments) {
  return {.repetitions = arguments.repetitions,
          .l2 = arguments.l2 == "warm" ? gpu::TimingOptions::Cache::Warm : gpu::TimingOptions::Cache::Cold};
}

Result<Timed> time_one(const std::string& name, const RunArguments& run, const TimeArguments& arguments,
                       const Paths& paths, OpenGpu& open) {
  RunArguments counted = run;
  counted.blocks = "none";
  counted.checks = "none";
  TRY(Finished finished, run_request(counted, paths));
  if (!finished.run->trace->hazards.empty()) {
    const trace::Hazard& hazard = finished.run->trace->hazards.front();
    return fail(ErrorKind::Hazard,
                "the kernel is not timed, since it does something wrong: " + hazard.message, hazard.where);
  }
  Timed timed{.name = name, .finished = std::move(finished), .useful_bytes = 0, .timing = {}, .copy = {}};
  const session::Run& of_emulator = *timed.finished.run;
  timed.useful_bytes = useful_bytes(*of_emulator.trace);
  const gpu::Kernel kernel{of_emulator.ptx_text, of_emulator.source_name, of_emulator.kernel};
  TRY(timed.timing, gpu::time_kernel(open.context, kernel, *of_emulator.launch, options_of(arguments)));
  TRY(timed.copy,
      gpu::time_copy(open.context, std::max<uint64_t>(timed.useful_bytes / 2, 1), options_of(arguments)));
  return timed;
}

/// The kernels of a lesson as its toggles stand, unless one was chosen; else the one kernel.
Result<std::vector<std::pair<std::string, RunArguments>>> kernels_of(const RunArguments& arguments,
                                                                     const Paths& paths) {
  const auto chosen =
      std::ranges::find_if(arguments.set, [](const std::string& set) { return set.starts_with("kernel="); });
  if (arguments.lesson.empty()) return std::vector{std::pair{std::string(), arguments}};
  if (chosen != arguments.set.end()) return std::vector{std::pair{chosen->substr(7), arguments}};
  TRY(const lesson::Lesson lesson, lesson::find_lesson(paths.assets / "lessons", arguments.lesson));
  std::vector<std::pair<std::string, RunArguments>> all;
  for (const lesson::Kernel& kernel : lesson.kernels) {
    RunArguments one = arguments;
    one.set.insert(one.set.begin(), "kernel=" + kernel.name);
    all.emplace_back(kernel.name, std::move(one));
  }
  return all;
}

double copy_share(const Timed& timed) { return timed.copy.median() / timed.timing.median(); }

void print_table(const std::vector<Timed>& all, const session::Recording& gpu,
                 const TimeArguments& arguments) {
  fmt::print("{}, compute capability {}, driver {}, CUDA {}: measured, {} repetitions, {} L2\n\n", gpu.gpu,
             gpu.compute_capability, gpu.driver.empty() ? "unknown" : gpu.driver, gpu.cuda,
             arguments.repetitions, arguments.l2);
  fmt::print("{:<16} {:>11} {:>11} {:>21} {:>10} {:>8} {:>14}\n", "kernel", "median us", "minimum us",
             "quartiles us", "GB/s", "of copy", "sectors");
  for (const Timed& timed : all) {
    const gpu::Timing& t = timed.timing;
    fmt::print("{:<16} {:>11.2f} {:>11.2f} {:>21} {:>10.1f} {:>7.1f}% {:>14}\n", timed.name, t.median() * 1e6,
               t.minimum() * 1e6,
               fmt::format("{:.2f} to {:.2f}", t.lower_quartile() * 1e6, t.upper_quartile() * 1e6),
               gigabytes_per_second(timed.useful_bytes, t.median()), 100 * copy_share(timed),
               sectors(*timed.finished.run->trace));
  }
  fmt::print(
      "\nGB/s: bytes that the lanes ask for, over the median. Of copy: the time of a device-to-device copy "
      "that moves as "
      "many bytes, over the kernel's. Sectors are emulated.\n");
}

Json json_of(const gpu::Timing& timing) {
  return {{"minimum", timing.minimum()},
          {"lower_quartile", timing.lower_quartile()},
          {"median", timing.median()},
          {"upper_quartile", timing.upper_quartile()}};
}

Json json_of(Dim3 size) { return Json::array({size.x, size.y, size.z}); }

std::string report_of(const std::vector<Timed>& all, const session::Recording& gpu,
                      const TimeArguments& arguments) {
  Json kernels = Json::array();
  for (const Timed& timed : all) {
    const trace::Trace& trace = *timed.finished.run->trace;
    kernels.push_back(
        {{"name", timed.name},
         {"kernel", trace.kernel},
         {"launch", {{"grid", json_of(trace.grid)}, {"block", json_of(trace.block)}}},
         {"provenance", name_of(Provenance::Measured)},
         {"seconds", json_of(timed.timing)},
         {"useful_bytes", timed.useful_bytes},
         {"gb_per_second", gigabytes_per_second(timed.useful_bytes, timed.timing.median())},
         {"copy_seconds", json_of(timed.copy)},
         {"percent_of_copy", 100 * copy_share(timed)},
         {"emulated", {{"sectors", sectors(trace)}, {"warp_instructions", trace.warp_instructions}}}});
  }
  const Json report{{"lanescope", LANESCOPE_VERSION},
                    {"gpu", gpu.gpu},
                    {"compute_capability", gpu.compute_capability},
                    {"driver", gpu.driver},
                    {"cuda", gpu.cuda},
                    {"l2", arguments.l2},
                    {"repetitions", arguments.repetitions},
                    {"kernels", std::move(kernels)}};
  return report.dump(2) + "\n";
}

Result<int> time_kernels(const TimeArguments& arguments, const Paths& paths) {
  TRY(const auto wanted, kernels_of(arguments.run, paths));
  // What is wrong with the arguments is said before what is wrong with the machine.
  for (const auto& each : wanted) {
    TRY([[maybe_unused]] const Request checked, request_of(each.second, paths));
  }
  TRY(OpenGpu open, open_gpu());
  session::Recording gpu;
  describe_gpu(open, gpu);
  std::vector<Timed> all;
  for (const auto& [name, run] : wanted) {
    TRY(Timed timed, time_one(name, run, arguments, paths, open));
    if (timed.name.empty()) timed.name = timed.finished.run->kernel;
    all.push_back(std::move(timed));
  }
  if (!arguments.json)
    print_table(all, gpu, arguments);
  else if (arguments.json_file.empty())
    fmt::print("{}", report_of(all, gpu, arguments));
  else
    TRY_VOID(exporting::write_file(arguments.json_file, report_of(all, gpu, arguments)));
  return 0;
}

}  // namespace

void add_time_verb(CLI::App& program, Action& action) {
  auto arguments = std::make_shared<TimeArguments>();
  CLI::App* verb =
      program.add_subcommand("time", "time a kernel, or all of a lesson's, on this machine's GPU");
  add_run_arguments(*verb, arguments->run);
  verb->add_option("--json", arguments->json_file, "machine-readable report, to FILE or to standard output")
      ->expected(0, 1)
      ->type_name("[FILE]");
  verb->add_option("--l2", arguments->l2,
                   "cold (default): buffers rotate, so that the L2 holds none of them; or warm")
      ->check(CLI::IsMember({"cold", "warm"}));
  verb->add_option("--repetitions", arguments->repetitions, "launches that are timed (default: 21)")
      ->check(CLI::Range(1, 10000));
  verb->callback([&action, arguments, verb] {
    arguments->json = verb->count("--json") != 0;
    action = [arguments](const Paths& paths) { return time_kernels(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
