#include "shell/drawn_run.h"

#include "export/trace_file.h"
#include "pipeline/program_run.h"
#include "pipeline/saved_trace.h"

#include <utility>

namespace lanescope::shell {

namespace fs = std::filesystem;

namespace {

/// A saved trace with the accesses of the block that is looked at.
Result<trace::Trace> read_looked_at(const RunArguments& arguments) {
  TRY(const trace::TracePart none, exporting::read_trace_part(arguments.file, {}));
  TRY(const CtaId block, parse_block(arguments.looked_at, none.trace.grid));
  TRY(trace::TracePart part, exporting::read_trace_part(arguments.file, {.also = block}));
  return std::move(part.trace);
}

}  // namespace

Result<DrawnRun> drawn_run(const RunArguments& arguments, const Paths& paths) {
  if (fs::path(arguments.file).extension() != ".lane") {
    TRY(auto program, run_launch(arguments, paths, ProgramCommand::Output::Output));
    if (program) {
      auto launch = program->launch;
      model::Device device = program->device;
      return DrawnRun{std::move(launch), std::move(device), std::move(program)};
    }
    TRY(Finished finished, run_request(arguments, paths));
    pipeline::LaunchFile launches = std::move(finished.request.launches);
    if (launches.launches.size() > finished.request.steps.size())
      launches.launches.resize(finished.request.steps.size());
    return DrawnRun{finished.run, finished.request.device, {}, std::move(launches)};
  }
  TRY_VOID(check_level(arguments));
  // Of a launch that `lanescope run` kept: the device that the program saw.
  const fs::path folder = fs::absolute(arguments.file).parent_path();
  std::string device = arguments.device;
  if (device.empty() && pipeline::is_program_run(folder)) {
    TRY(const pipeline::ProgramRun run, pipeline::read_program_run(folder));
    device = run.device;
  }
  if (device.empty()) device = "h200";
  DrawnRun drawn;
  TRY(drawn.device, model::find_device(paths.assets / "devices", device));
  TRY(trace::Trace trace,
      arguments.reads_looked_at_alone ? read_looked_at(arguments) : exporting::read_trace(arguments.file));
  drawn.run = pipeline::run_of_trace(std::move(trace), drawn.device);
  return drawn;
}

}  // namespace lanescope::shell
