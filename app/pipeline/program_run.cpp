#include "pipeline/program_run.h"

#include "base/file.h"
#include "pipeline/job.h"

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::pipeline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr const char* kRunFile = "run.json";
/// What each transfers: export/trace_table.h orders its rows likewise.
constexpr uint64_t kSectorBytes = 32, kWavefrontBytes = 128;

/// Bytes that a launch transfers beyond the ideal.
uint64_t waste_of(const ProgramLaunch& launch) {
  const auto beyond = [](uint64_t cost, uint64_t ideal) { return cost > ideal ? cost - ideal : 0; };
  return kSectorBytes * beyond(launch.sectors, launch.ideal_sectors) +
         kWavefrontBytes * beyond(launch.wavefronts, launch.ideal_wavefronts);
}

Dim3 extent_of(const Json& json) {
  return {json.at(0).get<uint32_t>(), json.at(1).get<uint32_t>(), json.at(2).get<uint32_t>()};
}

/// A name of a file in the folder of the run, and of none elsewhere.
fs::path file_in(const fs::path& folder, const std::string& name) {
  return name.empty() || fs::path(name).filename() != name ? fs::path() : folder / name;
}

ProgramLaunch launch_of(const Json& json, const fs::path& folder) {
  ProgramLaunch launch{.number = json.at("number").get<uint32_t>(),
                       .kernel = json.at("kernel").get<std::string>(),
                       .entry = json.value("entry", std::string()),
                       .grid = extent_of(json.at("grid")),
                       .block = extent_of(json.at("block")),
                       .seconds = {},
                       .measured_seconds = {},
                       .requests = 0,
                       .sectors = 0,
                       .ideal_sectors = 0,
                       .wavefronts = 0,
                       .ideal_wavefronts = 0,
                       .findings = json.at("findings").get<std::vector<std::string>>(),
                       .is_equal_to_gpu = {},
                       .comparison = {},
                       .sampled_blocks = 0,
                       .has_incomplete_inputs = json.value("incomplete_inputs", false),
                       .error = json.value("error", std::string()),
                       .file = file_in(folder, json.value("file", std::string())),
                       .inputs = file_in(folder, json.value("inputs", std::string())),
                       .without_inputs = json.value("without_inputs", std::string())};
  if (json.contains("measured_seconds")) launch.measured_seconds = json["measured_seconds"].get<double>();
  if (json.contains("memory_after")) {
    launch.is_equal_to_gpu = json["memory_after"].at("equal").get<bool>();
    launch.comparison = json["memory_after"].value("sentences", std::vector<std::string>());
  }
  if (json.contains("machine_code")) {
    const auto all = json["machine_code"].value("requests", 0.0);
    launch.matched = all == 0 ? 1 : json["machine_code"].value("matched_requests", 0.0) / all;
  }
  if (json.contains("sampled")) launch.sampled_blocks = json["sampled"].at("blocks").get<uint64_t>();
  if (!json.contains("emulated_seconds")) return launch;
  launch.seconds = json["emulated_seconds"].get<double>();
  launch.requests = json.value("requests", uint64_t{0});
  launch.sectors = json.at("sectors").get<uint64_t>();
  launch.ideal_sectors = json.at("ideal_sectors").get<uint64_t>();
  launch.wavefronts = json.at("wavefronts").get<uint64_t>();
  launch.ideal_wavefronts = json.at("ideal_wavefronts").get<uint64_t>();
  return launch;
}

/// A launch that refers to an earlier one, which it is like but for number and times.
ProgramLaunch launch_like(const ProgramRun& run, const Json& json) {
  const auto number = json.at("like").get<uint32_t>();
  // Records are nearly in the order of their numbers.
  auto found = run.launches.begin() + std::min<std::ptrdiff_t>(number, std::ssize(run.launches));
  if (found == run.launches.end() || found->number != number)
    found = std::ranges::find(run.launches, number, &ProgramLaunch::number);
  ProgramLaunch launch = found == run.launches.end() ? ProgramLaunch{} : *found;
  launch.number = json.at("number").get<uint32_t>();
  launch.kernel = json.at("kernel").get<std::string>();
  if (launch.seconds) launch.seconds = json.at("seconds").get<double>();
  if (json.contains("measured_seconds")) launch.measured_seconds = json["measured_seconds"].get<double>();
  return launch;
}

}  // namespace

const ProgramLaunch* costliest_launch(const ProgramRun& run,
                                      const std::function<bool(const ProgramLaunch&)>& is_meant) {
  const ProgramLaunch* found = nullptr;
  const auto rank = [](const ProgramLaunch& one) {
    const bool is_whole = one.sampled_blocks == 0 && !one.has_incomplete_inputs;
    return std::tuple(one.error.empty(), is_whole, waste_of(one), one.requests);
  };
  for (const ProgramLaunch& launch : run.launches)
    if (!launch.file.empty() && is_meant(launch) && (found == nullptr || rank(launch) > rank(*found)))
      found = &launch;
  return found;
}

const ProgramLaunch* launch_kept_in(const ProgramRun& run, const fs::path& file) {
  const auto found = std::ranges::find(run.launches, file, &ProgramLaunch::file);
  return file.empty() || found == run.launches.end() ? nullptr : &*found;
}

fs::path run_file_of(const fs::path& folder) { return folder / kRunFile; }

bool is_program_run(const fs::path& path) {
  std::error_code ignored;
  if (path.filename() == kRunFile) return true;
  return fs::is_directory(path, ignored) && fs::is_regular_file(run_file_of(path), ignored);
}

Result<ProgramRun> read_program_run(const fs::path& folder) {
  const fs::path file = run_file_of(folder);
  TRY(const std::string text, read_text(file, kMostBytes));
  try {
    const Json json = Json::parse(text);
    if (json.at("lanescope_run").get<int>() != 1)
      return fail(ErrorKind::Syntax,
                  "this run was written by another version of lanescope; run the program again",
                  Location{file.string(), 0});
    ProgramRun run{.folder = folder,
                   .command = json.at("command").get<std::vector<std::string>>(),
                   .device = json.at("device").get<std::string>(),
                   .is_of_gpu = json.value("producer", std::string()) == "gpu",
                   .status = {},
                   .launches = {},
                   .sources = {}};
    if (json.contains("status")) run.status = json.at("status").get<int>();
    for (const Json& launch : json.at("launches"))
      run.launches.push_back(launch.contains("like") ? launch_like(run, launch) : launch_of(launch, folder));
    if (json.contains("sources")) run.sources = json.at("sources").get<std::map<std::string, std::string>>();
    return run;
  } catch (const Json::exception& problem) {
    return fail(ErrorKind::Syntax, fmt::format("this is not a run of 'lanescope run': {}", problem.what()),
                Location{file.string(), 0});
  }
}

}  // namespace lanescope::pipeline
