#include "shell/sweep_run.h"

#include "pipeline/kernel_choice.h"
#include "shell/program_trace.h"
#include "shell/sweep_arguments.h"
#include "sweep/row.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

/// Whether --kernel and --launch mean the launch of a program; without them all are meant.
bool is_swept(const driver::LaunchRecord& record, const RunArguments& one) {
  if (one.launch != 0) return record.number == one.launch - 1;
  return one.kernel.empty() || record.entry == one.kernel ||
         pipeline::is_name_of_kernel(one.kernel, record.kernel);
}

/// The counts of a program's launches.
sweep::Row row_of_program(const ProgramTrace& program, const RunArguments& one) {
  sweep::Row row{.provenance = std::string(name_of(Provenance::Emulated))};
  std::string error;
  for (const driver::LaunchRecord& record : program.outcome.log->records()) {
    if (!is_swept(record, one)) continue;
    for (const exporting::TrafficTotals& totals : record.totals)
      sweep::add_totals(row, totals.space, totals.traffic, totals.totals);
    for (const trace::Hazard& hazard : record.hazards)
      if (!hazard.is_question) sweep::add_finding(row, hazard.kind);
    if (record.hazards.empty() && error.empty()) error = record.error;
    row.warp_instructions += record.warp_instructions;
    row.kernel = record.kernel;
    row.grid = fmt::format("{},{},{}", record.grid.x, record.grid.y, record.grid.z);
    row.block = fmt::format("{},{},{}", record.block.x, record.block.y, record.block.z);
    row.shared_bytes = record.dynamic_shared_bytes;
    ++row.launches;
  }
  if (row.findings.empty() && error.empty()) error = sentence_of(program.outcome.end, program.run);
  if (row.launches == 0 && error.empty())
    error = "the program launched no kernel that --kernel or --launch means";
  row.problem = error;
  return row;
}

/// What a worker keeps between combinations.
struct CombinationRunner {
  const RunArguments& arguments;
  const sweep::Definition& definition;
  Paths paths;
  Progress progress = {};  // before the threads of `execution`, as run_request() has it
  pipeline::Execution execution;
  std::shared_ptr<const launch::Launch> previous = {};  // of a lesson, whose contents the next one may share

  CombinationRunner(const RunArguments& run, const sweep::Definition& swept, const Paths& where)
      : arguments(run), definition(swept), paths(where), execution(options_of(where)) {}

  static pipeline::Options options_of(const Paths& where) {
    pipeline::Options options = session_options(where);
    options.threads = 1;
    return options;
  }

  Result<sweep::Row> run_kernel(const RunArguments& one) {
    TRY(Request request, request_of(one, paths, previous.get()));
    TRY(Finished finished, run_request(one, paths, std::move(request), execution, progress));
    if (!one.lesson.empty()) previous = finished.request.job().launch;
    auto runs = one.launch == 0 ? std::move(finished.earlier) : decltype(finished.earlier)();
    runs.push_back(finished.run);
    sweep::Row row = sweep::row_of(runs);
    if (finished.request.launches.launches.size() == 1)
      row.note = guess_words(finished.request.launches.launches.front());
    return row;
  }

  Result<sweep::Row> run_whole_program(const RunArguments& one) {
    TRY(const auto program, trace_program(one, paths, ProgramCommand::Output::Error,
                                          driver::KeptAccesses::None, WithoutProgram::Nothing));
    return row_of_program(*program, one);
  }

  sweep::Row row_of(uint64_t number) {
    const auto began = std::chrono::steady_clock::now();
    const RunArguments one = arguments_of(arguments, definition, number);
    Result<sweep::Row> row = names_program(one) ? run_whole_program(one) : run_kernel(one);
    if (!row) row = sweep::Row{.problem = describe(row.error())};
    row->number = number;
    row->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return *std::move(row);
  }
};

}  // namespace

sweep::Work combination_work(const RunArguments& arguments, const sweep::Definition& definition,
                             const Paths& paths) {
  const auto runner = std::make_shared<CombinationRunner>(arguments, definition, paths);
  return [runner](uint64_t number) { return sweep::line_of(runner->row_of(number)); };
}

unsigned usable_cores() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace lanescope::shell
