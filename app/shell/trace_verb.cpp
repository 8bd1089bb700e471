// `lanescope trace`: runs a kernel and reports its memory accesses, as a table or as JSON.

#include "base/escape.h"
#include "export/export.h"
#include "export/history_report.h"
#include "export/trace_file.h"
#include "export/trace_report.h"
#include "shell/findings.h"
#include "shell/output_arguments.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"
#include "trace/traffic.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

struct TraceArguments {
  RunArguments run;
  JsonArgument json;
  std::string save;
  std::vector<std::string> dumps;
  std::string history;
};

exporting::ReportHeader header_of(const Finished& finished, const RunArguments& arguments) {
  exporting::ReportHeader header;
  header.file = finished.run->source_name;
  header.arch = finished.request.job.options.arch;
  header.producer = finished.run->trace->provenance == Provenance::Traced ? "gpu" : "emulator";
  header.dynamic_shared_bytes = static_cast<uint32_t>(arguments.shared_bytes);
  header.compile_seconds = finished.run->seconds.compile;
  header.run_seconds = finished.run->seconds.run;
  header.model_seconds = finished.run->seconds.model;
  return header;
}

void print_totals(const trace::Trace& trace) {
  using trace::Space;
  fmt::print("{:<18} {:>12} {:>14} {:>14} {:>14} {:>14}\n", "", "requests", "bytes", "sectors", "wavefronts",
             "ideal");
  for (const Space space : {Space::Global, Space::Local, Space::Shared, Space::Constant})
    for (const trace::Traffic traffic : trace::kAllTraffic) {
      const trace::Totals totals = trace::total_of(trace, space, traffic);
      if (totals.requests == 0) continue;
      const bool shared = space == Space::Shared;
      std::string name = fmt::format("{} {}", name_of(space), name_of(traffic));
      std::ranges::replace(name, '_', ' ');
      fmt::print("{:<18} {:>12} {:>14} {:>14} {:>14} {:>14}\n", name, totals.requests, totals.bytes,
                 shared ? "-" : fmt::to_string(totals.sectors),
                 shared ? fmt::to_string(totals.wavefronts) : "-",
                 shared ? totals.ideal_wavefronts : totals.ideal_sectors);
    }
}

/// "17", or "tools.h:17" of another file than the kernel's, with the line there that called it.
std::string line_of(const trace::Site& site, const std::string& kernel_file) {
  if (site.source.line == 0 || site.source.file == kernel_file) return fmt::to_string(site.source.line);
  const std::string& file = site.source.file;
  const std::string name = fmt::format("{}:{}", file.substr(file.rfind('/') + 1), site.source.line);
  for (const Location& call : site.called_from)
    if (call.file == kernel_file) return fmt::format("{} {}", call.line, name);
  return name;
}

void print_sites(const trace::Trace& trace, const std::string& kernel_file) {
  fmt::print("\n{:>5}  {:<34} {:>10} {:>14} {:>8}  {}\n", "line", "instruction", "requests", "sectors/wavef.",
             "ideal", "source");
  for (const trace::Site& site : trace.sites) {
    const trace::Totals& totals = trace.totals[site.id.value];
    if (totals.requests == 0) continue;
    const bool shared = site.operation.space == trace::Space::Shared;
    fmt::print(
        "{:>5}  {:<34} {:>10} {:>14} {:>8}  {}\n", without_control_characters(line_of(site, kernel_file)),
        without_control_characters(site.ptx_text), totals.requests,
        shared ? totals.wavefronts : totals.sectors, shared ? totals.ideal_wavefronts : totals.ideal_sectors,
        without_control_characters(site.source_text));
  }
}

void print_table(const Finished& finished) {
  const trace::Trace& trace = *finished.run->trace;
  fmt::print("{}  grid {} x {} x {}  block {} x {} x {}  ({})\n\n", trace.kernel, trace.grid.x, trace.grid.y,
             trace.grid.z, trace.block.x, trace.block.y, trace.block.z, name_of(trace.provenance));
  print_totals(trace);
  print_sites(trace, finished.run->source_name);
  if (trace.warp_instructions != 0)
    fmt::print("\n{} warp instructions, {} lane instructions\n", trace.warp_instructions,
               trace.lane_instructions);
  if (trace.dropped != 0)
    fmt::print("{} accesses were counted but not stored, for lack of room\n", trace.dropped);
  if (const auto correct = finished.run->output_correct)
    fmt::print("output: {}\n", *correct ? "correct" : "WRONG");
}

/// --dump N=FILE: the buffer of argument N.
Result<void> dump(const Finished& finished, const std::string& spec) {
  const size_t equals = spec.find('=');
  uint32_t number = 0;
  const auto [end, status] =
      std::from_chars(spec.data(), spec.data() + std::min(equals, spec.size()), number);
  if (equals == std::string::npos || status != std::errc{} || end != spec.data() + equals)
    return fail(ErrorKind::Usage, fmt::format("--dump takes N=FILE, N counted from 0; found '{}'", spec));
  const auto& arguments = finished.request.job.launch->arguments;
  if (number >= arguments.size())
    return fail(ErrorKind::Usage, fmt::format("--dump {}: the kernel takes {} arguments, counted from 0",
                                              number, arguments.size()));
  const auto* buffer = std::get_if<launch::BufferArgument>(&arguments[number]);
  if (buffer == nullptr)
    return fail(ErrorKind::Usage, fmt::format("--dump {}: this argument is not a buffer", number));
  const auto& bytes = *finished.run->buffers[buffer->buffer];
  return exporting::write_file(spec.substr(equals + 1),
                               {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// --history X,Y,Z:WARP: the register history of this warp; null if not requested.
Result<std::shared_ptr<const trace::History>> history_of(const Finished& finished, const RunArguments& run,
                                                         const std::string& spec, const Paths& paths) {
  if (spec.empty()) return nullptr;
  const size_t colon = std::min(spec.find(':'), spec.size());
  uint32_t warp = 0;
  const auto [end, status] =
      std::from_chars(spec.data() + std::min(colon + 1, spec.size()), spec.data() + spec.size(), warp);
  if (colon == spec.size() || status != std::errc{} || end != spec.data() + spec.size())
    return fail(ErrorKind::Usage,
                fmt::format("--history takes X,Y,Z:WARP, a block and a warp of it from 0; found '{}'", spec));
  const pipeline::Job& job = finished.request.job;
  TRY(const CtaId cta, parse_block(std::string_view(spec).substr(0, colon), job.launch->grid));
  pipeline::Options options = session_options(paths);
  options.threads = run.threads;
  return pipeline::Execution(std::move(options)).history(job, cta, {warp}, finished.request.options);
}

Result<int> trace_kernel(const TraceArguments& arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  if (arguments.save.empty() && arguments.run.verb->has("--save"))
    return fail(ErrorKind::Usage,
                "--save takes the name of a file, for example --save run.lane; it is empty");
  RunArguments run = arguments.run;
  // The table shows totals alone.
  if (run.blocks == "all" && !arguments.json.given() && arguments.save.empty()) run.blocks = "none";
  TRY(const Finished finished, run_request(run, paths));
  if (!finished.run->note.empty()) fmt::print(stderr, "{}\n", without_control_characters(finished.run->note));
  for (const std::string& spec : arguments.dumps) TRY_VOID(dump(finished, spec));
  TRY(const auto history, history_of(finished, arguments.run, arguments.history, paths));
  if (!arguments.save.empty()) TRY_VOID(exporting::save_trace(*finished.run->trace, arguments.save));
  // A report on standard output must be alone there: it has a field for the kernel's output.
  const trace::Output& output = finished.run->trace->output;
  const bool report_alone = arguments.json.on_standard_output();
  if (!report_alone) fmt::print("{}", output.text);
  if (output.is_cut)
    fmt::print(stderr, "the kernel printed more than {} bytes; the rest is not shown\n",
               trace::Output::kMostBytes);
  if (arguments.json.given()) {
    TRY_VOID(write_report(arguments.json,
                          exporting::trace_report(*finished.run->trace, finished.request.device,
                                                  header_of(finished, arguments.run), history.get())));
  } else {
    print_table(finished);
    if (history) fmt::print("{}", exporting::history_text(*history, finished.run->trace->grid));
  }
  const int found = report_findings(*finished.run->trace);
  const bool wrong = finished.run->output_correct == false;
  if (wrong && found == 0) fmt::print(stderr, "the kernel's output differs from the lesson's reference\n");
  return wrong ? 1 : found;
}

}  // namespace

void add_trace_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<TraceArguments>();
  const Verb verb = program.add_verb("trace", "run a kernel and report its memory accesses");
  add_run_arguments(verb, arguments->run);
  add_json_argument(verb, arguments->json);
  verb.add("--save", arguments->save, "FILE.lane: the trace itself, an SQLite database");
  verb.add("--dump", arguments->dumps, "N=FILE: argument N (from 0) after the run, raw bytes").repeatable();
  verb.add("--history", arguments->history,
           "X,Y,Z:WARP: what each instruction of this warp of this block does to its registers");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return trace_kernel(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
