#include "shell/hosting/session_program.h"

#include "base/limited_process.h"
#include "model/device.h"
#include "pipeline/program_run.h"
#include "shell/hosting/hosted_run.h"
#include "shell/hosting/source_program.h"

#include <limits>
#include <system_error>
#include <utility>

namespace lanescope::shell {
namespace {

using pipeline::ProgramOutcome;
using pipeline::ProgramRequest;

std::vector<std::string> run_words(const ProgramRequest& request, const std::filesystem::path& folder,
                                   const Paths& paths) {
  const auto device = model::find_device(paths.assets / "devices", request.device);
  std::vector<std::string> words{paths.program.string(), "run",
                                 // The program's own words are then all on standard error.
                                 "--json", "--save", folder.string(), "--keep-inputs", "--device",
                                 device ? device_seen(*device, request.device) : request.device};
  for (const std::string& include : request.include_directories) words.insert(words.end(), {"-I", include});
  words.push_back(request.source.string());
  words.emplace_back("--");
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  return words;
}

/// How the program ended, from the exit status of `lanescope run`.
std::string problem_of(const Ended& ended, const ProgramRequest& request) {
  constexpr int kBySignal = 128;
  const int status = ended.how == Ended::How::Signaled ? kBySignal + ended.number : ended.number;
  const HostedRun named{.command = {.words = {request.source.filename().string()}}};
  return sentence_of({.cause = ProgramEnd::Cause::Itself, .status = status}, named);
}

Result<ProgramOutcome> run_source(const ProgramRequest& request, const Paths& paths, std::stop_token stop) {
  TRY(const std::filesystem::path folder, make_run_folder(paths));
  Limits limits{.seconds = std::numeric_limits<uint32_t>::max(), .memory_mib = 0, .stop = std::move(stop)};
  TRY(Ended ended, run_limited(run_words(request, folder, paths), limits));
  std::error_code ignored;
  const bool was_started = pipeline::is_program_run(folder);
  if (ended.how == Ended::How::Stopped || !was_started) std::filesystem::remove_all(folder, ignored);
  if (ended.how == Ended::How::Stopped) return fail(ErrorKind::Cancelled, "the program was cancelled");
  if (!was_started) return fail(ErrorKind::Compile, std::move(ended.error));
  return ProgramOutcome{
      .folder = folder, .output = std::move(ended.error), .problem = problem_of(ended, request)};
}

}  // namespace

void offer_programs(pipeline::Options& options, const Paths& paths) {
  if (!paths.config.empty()) options.own_programs = paths.config / "programs.toml";
  options.run_program = [paths](const ProgramRequest& request, std::stop_token stop) {
    return run_source(request, paths, std::move(stop));
  };
}

}  // namespace lanescope::shell
