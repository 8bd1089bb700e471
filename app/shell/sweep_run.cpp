#include "shell/sweep_run.h"

#include "shell/sweep_arguments.h"
#include "sweep/row.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>

namespace lanescope::shell {
namespace {

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

  sweep::Row row_of(uint64_t number) {
    const auto began = std::chrono::steady_clock::now();
    Result<sweep::Row> row = run_kernel(arguments_of(arguments, definition, number));
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
