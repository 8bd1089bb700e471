#include "driver/kernel_launch.h"

#include "base/source_name.h"
#include "driver/buffer_names.h"
#include "emulator/run.h"
#include "export/trace_file.h"
#include "model/cost.h"
#include "pipeline/register_estimate.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

/// More is not copied for the checks of a launch that is kept.
constexpr uint64_t kMostCopiedBytes = uint64_t{2} << 30;
constexpr uint64_t kMostKeptBytes = uint64_t{64} << 20;
/// Of a larger launch the first blocks are checked.
constexpr uint64_t kMostCheckedThreads = uint64_t{1} << 20;

using Regions = std::vector<emulator::Region>;

/// Where the run gets its memory from.
enum class Source : uint8_t { Copies, InPlace };

/// The buffers are bytes without contents; in place they have no shape either.
launch::Launch launch_of(const KernelLaunch& wanted, const DeviceMemory& memory, const Regions& regions,
                         Source source) {
  launch::Launch launch{.grid = wanted.grid,
                        .block = wanted.block,
                        .dynamic_shared_bytes = wanted.dynamic_shared_bytes,
                        .buffers = {},
                        .arguments = {},
                        .variables = {}};
  for (const emulator::Region& region : regions)
    launch.buffers.push_back({.name = {},
                              .type = launch::ElementType::U8,
                              .shape = {source == Source::Copies ? region.size_bytes : 0},
                              .initial = {}});
  for (const ptx::KernelParameter& parameter : wanted.program.parameters) {
    const auto bytes = wanted.parameters.subspan(parameter.offset, parameter.size_bytes);
    launch.arguments.emplace_back(launch::Value{.bytes = {bytes.begin(), bytes.end()}});
  }
  for (const ModuleVariable& variable : wanted.module.variables()) {
    launch.buffers[variable.allocation].name = variable_name_of(variable.name);
    if (!variable.is_constant) continue;
    const emulator::Region& region = memory.allocation(variable.allocation).region;
    launch.variables.push_back(
        {variable.name, std::make_shared<const launch::Bytes>(region.data, region.data + region.size_bytes)});
  }
  return launch;
}

emulator::MemoryInPlace in_place(const KernelLaunch& wanted, Regions regions) {
  emulator::MemoryInPlace memory{.buffers = std::move(regions)};
  for (const ModuleVariable& variable : wanted.module.variables())
    if (!variable.is_constant) memory.variables.emplace_back(variable.name, variable.allocation);
  return memory;
}

void copy_contents(launch::Launch& launch, const Regions& regions) {
  for (size_t n = 0; n < regions.size(); ++n)
    launch.buffers[n].initial =
        std::make_shared<const launch::Bytes>(regions[n].data, regions[n].data + regions[n].size_bytes);
}

void copy_back(const launch::Launch& launch, const std::vector<launch::Contents>& after,
               const Regions& regions) {
  for (size_t n = 0; n < regions.size(); ++n)
    if (regions[n].size_bytes > 0 && after[n] != launch.buffers[n].initial)
      std::memcpy(regions[n].data, after[n]->data(), regions[n].size_bytes);
}

/// What a launch changed of each buffer.
std::vector<LanescopeWritten> changes(const launch::Launch& launch,
                                      const std::vector<launch::Contents>& after, size_t count) {
  std::vector<LanescopeWritten> found;
  for (size_t n = 0; n < count; ++n) {
    const launch::Contents& initial = launch.buffers[n].initial;
    if (after[n] == initial) continue;
    const auto [first, ignored] = std::ranges::mismatch(*initial, *after[n]);
    if (first == initial->end()) continue;
    const auto last = std::mismatch(initial->rbegin(), initial->rend(), after[n]->rbegin()).first;
    const uint64_t begin = trace::global_address(static_cast<uint32_t>(n), 0);
    found.push_back({.first = begin + static_cast<uint64_t>(first - initial->begin()),
                     .last = begin + static_cast<uint64_t>(initial->rend() - last) - 1});
  }
  return found;
}

/// The hazard that stopped the kernel: data races and uninitialized reads do not.
const trace::Hazard* stop_of(const trace::Trace& trace) {
  const auto found = std::ranges::find_if(trace.hazards, [](const trace::Hazard& hazard) {
    return hazard.kind != trace::HazardKind::Race && hazard.kind != trace::HazardKind::Uninitialized;
  });
  return found == trace.hazards.end() ? nullptr : &*found;
}

std::string text_of(const trace::Hazard& hazard) {
  return describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where});
}

/// One text for each kind and line, the first found, and how many others there are: a mistake in a loop or a
/// chain of statements is one mistake.
std::vector<std::string> texts_of(const std::vector<trace::Hazard>& hazards) {
  struct Group {
    const trace::Hazard* first = nullptr;
    size_t others = 0;
  };
  std::vector<Group> groups;
  for (const trace::Hazard& hazard : hazards) {
    const auto found = std::ranges::find_if(groups, [&](const Group& group) {
      return hazard.where.line > 0 && group.first->kind == hazard.kind &&
             group.first->where.line == hazard.where.line && group.first->where.file == hazard.where.file;
    });
    if (found == groups.end())
      groups.push_back({&hazard});
    else
      ++found->others;
  }
  std::vector<std::string> texts;
  for (const Group& group : groups)
    texts.push_back(text_of(*group.first) +
                    (group.others == 0 ? "" : fmt::format(" (and {} more at this line)", group.others)));
  return texts;
}

void complete(trace::Trace& trace, const KernelLaunch& launch, SourceTexts& sources) {
  trace.kernel = source_name_of(launch.program.kernel);
  trace.registers_per_thread = pipeline::estimate_registers(launch.program);
  for (trace::Site& site : trace.sites) site.source_text = sources.line(site.source);
}

void note(const trace::Trace& trace, LaunchOutcome& outcome) {
  outcome.record.cost = cost_of(trace);
  outcome.record.warp_instructions = trace.warp_instructions;
  for (exporting::TrafficTotals& row : exporting::traffic_totals(trace))
    if (row.totals.requests != 0) outcome.record.totals.push_back(row);
  outcome.record.findings = texts_of(trace.hazards);
  outcome.record.notes = texts_of(trace.notes);
  for (const std::string& what : trace.unchecked) outcome.record.notes.push_back("not checked: " + what);
  outcome.record.hazards = trace.hazards;
  outcome.printed = trace.output.text;
  if (const trace::Hazard* stop = stop_of(trace)) {
    outcome.stopped_by = stop->kind;
    outcome.error = Error{ErrorKind::Hazard, trace::sentence_of(*stop), stop->where};
  }
}

/// The runs of one launch.
class Runner {
 public:
  Runner(const KernelLaunch& wanted, const DeviceMemory& memory, SourceTexts& sources, emulator::Pool& pool,
         const Treatment& treatment)
      : wanted_(wanted),
        memory_(memory),
        sources_(sources),
        pool_(pool),
        treatment_(treatment),
        regions_(memory.regions()) {
    if (!wanted.cluster || *wanted.cluster == wanted.program.cluster) return;
    clustered_ = wanted.program;
    clustered_.cluster = *wanted.cluster;
    program_ = &clustered_;
  }

  /// On the device's memory, with totals alone.
  Result<trace::Trace> run_in_place() {
    const launch::Launch launch = launch_of(wanted_, memory_, regions_, Source::InPlace);
    TRY(emulator::Recording recording, run(launch, regions_, {.checks = emulator::Checks::None}));
    return std::move(recording.trace);
  }

  /// On a copy, with the checks, and with accesses where they are kept. What it writes is the device's from
  /// then on, unless it runs only the first blocks or is stopped.
  Result<trace::Trace> run_checked(uint64_t first_blocks) {
    launch::Launch launch = launch_of(wanted_, memory_, regions_, Source::Copies);
    describe_buffers(wanted_.program, wanted_.parameters, sources_, launch.buffers);
    copy_contents(launch, regions_);
    TRY(emulator::Recording recording,
        run(launch, {}, {.checks = emulator::Checks::All, .first_blocks = first_blocks}));
    written_ = changes(launch, recording.buffers, regions_.size());
    if (first_blocks == 0 && stop_of(recording.trace) == nullptr)
      copy_back(launch, recording.buffers, regions_);
    return std::move(recording.trace);
  }

  std::vector<LanescopeWritten> take_written() { return std::move(written_); }

 private:
  struct How {
    emulator::Checks checks = emulator::Checks::None;
    uint64_t first_blocks = 0;  // 0: all
  };
  Result<emulator::Recording> run(const launch::Launch& launch, const Regions& regions, const How& how) {
    const emulator::MemoryInPlace place = in_place(wanted_, regions);
    emulator::Options options;
    options.pool = &pool_;
    options.limit_steps = treatment_.limit_steps;
    options.stop = treatment_.stop;
    options.in_place = &place;
    options.checks = how.checks;
    options.first_blocks = how.first_blocks;
    trace::Keep keep;
    const bool keeps = how.checks == emulator::Checks::All && !treatment_.file.empty() &&
                       treatment_.accesses == KeptAccesses::All;
    keep.blocks = keeps ? trace::Keep::Blocks::All : trace::Keep::Blocks::None;
    keep.budget_bytes = kMostKeptBytes;
    return emulator::record(*program_, launch, model::cost_of, keep, options);
  }

  const KernelLaunch& wanted_;
  const DeviceMemory& memory_;
  SourceTexts& sources_;
  emulator::Pool& pool_;
  const Treatment& treatment_;
  Regions regions_;
  ptx::Program clustered_;
  const ptx::Program* program_ = &wanted_.program;
  std::vector<LanescopeWritten> written_;
};

/// Totals of the whole launch, accesses and findings of the blocks that were checked.
Result<trace::Trace> run_launch(Runner& runner, const KernelLaunch& wanted, bool is_checked) {
  if (!is_checked) return runner.run_in_place();
  const uint64_t threads = volume(wanted.block), blocks = volume(wanted.grid);
  const uint64_t checked = std::max<uint64_t>(1, kMostCheckedThreads / std::max<uint64_t>(threads, 1));
  if (blocks <= checked) return runner.run_checked(0);
  TRY(trace::Trace part, runner.run_checked(checked));
  if (stop_of(part) != nullptr) return part;
  TRY(trace::Trace whole, runner.run_in_place());
  part.totals = std::move(whole.totals);
  part.output = std::move(whole.output);
  part.warp_instructions = whole.warp_instructions;
  part.lane_instructions = whole.lane_instructions;
  if (const trace::Hazard* stop = stop_of(whole)) part.hazards.push_back(*stop);
  part.unchecked.push_back(fmt::format("data races of blocks after the first {} of {}", checked, blocks));
  return part;
}

void keep_accesses(trace::Trace& trace, const KernelLaunch& wanted, SourceTexts& sources,
                   const std::filesystem::path& file, LaunchOutcome& outcome) {
  complete(trace, wanted, sources);
  if (const auto saved = exporting::save_trace(trace, file); saved)
    outcome.record.file = file.filename().string();
  else
    outcome.record.findings.push_back(describe(saved.error()));
  for (const trace::Site& site : trace.sites)
    if (site.source.line > 0 && std::ranges::find(outcome.sources, site.source.file) == outcome.sources.end())
      outcome.sources.push_back(site.source.file);
}

}  // namespace

LaunchOutcome carry_out(const KernelLaunch& wanted, DeviceMemory& memory, SourceTexts& sources,
                        emulator::Pool& pool, const Treatment& treatment) {
  LaunchOutcome outcome;
  outcome.record = {.kernel = source_name_of(wanted.program.kernel),
                    .entry = wanted.program.kernel,
                    .module = wanted.module.contents(),
                    .grid = wanted.grid,
                    .block = wanted.block,
                    .dynamic_shared_bytes = wanted.dynamic_shared_bytes};
  outcome.record.allocated_bytes = memory.used_bytes();
  outcome.record.was_checked = treatment.is_checked && memory.used_bytes() <= kMostCopiedBytes;
  Runner runner(wanted, memory, sources, pool, treatment);
  const auto start = std::chrono::steady_clock::now();
  auto trace = run_launch(runner, wanted, outcome.record.was_checked);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  outcome.record.seconds = taken.count();
  outcome.written = runner.take_written();
  if (trace)
    note(*trace, outcome);
  else
    outcome.error = trace.error();
  if (outcome.error && outcome.error->kind == ErrorKind::Cancelled)
    outcome.error->message = "the launch was interrupted";
  if (outcome.error) outcome.record.error = describe(*outcome.error);
  if (trace && outcome.record.was_checked && !treatment.file.empty())
    keep_accesses(*trace, wanted, sources, treatment.file, outcome);
  return outcome;
}

}  // namespace lanescope::driver
