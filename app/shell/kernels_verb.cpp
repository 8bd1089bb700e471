// `lanescope kernels`: the kernels of a file, with their parameters, why one cannot be run, and what launches
// the file's host code has for it.

#include "base/escape.h"
#include "pipeline/launch_guess.h"
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
  bool launch_file = false;
};

/// What the source says, and its value where the text alone shows it.
Json expression_of(const std::string& text, Json value) {
  return {{"text", text}, {"value", std::move(value)}};
}

Json extent_of(const std::optional<Dim3>& extent) {
  return extent ? Json{extent->x, extent->y, extent->z} : Json();
}

Json report_of(const compile::HostLaunch& launch) {
  return {
      {"file", launch.where.file},
      {"line", launch.where.line},
      {"kernel", launch.kernel},
      {"grid", expression_of(launch.grid, extent_of(launch.grid_value))},
      {"block", expression_of(launch.block, extent_of(launch.block_value))},
      {"shared_bytes", expression_of(launch.shared_bytes,
                                     launch.shared_bytes_value ? Json(*launch.shared_bytes_value) : Json())},
      {"stream", launch.stream},
      {"arguments", launch.arguments}};
}

std::string report_of(const std::string& file, const std::vector<pipeline::ListedKernel>& kernels) {
  Json list = Json::array();
  for (const pipeline::ListedKernel& kernel : kernels) {
    Json parameters = Json::array();
    for (const auto& parameter : kernel.parameters)
      parameters.push_back(
          {{"type", parameter.type}, {"name", parameter.name}, {"size_bytes", parameter.size_bytes}});
    Json launches = Json::array();
    for (const compile::HostLaunch& launch : kernel.launches) launches.push_back(report_of(launch));
    list.push_back({{"name", kernel.name},
                    {"entry", kernel.entry},
                    {"parameters", std::move(parameters)},
                    {"static_shared_bytes", kernel.static_shared_bytes},
                    {"launches", std::move(launches)},
                    {"refused", kernel.refused ? Json(describe(*kernel.refused)) : Json()}});
  }
  const Json report{{"lanescope", LANESCOPE_VERSION}, {"file", file}, {"kernels", std::move(list)}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// "16 x 16"; empty where the value is not known, and where it says no more than the text.
std::string value_of(const std::string& text, const std::optional<Dim3>& extent) {
  if (!extent) return {};
  std::string value = std::to_string(extent->x);
  if (extent->y != 1 || extent->z != 1) value += fmt::format(" x {}", extent->y);
  if (extent->z != 1) value += fmt::format(" x {}", extent->z);
  return value == text ? std::string() : value;
}

std::string line_of(const compile::HostLaunch& launch) {
  std::string line =
      fmt::format("{}<<<{}, {}", describe(Error{.message = launch.kernel, .where = launch.where}),
                  launch.grid, launch.block);
  for (const std::string& part : {launch.shared_bytes, launch.stream})
    if (!part.empty()) line += ", " + part;
  line += fmt::format(">>>({})", fmt::join(launch.arguments, ", "));
  std::vector<std::string> values;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) values.push_back(fmt::format("{} {}", name, value));
  };
  add("grid", value_of(launch.grid, launch.grid_value));
  add("block", value_of(launch.block, launch.block_value));
  const auto shared = launch.shared_bytes_value ? std::to_string(*launch.shared_bytes_value) : "";
  if (!launch.shared_bytes.empty() && shared != launch.shared_bytes) add("shared", shared);
  if (!values.empty()) line += fmt::format("  ({})", fmt::join(values, ", "));
  return line;
}

void print_kernels(const std::vector<pipeline::ListedKernel>& kernels) {
  for (const pipeline::ListedKernel& kernel : kernels) {
    std::vector<std::string> parameters;
    for (const auto& parameter : kernel.parameters)
      parameters.push_back(fmt::format("{} {}", parameter.type, parameter.name));
    std::string line = fmt::format("{}({})", kernel.name, fmt::join(parameters, ", "));
    if (kernel.static_shared_bytes != 0)
      line += fmt::format("  {} bytes of shared memory", kernel.static_shared_bytes);
    for (const compile::HostLaunch& launch : kernel.launches) line += "\n    " + line_of(launch);
    if (kernel.refused) line += "\n    " + describe(*kernel.refused);
    fmt::print("{}\n", without_control_characters(line));
  }
}

Result<int> list_kernels(const KernelsArguments& arguments, const Paths& paths) {
  if (arguments.run.file.empty())
    return fail(ErrorKind::Usage, "nothing to list; give a file (kernel.cu, kernel.ptx)");
  TRY(const pipeline::Job job,
      pipeline::text_job_of_file(arguments.run.file, "", file_options(arguments.run, paths)));
  const pipeline::Options options = session_options(paths);
  TRY(const auto kernels, pipeline::JobCompiler(options).kernels(job));
  if (arguments.launch_file) {
    TRY(const pipeline::LaunchFile launches, pipeline::guess_launch_file(arguments.run.file, kernels));
    fmt::print("{}", pipeline::launch_file_text(launches));
  } else if (arguments.json.given()) {
    TRY_VOID(write_report(arguments.json, report_of(arguments.run.file, kernels)));
  } else {
    print_kernels(kernels);
  }
  return 0;
}

}  // namespace

void add_kernels_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<KernelsArguments>();
  const Verb verb = program.add_verb(
      "kernels", "list a file's kernels, their parameters and launches, and what cannot be run");
  add_compile_arguments(verb, arguments->run);
  add_json_argument(verb, arguments->json);
  verb.add("--launch-file", arguments->launch_file,
           "print a launch file (TOML) with the launches of the host code, to start from: 'lanescope trace "
           "FILE.toml' runs it");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return list_kernels(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
