// `lanescope kernels`: the kernels of a file, with their parameters, and why one cannot be run.

#include "base/escape.h"
#include "shell/output_arguments.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

using Json = nlohmann::ordered_json;

struct KernelsArguments {
  RunArguments run;
  JsonArgument json;
};

std::string report_of(const std::string& file, const std::vector<pipeline::ListedKernel>& kernels) {
  Json list = Json::array();
  for (const pipeline::ListedKernel& kernel : kernels) {
    Json parameters = Json::array();
    for (const auto& parameter : kernel.parameters)
      parameters.push_back(
          {{"type", parameter.type}, {"name", parameter.name}, {"size_bytes", parameter.size_bytes}});
    list.push_back({{"name", kernel.name},
                    {"entry", kernel.entry},
                    {"parameters", std::move(parameters)},
                    {"static_shared_bytes", kernel.static_shared_bytes},
                    {"refused", kernel.refused ? Json(describe(*kernel.refused)) : Json()}});
  }
  const Json report{{"lanescope", LANESCOPE_VERSION}, {"file", file}, {"kernels", std::move(list)}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print_kernels(const std::vector<pipeline::ListedKernel>& kernels) {
  for (const pipeline::ListedKernel& kernel : kernels) {
    std::vector<std::string> parameters;
    for (const auto& parameter : kernel.parameters)
      parameters.push_back(fmt::format("{} {}", parameter.type, parameter.name));
    std::string line = fmt::format("{}({})", kernel.name, fmt::join(parameters, ", "));
    if (kernel.static_shared_bytes != 0)
      line += fmt::format("  {} bytes of shared memory", kernel.static_shared_bytes);
    if (kernel.refused) line += "\n    " + describe(*kernel.refused);
    fmt::print("{}\n", without_control_characters(line));
  }
}

Result<int> list_kernels(const KernelsArguments& arguments, const Paths& paths) {
  if (arguments.run.file.empty())
    return fail(ErrorKind::Usage, "nothing to list; give a file (kernel.cu, kernel.ptx)");
  TRY(const pipeline::Job job, text_job_of_file(arguments.run, paths));
  TRY(const auto kernels, pipeline::Execution(session_options(paths)).kernels(job));
  if (arguments.json.given()) {
    TRY_VOID(write_report(arguments.json, report_of(arguments.run.file, kernels)));
  } else {
    print_kernels(kernels);
  }
  return 0;
}

}  // namespace

void add_kernels_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<KernelsArguments>();
  const Verb verb =
      program.add_verb("kernels", "list a file's kernels, their parameters, and what cannot be run");
  add_compile_arguments(verb, arguments->run);
  add_json_argument(verb, arguments->json);
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return list_kernels(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
