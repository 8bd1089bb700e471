// `lanescope trace`: runs a kernel and reports its memory accesses, as a table or as JSON.

#include "base/escape.h"
#include "base/file.h"
#include "driver/server/launch_table.h"
#include "export/cache_text.h"
#include "export/history_report.h"
#include "export/machine_report.h"
#include "export/ncu_table.h"
#include "export/trace_file.h"
#include "export/trace_report.h"
#include "export/trace_table.h"
#include "launch/array_file.h"
#include "launch/buffer_text.h"
#include "shell/counter_files.h"
#include "shell/findings.h"
#include "shell/output_arguments.h"
#include "shell/program_trace.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

struct TraceArguments {
  RunArguments run;
  JsonArgument json;
  std::string save;
  std::vector<std::string> dumps;
  std::string history;
  std::string by = "line";
  std::vector<std::string> shows;
  bool ncu = false;
};

exporting::ReportHeader header_of(const pipeline::Run& run, const pipeline::Job& job) {
  exporting::ReportHeader header;
  header.file = run.source_name;
  header.arch = job.options.arch;
  header.producer = run.trace->provenance == Provenance::Traced ? "gpu" : "emulator";
  header.dynamic_shared_bytes = run.launch->dynamic_shared_bytes;
  header.compile_seconds = run.seconds.compile;
  header.run_seconds = run.seconds.run;
  header.machine = pipeline::counted_machine(run);
  header.caches = run.caches.get();
  header.model_seconds = run.seconds.model;
  return header;
}

/// The runs of all steps, in order.
std::vector<std::shared_ptr<const pipeline::Run>> runs_of(const Finished& finished) {
  auto runs = finished.earlier;
  runs.push_back(finished.run);
  return runs;
}

std::string json_report(const Finished& finished, const trace::History* history,
                        const std::vector<exporting::CounterComparison>& comparisons) {
  std::vector<std::string> reports;
  for (const auto& run : runs_of(finished)) {
    exporting::ReportHeader header = header_of(*run, finished.request.steps[reports.size()].job);
    if (!comparisons.empty()) header.counters = &comparisons[reports.size()];
    reports.push_back(exporting::trace_report(*run->trace, finished.request.device, header,
                                              run == finished.run ? history : nullptr));
  }
  return reports.size() == 1 ? reports.front() : exporting::launches_report(reports);
}

void print_tables(const Finished& finished, const std::string& by, bool ncu,
                  const std::vector<exporting::CounterComparison>& comparisons) {
  const exporting::TableStyle style{by == "site" ? exporting::TableRows::Sites : exporting::TableRows::Lines,
                                    wants_color()};
  const auto runs = runs_of(finished);
  for (size_t n = 0; n < runs.size(); ++n) {
    const uint64_t times = finished.request.steps[n].times;
    if (runs.size() > 1)
      fmt::print("{}launch {} of {}{}: ", n == 0 ? "" : "\n", n + 1, runs.size(),
                 times == 1 ? "" : fmt::format(", {} times", times));
    fmt::print("{}",
               exporting::trace_table(*runs[n]->trace, {runs[n]->source_name, runs[n]->source_text}, style));
    const sass::MachineLevel* const machine = pipeline::counted_machine(*runs[n]);
    if (machine != nullptr)
      fmt::print("{}", exporting::machine_text(*runs[n]->trace, *machine, finished.request.device));
    fmt::print("{}", exporting::device_table(*runs[n]->trace, finished.request.device));
    if (runs[n]->caches)
      fmt::print("{}", exporting::cache_text(*runs[n]->trace, *runs[n]->caches, finished.request.device));
    if (ncu)
      fmt::print("{}", exporting::ncu_table(*runs[n]->trace, machine != nullptr ? "machine code" : "PTX"));
    if (!comparisons.empty()) fmt::print("{}", exporting::comparison_text(comparisons[n]));
  }
  if (const auto correct = finished.run->output_correct)
    fmt::print("output: {}\n", *correct ? "correct" : "WRONG");
}

/// A buffer and its bytes after the run.
struct FinalBuffer {
  const launch::Buffer& buffer;
  const launch::Bytes& bytes;
};
FinalBuffer final_buffer(const Finished& finished, uint32_t number) {
  return {finished.request.job().launch->buffers[number], *finished.run->buffers[number]};
}

/// --dump NAME=FILE: a buffer, or the one of argument N.
Result<void> dump(const Finished& finished, const std::string& spec) {
  const size_t equals = spec.find('=');
  if (equals == std::string::npos)
    return fail(ErrorKind::Usage,
                fmt::format("--dump takes NAME=FILE, or N=FILE with N counted from 0; found '{}'", spec));
  const auto part = launch::find_buffer_part(*finished.request.job().launch, spec.substr(0, equals));
  if (!part || !part->range.is_whole())
    return fail(ErrorKind::Usage, fmt::format("--dump {}: {}", spec,
                                              part ? "a whole buffer is written" : part.error().message));
  const FinalBuffer final = final_buffer(finished, part->buffer);
  const std::string path = spec.substr(equals + 1);
  return write_file(path, launch::array_file(path, final.buffer.type, final.buffer.shape, final.bytes));
}

/// --show NAME, NAME[FIRST:END]: the values of a buffer.
Result<std::string> shown(const Finished& finished, const std::string& spec) {
  auto part = launch::find_buffer_part(*finished.request.job().launch, spec);
  if (!part) {
    part.error().message = "--show: " + part.error().message;
    return std::unexpected(part.error());
  }
  const FinalBuffer final = final_buffer(finished, part->buffer);
  return launch::buffer_text(final.buffer, final.bytes, part->range);
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
  const pipeline::Job& job = finished.request.job();
  TRY(const CtaId cta, parse_block(std::string_view(spec).substr(0, colon), job.launch->grid));
  pipeline::Options options = session_options(paths);
  options.threads = run.threads;
  return pipeline::Execution(std::move(options)).history(job, cta, {warp}, finished.request.options);
}

/// What is contradictory before anything runs.
Result<void> check(const TraceArguments& arguments) {
  if (arguments.save.empty() && arguments.run.verb->has("--save"))
    return fail(ErrorKind::Usage,
                "--save takes the name of a file, for example --save run.lane; it is empty");
  if (!arguments.shows.empty() && arguments.json.on_standard_output())
    return fail(ErrorKind::Usage,
                "--show prints to standard output, where --json is alone; write the report with --json FILE");
  return {};
}

/// --save FILE.lane; of several launches FILE.1.lane, FILE.2.lane.
Result<void> save(const Finished& finished, const std::string& file) {
  const auto runs = runs_of(finished);
  for (size_t n = 0; n < runs.size(); ++n) {
    std::filesystem::path path = file;
    if (runs.size() > 1)
      path.replace_filename(fmt::format("{}.{}{}", path.stem().string(), n + 1, path.extension().string()));
    TRY_VOID(exporting::save_trace(*runs[n]->trace, path));
  }
  return {};
}

/// Notes, and what the kernels print.
void print_output(const Finished& finished, bool report_alone) {
  for (const auto& run : runs_of(finished)) {
    if (!run->note.empty()) fmt::print(stderr, "{}\n", without_control_characters(run->note));
    const trace::Output& output = run->trace->output;
    // A report on standard output must be alone there: it has a field for the kernel's output.
    if (!report_alone) fmt::print("{}", for_standard_output(output.text));
    if (output.is_cut)
      fmt::print(stderr, "the kernel printed more than {} bytes; the rest is not shown\n",
                 trace::Output::kMostBytes);
  }
}

/// The program that the arguments name, if they name one. With the modelled caches the launch is run again,
/// as its own inputs have it.
Result<std::unique_ptr<ProgramTrace>> program_of(const TraceArguments& arguments, const Paths& paths,
                                                 ProgramCommand::Output output) {
  if (!arguments.run.caches)
    return trace_program(arguments.run, paths, output,
                         arguments.save.empty() ? driver::KeptAccesses::None : driver::KeptAccesses::All);
  return run_launch(arguments.run, paths, output);
}

/// The launches of a program as a table, then one of them line by line; or all as JSON.
Result<int> report_of_program(const TraceArguments& arguments, const ProgramTrace& program) {
  const driver::ProgramLog& log = *program.outcome.log;
  const pipeline::Run* const launch = program.launch.get();
  if (!arguments.save.empty() && launch != nullptr)
    TRY_VOID(exporting::save_trace(*launch->trace, arguments.save));
  if (arguments.json.given()) {
    nlohmann::json report = log.json();
    // The traces are gone when this verb ends.
    for (nlohmann::json& one : report["launches"]) {
      one.erase("file");
      one["kept"] = nullptr;
      if (launch != nullptr && launch->caches && one["number"] == program.number)
        one["caches_by_line"] = exporting::cache_json(*launch->trace, *launch->caches, program.device);
    }
    TRY_VOID(write_report(arguments.json,
                          report.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
    return report_program(program);
  }
  const driver::LaunchRecords records = log.records();
  const std::vector<driver::LibraryCalls> library_calls = log.library_calls();
  if (!records.empty() || !library_calls.empty())
    fmt::print("\n{}", driver::table_of(records, library_calls));
  if (launch != nullptr) {
    const exporting::TableStyle style{
        arguments.by == "site" ? exporting::TableRows::Sites : exporting::TableRows::Lines, wants_color()};
    fmt::print("\nlaunch {}{}: {}", program.number + 1, program.has_others ? ", which wastes most" : "",
               exporting::trace_table(*launch->trace, {launch->source_name, launch->source_text}, style));
    if (launch->caches)
      fmt::print("{}", exporting::cache_text(*launch->trace, *launch->caches, program.device));
    else if (arguments.run.caches)
      fmt::print(stderr,
                 "note: the caches by line are not modelled: launch {} could not be run again by itself\n",
                 program.number + 1);
    if (arguments.ncu)
      fmt::print("{}", exporting::ncu_table(
                           *launch->trace,
                           launch->trace->level == trace::CountLevel::MachineCode ? "machine code" : "PTX"));
  }
  std::fflush(stdout);
  return report_program(program);
}

Result<int> trace_kernel(const TraceArguments& arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  TRY_VOID(check(arguments));
  const auto output =
      arguments.json.on_standard_output() ? ProgramCommand::Output::Error : ProgramCommand::Output::Output;
  TRY(const auto program, program_of(arguments, paths, output));
  if (program) return report_of_program(arguments, *program);
  RunArguments run = arguments.run;
  // The table shows totals alone, but for an old device, whose units are counted from the accesses.
  const auto device = model::find_device(paths.assets / "devices", run.device);
  const bool counts_accesses = device && device->compute_capability < 50;
  if (run.blocks == "all" && !arguments.json.given() && arguments.save.empty() && !counts_accesses)
    run.blocks = "none";
  // A file that cannot be compared is said before the kernel runs.
  std::optional<exporting::Profile> profile;
  if (arguments.run.verb->has("--counters")) {
    TRY(profile, read_counters(arguments.run.counters));
  }
  TRY(const Finished finished, run_request(run, paths));
  std::vector<exporting::CounterComparison> comparisons;
  if (profile) {
    TRY(comparisons,
        compare_with(*profile, arguments.run.counters, runs_of(finished), finished.request.steps));
  }
  for (const std::string& spec : arguments.dumps) TRY_VOID(dump(finished, spec));
  std::vector<std::string> values_shown;
  for (const std::string& spec : arguments.shows) {
    TRY(values_shown.emplace_back(), shown(finished, spec));
  }
  TRY(const auto history, history_of(finished, arguments.run, arguments.history, paths));
  if (!arguments.save.empty()) TRY_VOID(save(finished, arguments.save));
  print_output(finished, arguments.json.on_standard_output());
  if (arguments.json.given()) {
    TRY_VOID(write_report(arguments.json, json_report(finished, history.get(), comparisons)));
  } else {
    print_tables(finished, arguments.by, arguments.ncu, comparisons);
    if (history) fmt::print("{}", exporting::history_text(*history, finished.run->trace->grid));
  }
  for (const std::string& values : values_shown) fmt::print("\n{}", values);
  int found = 0;
  for (const auto& one : runs_of(finished)) found = std::max(found, report_findings(*one->trace));
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
  verb.add("--show", arguments->shows,
           "NAME, or a part as NAME[FIRST:END]: print the values of a buffer after the run")
      .repeatable();
  verb.add("--dump", arguments->dumps,
           "NAME=FILE: a buffer after the run (or argument N, from 0), raw bytes, or .npy for NumPy")
      .repeatable();
  verb.add("--by", arguments->by,
           "rows of the table: line (default), those that waste most first, or site, one for each memory "
           "instruction in the order of the PTX")
      .one_of({"line", "site"});
  verb.add("--level", arguments->run.level,
           "ptx (default): the accesses of the PTX; or sass: those of the machine code that the assembler "
           "makes of "
           "it, for --arch, and what differs (emulator; of PTX, with the ptxas of a toolkit)")
      .one_of({"ptx", "sass"});
  verb.add(
      "--caches", arguments->run.caches,
      "also model the caches of the device (measured on an H100 and an H200): hit rates, what goes to the "
      "L2 and the DRAM, by line");
  verb.add("--cache-memory", arguments->run.cache_memory_mib,
           "MiB for the requests of a launch (default: 256); of a larger launch the caches of some "
           "multiprocessors are modelled, and neither the L2 nor the DRAM");
  verb.add("--without", arguments->run.without,
           "a rule of the modelled caches to leave out, for what it is worth: ages, set-hash, data-limit, "
           "stores-allocate, evict-first, halves, pairs, partial-lines, jitter")
      .repeatable();
  verb.add("--ncu", arguments->ncu,
           "also print the counts under the names of Nsight Compute's metrics; with --level sass they are "
           "those of the machine code, as a profiler counts");
  verb.add(
      "--counters", arguments->run.counters,
      "FILE.csv: what ncu --csv --page raw printed of this kernel on another machine; each of its counters "
      "that follows from addresses is compared with both levels, and each difference explained");
  verb.add("--history", arguments->history,
           "X,Y,Z:WARP: what each instruction of this warp of this block does to its registers");
  verb.set_footer(
      "--arg is one of\n"
      "  n=i32:1024  f32:0.5          a scalar: u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64\n"
      "  out=f32[64x32]:zeros         a buffer: zeros, iota, fill(V), random(SEED), file(PATH), text(WORDS), "
      "none\n"
      "  in=file(in.npy)              a buffer as NumPy or a .png image has it\n"
      "  out  out+256                 an earlier buffer again, or from its byte 256 on\n"
      "  texture(f32[48x64]:iota, linear, clamp, normalized)   surface(u8x4[48x64]:zeros)   texture(in)\n"
      "                               a texture or surface object, also over an earlier buffer\n"
      "  {i32:3,f32:0.5,out}          a struct by its fields;  bytes:0011aabb  byte by byte\n"
      "Examples:\n"
      "  lanescope trace --lesson transpose --set padding=1\n"
      "  lanescope trace saxpy.cu --grid 4 --block 256 --arg x=f32[1024]:iota --arg y=f32[1024]:zeros --arg "
      "i32:1024\n"
      "  lanescope trace blur.cu --grid 16,16 --block 16,16 --arg in=file(photo.png) --arg "
      "out=u8[256x256]:zeros \\\n"
      "      --show out[0:4] --dump out=blurred.npy\n"
      "  lanescope trace reduce.cu --kernel 'reduce<256>' --block 256 --arg f32[256]:iota --arg f32[1]:zeros "
      "--by site\n"
      "  lanescope trace tile.ptx --grid 32,32 --block 32,8 --arg out=f32[1024x1024]:none --json report.json "
      "--save run.lane");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return trace_kernel(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
