#include "pipeline/execution.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/source_name.h"
#include "base/utf8.h"
#include "caches/known_devices.h"
#include "caches/simulate.h"
#include "caches/stream_stage.h"
#include "compile/assemble.h"
#include "emulator/history.h"
#include "lesson/check.h"
#include "model/cost.h"
#include "model/residency.h"
#include "pipeline/line_costs.h"
#include "pipeline/machine_code.h"
#include "pipeline/partition_report.h"
#include "pipeline/register_estimate.h"
#include "sass/machine_level.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// In how many parts the output is checked: of 1 MiB, and not many more than there are threads. 0 where
/// nothing is expected of the job.
uint32_t parts_of_check(const Job& job, const std::vector<launch::Contents>& buffers, unsigned threads) {
  if (!job.expected || job.expected->buffer >= buffers.size()) return 0;
  if (!job.expected->rule) return 1;
  const uint64_t most = uint64_t{4} * threads;
  return static_cast<uint32_t>(std::clamp<uint64_t>(buffers[job.expected->buffer]->size() >> 20, 1, most));
}

/// Whether what this part of the input should become is in the output. `reference`: what the output is to be,
/// where no rule says it.
bool is_output_correct(const Job& job, const std::vector<launch::Contents>& buffers,
                       const launch::Contents& reference, lesson::InputPart part) {
  const ExpectedOutput& expected = *job.expected;
  const launch::Contents& output = buffers[expected.buffer];
  if (!expected.rule) return *output == *reference;
  const launch::Buffer& input = job.launch->buffers[expected.of];
  lesson::MatrixSize size{static_cast<uint32_t>(input.shape.back()), 1};
  for (size_t n = 0; n + 1 < input.shape.size(); ++n) size.height *= static_cast<uint32_t>(input.shape[n]);
  return lesson::output_is_correct(*expected.rule, *buffers[expected.of], *output, size,
                                   launch::size_bytes(input.type), expected.tile, part);
}

/// Where PTX has no source lines, a hazard is located in the PTX.
void locate_hazards(std::vector<trace::Hazard>& hazards, const Job& job) {
  for (trace::Hazard& hazard : hazards)
    if (hazard.where.line == 0) hazard.where = {ptx_name(job), hazard.ptx_line};
}

/// The texts of a job's files: of its source, its headers, and the headers that the compiler read from disk.
class SourceTexts {
 public:
  explicit SourceTexts(const Job& job) : job_(job) {
    add(job.source.file_name, job.source.text);
    for (const compile::Header& header : job.source.headers) add(header.name, header.text);
  }

  /// Line `line` of `file`, trimmed; empty where that is not known.
  std::string line(const Location& where) {
    const std::vector<std::string>& lines = lines_of_file(where.file);
    if (where.line < 1 || static_cast<size_t>(where.line) > lines.size()) return {};
    return lines[static_cast<size_t>(where.line) - 1];
  }

 private:
  static constexpr uint64_t kMostBytes = uint64_t{4} << 20;

  const std::vector<std::string>& add(const std::string& name, std::string_view text) {
    std::vector<std::string>& lines = lines_[name];
    for (const std::string_view line : lines_of(text)) lines.push_back(valid_utf8(trimmed(line)));
    return lines;
  }

  const std::vector<std::string>& lines_of_file(const std::string& name) {
    if (const auto found = lines_.find(name); found != lines_.end()) return found->second;
    std::error_code ignored;
    // PTX may name any file; what a compiler read just now is no secret of another user's.
    const bool was_compiled = job_.text == Job::Text::Cuda && job_.lesson.empty();
    if (!was_compiled || !std::filesystem::is_regular_file(name, ignored)) return add(name, {});
    const auto text = read_text(name, kMostBytes);
    return add(name, text ? std::string_view(*text) : std::string_view());
  }

  const Job& job_;
  std::map<std::string, std::vector<std::string>> lines_;
};

/// The CUDA line of each site, for reports.
void add_source_text(trace::Trace& trace, const Job& job) {
  SourceTexts texts(job);
  for (trace::Site& site : trace.sites) site.source_text = texts.line(site.source);
}

/// Host code may give the size of a cluster with the launch, which is not known here.
std::string note_on_clusters(const ptx::Program& program, const Job& job) {
  const auto asks = [](const ptx::SlotInfo& slot) {
    using enum ptx::SpecialRegister;
    constexpr std::array kAsked{cluster_ctarank, cluster_nctarank, cluster_ctaid_x,  cluster_ctaid_y,
                                cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z};
    return slot.content == ptx::SlotContent::Special &&
           std::ranges::find(kAsked, slot.special) != kAsked.end();
  };
  const bool is_known = volume(program.cluster) > 1 || (job.launch && job.launch->cluster);
  if (is_known || std::ranges::none_of(program.slots, asks)) return {};
  return fmt::format(
      "{}: kernel {} asks for its cluster but declares no size, so each block ran as a cluster of one; a "
      "size that "
      "host code gives with the launch is not known here: declare __cluster_dims__(X, Y, Z)",
      job.source.file_name, source_name_of(program.kernel));
}

/// The machine code of the job's kernel. Errors: those of machine_level_of().
Result<std::shared_ptr<sass::MachineLevel>> machine_level_of_job(const Compiled& compiled, const Job& job) {
  return machine_level_of(compiled.cubin, compiled.program,
                          job.text == Job::Text::Ptx
                              ? compile::architecture_for(compiled.ptx_text, job.options.arch)
                              : job.options.arch);
}

/// The launch whose buffers without a name have that of the parameter, as the source declares it.
std::shared_ptr<const launch::Launch> with_names(std::shared_ptr<const launch::Launch> given,
                                                 const ptx::Program& program) {
  if (std::ranges::none_of(given->buffers, &std::string::empty, &launch::Buffer::name)) return given;
  auto named = std::make_shared<launch::Launch>(*given);
  const size_t count = std::min(named->arguments.size(), program.parameters.size());
  for (size_t n = 0; n < count; ++n) {
    const auto* const to = std::get_if<launch::BufferArgument>(&named->arguments[n]);
    const ptx::KernelParameter& parameter = program.parameters[n];
    if (to == nullptr || parameter.declared.empty() || !named->buffers[to->buffer].name.empty()) continue;
    // Two buffers of one name would be one in messages.
    if (std::ranges::find(named->buffers, parameter.name, &launch::Buffer::name) == named->buffers.end())
      named->buffers[to->buffer].name = parameter.name;
  }
  return named;
}

/// Rows of the lesson's matrices, so that addresses read as in[3][17] and tiles can be found.
void add_shapes(trace::Trace& trace, const launch::Launch& launch) {
  for (size_t i = 0; i < trace.buffers.size() && i < launch.buffers.size(); ++i)
    if (launch.buffers[i].shape.size() == 2) trace.buffers[i].row_elements = launch.buffers[i].shape[1];
}

/// Rules that the caches are modelled by; none: they are not.
std::optional<caches::Rules> rules_of_caches(const Job& job, const model::Device& device,
                                             const RunOptions& options) {
  if (options.caches) return options.caches;
  const bool is_told = job.caches && device.caches && !options.tracer;
  return is_told ? std::optional(caches::Rules{}) : std::nullopt;
}

/// Whether lanes may stay apart in the machine code where they reconverged in the run: some lanes did not
/// take part in every instruction.
bool may_part_lanes(const sass::MachineLevel& machine, const trace::Trace& trace) {
  return machine.reconvergence.barriers != nullptr &&
         trace.lane_instructions != trace.warp_instructions * uint64_t{kLanes};
}

/// Runs the kernel again, with the barriers of its machine code, and counts what that does.
Result<void> count_with_barriers(const ptx::Program& program, const launch::Launch& launch,
                                 emulator::Options how, sass::MachineLevel& machine) {
  sass::FoldingStage folding(machine.match, model::cost_of);
  how.stage = &folding;
  how.checks = emulator::Checks::None;
  how.finished_blocks = nullptr;  // its progress was told by the first run
  how.barriers = machine.reconvergence.barriers;
  trace::Keep keep;
  keep.blocks = trace::Keep::Blocks::None;
  TRY(emulator::Recording recording, emulator::record(program, launch, model::cost_of, keep, how));
  folding.add_counts(machine);
  machine.own_totals = std::move(recording.trace.totals);
  return {};
}

}  // namespace

Result<std::shared_ptr<const Run>> Execution::run(const Job& job, const model::Device& device,
                                                  const RunOptions& options) {
  auto run = std::make_shared<Run>();
  TRY(const auto compiled, compiler_.compile(job, {.stop = options.stop}));
  // The job may have been compiled for a question before its first run.
  const std::optional<double> spent = compiler_.take_seconds(job);
  run->seconds.compile = spent.value_or(0);
  run->from_cache = !spent || !compiled->from_compiler;

  TRY(const auto prepared, plain_runs_.prepare(job, options));
  const auto launch = with_names(prepared, compiled->program);
  std::shared_ptr<sass::MachineLevel> machine;
  if (job.options.with_machine_code) {
    TRY(machine, machine_level_of_job(*compiled, job));
  }
  if (options.tracer && launch->cluster)
    return fail(ErrorKind::Unsupported,
                "clusters that a launch asks for are run by the emulator alone; leave out --producer gpu, or "
                "declare __cluster_dims__");
  auto start = Clock::now();
  std::optional<sass::FoldingStage> folding;
  std::optional<caches::StreamStage> streams;
  std::optional<trace::StagePair> both;
  emulator::Options how = emulator_options(options, pool_);
  if (machine) how.stage = &folding.emplace(machine->match, model::cost_of);
  const std::optional<caches::Rules> rules = rules_of_caches(job, device, options);
  if (rules) {
    TRY_VOID(caches::require_known(device));
    trace::Trace header = emulator::trace_header(compiled->program, *launch);
    header.registers_per_thread = machine ? machine->registers : estimate_registers(compiled->program);
    streams.emplace(caches::block_order_of(header, device, *rules), model::warps_of(model::needs_of(header)),
                    options.cache_budget_bytes);
    how.stage = machine ? static_cast<trace::SinkStage*>(&both.emplace(*streams, *folding)) : &*streams;
  }
  auto recorded = options.tracer
                      ? options.tracer(*compiled, *launch, options.keep)
                      : emulator::record(compiled->program, *launch, model::cost_of, options.keep, how);
  if (!recorded) return std::unexpected(in_source(recorded.error(), job, compiled->ptx_text));
  emulator::Recording recording = *std::move(recorded);
  run->seconds.run = seconds_since(start);
  if (machine) {
    machine->ptx_totals = recording.trace.totals;
    folding->add_counts(*machine);
    if (!options.tracer && may_part_lanes(*machine, recording.trace))
      TRY_VOID(count_with_barriers(compiled->program, *launch, emulator_options(options, pool_), *machine));
    recording.trace.level = options.level;
    if (options.level == trace::CountLevel::MachineCode)
      recording.trace.totals = sass::machine_totals(*machine);
    run->machine = std::move(machine);
  }

  start = Clock::now();
  add_source_text(recording.trace, job);
  locate_hazards(recording.trace.hazards, job);
  locate_hazards(recording.trace.notes, job);
  add_shapes(recording.trace, *launch);
  run->kernel = source_name_of(compiled->program.kernel);
  run->entry = compiled->program.kernel;
  recording.trace.kernel = run->kernel;
  recording.trace.registers_per_thread = recording.trace.level == trace::CountLevel::MachineCode
                                             ? run->machine->registers
                                             : estimate_registers(compiled->program);
  run->note = note_on_clusters(compiled->program, job);
  run->source_name = job.source.file_name;
  run->source_text = job.source.text;
  run->ptx_text = compiled->ptx_text;
  run->defines = job.options.defines;
  run->launch = launch;
  run->buffers = std::move(recording.buffers);
  run->variables = std::move(recording.variables);
  run->trace = std::make_shared<const trace::Trace>(std::move(recording.trace));
  if (streams) {
    TRY(caches::CacheReport report,
        caches::simulate(streams->take(), *run->trace, device,
                         {.rules = *rules, .stop = options.stop, .keeps_origins = options.keeps_origins}));
    run->caches = std::make_shared<const caches::CacheReport>(std::move(report));
  }
  TRY(const launch::Contents reference, plain_runs_.reference_output(job, options));
  // These read the trace and the buffers, and write to different parts of the run.
  std::vector<std::function<void()>> functions = {
      [&] {
        run->tiles = std::make_shared<const std::vector<model::TileMap>>(model::map_tiles(*run->trace));
      },
      [&] { add_partitions(*run, device); }, [&] { add_costs(*run, device); }};
  std::atomic<bool> is_correct = true;
  const uint32_t parts = parts_of_check(job, run->buffers, pool_.size());
  for (uint32_t part = 0; part < parts; ++part)
    functions.emplace_back([&, part] {
      if (!is_output_correct(job, run->buffers, reference, {part, parts})) is_correct = false;
    });
  pool_.for_each(functions.size(), [&](size_t n) { functions[n](); });
  if (parts != 0) run->output_correct = is_correct;
  run->seconds.model = seconds_since(start);
  return run;
}

Result<std::shared_ptr<const trace::History>> Execution::history(const Job& job, CtaId cta, WarpId warp,
                                                                 const RunOptions& options) {
  TRY(const auto compiled, compiler_.compile(job, {.stop = options.stop}));
  emulator::Options unchecked = emulator_options(options, pool_);
  unchecked.checks = emulator::Checks::None;
  TRY(const auto launch, plain_runs_.prepare(job, options));
  TRY(trace::History history, emulator::record_history(compiled->program, *launch, cta, warp, unchecked));
  return std::make_shared<const trace::History>(std::move(history));
}

std::shared_ptr<const Run> Execution::with_device(const Run& run, const model::Device& device) const {
  auto seen = std::make_shared<Run>(run);
  seen->caches = nullptr;  // those of the device that the run was made for
  if (seen->unread) seen->unread = UnreadBlocks{.first = seen->unread->first};
  add_partitions(*seen, device);
  add_costs(*seen, device);
  return seen;
}

}  // namespace lanescope::pipeline
