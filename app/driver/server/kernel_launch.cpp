#include "driver/server/kernel_launch.h"

#include "base/source_name.h"
#include "driver/server/buffer_names.h"
#include "driver/server/launch_inputs.h"
#include "driver/server/memory_view.h"
#include "emulator/memory/memory.h"
#include "emulator/run.h"
#include "export/machine_differences.h"
#include "export/trace_file.h"
#include "model/cost.h"
#include "pipeline/register_estimate.h"
#include "ptx/opcode_traits.h"
#include "trace/access.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

constexpr uint64_t kMostKeptBytes = uint64_t{64} << 20;
/// Most threads that are checked; of a larger launch, only the first blocks are.
constexpr uint64_t kMostCheckedThreads = uint64_t{1} << 20;

/// Launch for the emulator. Its buffers are in place: they have a name and a type, but no shape or contents.
launch::Launch launch_of(const KernelLaunch& wanted, const DeviceMemory& memory,
                         const std::vector<launch::Buffer>& buffers) {
  launch::Launch launch{.grid = wanted.grid,
                        .block = wanted.block,
                        .dynamic_shared_bytes = wanted.dynamic_shared_bytes,
                        .buffers = buffers,
                        .arguments = {},
                        .variables = {},
                        .cluster = wanted.cluster};
  for (launch::Buffer& buffer : launch.buffers) buffer.shape = {0};
  for (const ptx::KernelParameter& parameter : wanted.program.parameters) {
    const auto bytes = wanted.parameters.subspan(parameter.offset, parameter.size_bytes);
    launch.arguments.emplace_back(launch::Value{.bytes = {bytes.begin(), bytes.end()}});
  }
  for (const ModuleVariable& variable : wanted.module.variables()) {
    if (!variable.is_constant) continue;
    const emulator::Region& region = memory.allocation(variable.allocation).region;
    launch.variables.push_back(
        {variable.name, std::make_shared<const launch::Bytes>(region.data, region.data + region.size_bytes)});
  }
  return launch;
}

/// Buffers of the allocations: variables with their names, all as bytes.
std::vector<launch::Buffer> buffers_of(const KernelLaunch& wanted, const DeviceMemory& memory) {
  std::vector<launch::Buffer> buffers;
  for (const emulator::Region& region : memory.regions())
    buffers.push_back(
        {.name = {}, .type = launch::ElementType::U8, .shape = {region.size_bytes}, .initial = {}});
  for (const ModuleVariable& variable : wanted.module.variables())
    buffers[variable.allocation].name = variable_name_of(variable.name);
  return buffers;
}

/// Hazard that ends the launch; null if there is none. Data races and uninitialized reads end no launch, nor
/// do accesses out of bounds that were passed over.
const trace::Hazard* stop_of(const trace::Trace& trace, const Treatment& treatment) {
  using trace::HazardKind;
  const bool passes_over =
      trace.is_complete && treatment.out_of_bounds == emulator::OutOfBounds::IsPassedOver;
  const auto found = std::ranges::find_if(trace.hazards, [&](const trace::Hazard& hazard) {
    return hazard.kind != HazardKind::Race && hazard.kind != HazardKind::Uninitialized &&
           !(passes_over && hazard.kind == HazardKind::OutOfBounds);
  });
  return found == trace.hazards.end() ? nullptr : &*found;
}

/// True if no finding says that the result may depend on an order: an uninitialized value does not.
bool is_orderly(const trace::Trace& trace) {
  const auto is_uninitialized = [](const trace::Hazard& hazard) {
    return hazard.kind == trace::HazardKind::Uninitialized;
  };
  return trace.unchecked.empty() && std::ranges::all_of(trace.hazards, is_uninitialized) &&
         std::ranges::all_of(trace.notes, is_uninitialized);
}

bool is_of_bounds(const trace::Hazard& hazard) { return hazard.kind == trace::HazardKind::OutOfBounds; }

std::string text_of(const trace::Hazard& hazard) {
  return describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where});
}

/// One text for each kind and source line: the first hazard, and the number of others there. A mistake in a
/// loop is reported once.
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

uint32_t registers_of(const KernelLaunch& launch, const Treatment& treatment) {
  return treatment.machine ? treatment.machine->registers : pipeline::estimate_registers(launch.program);
}

void complete(trace::Trace& trace, const KernelLaunch& launch, const Treatment& treatment,
              SourceTexts& sources) {
  trace.kernel = source_name_of(launch.program.kernel);
  trace.registers_per_thread = registers_of(launch, treatment);
  for (trace::Site& site : trace.sites) site.source_text = sources.line(site.source);
}

void note(const trace::Trace& trace, const Treatment& treatment, LaunchOutcome& outcome) {
  outcome.record.cost = trace::launch_cost(trace);
  outcome.record.warp_instructions = trace.warp_instructions;
  for (exporting::TrafficTotals& row : exporting::traffic_totals(trace))
    if (row.totals.requests != 0) outcome.record.totals.push_back(row);
  outcome.record.findings = texts_of(trace.hazards);
  outcome.record.notes = texts_of(trace.notes);
  for (const std::string& what : trace.unchecked) outcome.record.notes.push_back("not checked: " + what);
  outcome.record.hazards = trace.hazards;
  for (const trace::Hazard& hazard : trace.notes)
    if (hazard.kind == trace::HazardKind::DivergentBarrier) outcome.record.barrier_notes.push_back(hazard);
  outcome.printed = trace.output.text;
  if (const trace::Hazard* stop = stop_of(trace, treatment)) {
    outcome.stopped_by = stop->kind;
    outcome.error = Error{ErrorKind::Hazard, trace::sentence_of(*stop), stop->where};
  }
}

/// Notes the machine code that was counted, if any.
void note_level(const trace::Trace& trace, const std::optional<sass::MachineLevel>& machine,
                LaunchRecord& record) {
  if (!machine) return;
  const sass::MatchedShare share = sass::matched_share(*machine);
  CountedMachineCode& counted = record.machine.emplace(CountedMachineCode{
      .arch = machine->arch, .registers = machine->registers, .matched = share.matched, .all = share.all});
  for (const exporting::MachineDifference& difference : exporting::machine_differences(trace, *machine))
    counted.differences.push_back(exporting::text_of(difference));
}

/// Makes the findings of a launch with incomplete inputs notes, since they may come from these.
void note_incomplete_inputs(LaunchOutcome& outcome) {
  outcome.record.has_incomplete_inputs = true;
  for (const std::string& finding : outcome.record.findings)
    outcome.record.notes.push_back("on incomplete data: " + finding);
  outcome.record.findings.clear();
  outcome.record.hazards.clear();
  outcome.record.barrier_notes.clear();
  if (!outcome.stopped_by) return;
  outcome.stopped_by.reset();
  outcome.error.reset();
}

/// [allocation] Whether the kernel writes there, as its parameters and variables say; another address may
/// come from memory. Empty: no presumption.
std::vector<bool> written_by(const KernelLaunch& launch, const DeviceMemory& memory) {
  const auto writes_image = [](const ptx::Step& step) {
    const auto access = ptx::access_of(step.op);
    return access && access->shape == ptx::AccessShape::Surface;
  };
  if (std::ranges::any_of(launch.program.steps, writes_image)) return {};
  std::vector<bool> written(memory.regions().size());
  for (const ModuleVariable& variable : launch.module.variables()) written[variable.allocation] = true;
  for (const ptx::KernelParameter& parameter : launch.program.parameters) {
    if (!parameter.may_be_written) continue;
    uint64_t address = 0;
    for (uint64_t at = 0; at + sizeof address <= parameter.size_bytes; at += sizeof address) {
      std::memcpy(&address, launch.parameters.data() + parameter.offset + at, sizeof address);
      if (trace::has_buffer(address) && trace::buffer_of(address) < written.size())
        written[trace::buffer_of(address)] = true;
    }
  }
  return written;
}

/// Memory that the launch cannot access: what was freed, and that of devices to which its own has no access,
/// whose regions are taken out of `regions`.
std::map<uint32_t, emulator::AbsentBuffer> absent_from(const KernelLaunch& launch, const DeviceMemory& memory,
                                                       std::vector<emulator::Region>& regions) {
  std::map<uint32_t, emulator::AbsentBuffer> absent;
  for (const auto& [number, freed] : memory.freed())
    absent[number] = {
        freed.size_bytes,
        fmt::format("were freed {}; free them after their last use",
                    freed.launches_before == 0 ? "before the first launch"
                                               : fmt::format("after launch {}", freed.launches_before))};
  for (uint32_t number = 0; launch.reached != 0 && number < regions.size(); ++number) {
    const uint32_t device = memory.allocation(number).device;
    if (device == 0 || (launch.reached >> (device - 1) & 1) != 0) continue;
    absent[number] = {regions[number].size_bytes,
                      fmt::format("are on device {0}, to which the device of the kernel has no access; call "
                                  "cudaDeviceEnablePeerAccess({0}, 0) before",
                                  device - 1)};
    regions[number] = {};
  }
  return absent;
}

/// The runs of one launch.
class Runner {
 public:
  Runner(const KernelLaunch& wanted, DeviceMemory& memory, SourceTexts& sources, emulator::Pool& pool,
         const Treatment& treatment)
      : wanted_(wanted),
        memory_(memory),
        pool_(pool),
        treatment_(treatment),
        buffers_(buffers_of(wanted, memory)) {
    if (treatment.is_checked) describe_buffers(wanted.program, wanted.parameters, sources, buffers_);
    if (treatment.cached != nullptr) caches_.emplace(*treatment.cached, treatment.l2);
  }

  /// Runs the launch on the device's memory, without checks; the trace has totals alone.
  Result<trace::Trace> run_in_place() { return run(memory_.regions(), {}, {}); }

  struct How {
    emulator::Checks checks = emulator::Checks::None;
    uint64_t first_blocks = 0;  // 0: all
    uint64_t spread_blocks = 0;
  };
  /// Runs the launch on a view of the device's memory; with the checks it stores accesses if they are kept.
  /// Its writes become the device's, unless only the first blocks ran or the kernel was stopped.
  Result<trace::Trace> run_on_view(const How& how) {
    MemoryView view(memory_);
    if (view.regions().size() != buffers_.size())
      return fail(ErrorKind::Limit, "the system has no room for another view of the device's memory");
    emulator::Heap* const heap = memory_.heap();
    emulator::Heap::Pieces pieces;
    if (heap != nullptr) pieces = heap->pieces();
    const auto restore = [&] {
      view.drop();
      if (heap != nullptr) heap->set_pieces(pieces);
    };
    auto trace = run_presuming(view, restore, how);
    const bool counts = trace && how.first_blocks == 0 && stop_of(*trace, treatment_) == nullptr;
    if (trace) written_ = view.finish(counts ? MemoryView::Effects::Kept : MemoryView::Effects::Dropped);
    if (counts) has_changed_memory_ = !written_.empty();
    if (trace && how.checks == emulator::Checks::All) is_orderly_ = is_orderly(*trace);
    if (!counts && heap != nullptr) heap->set_pieces(std::move(pieces));
    return trace;
  }

  /// [allocation] Buffers, with names and types if the launch is checked.
  const std::vector<launch::Buffer>& buffers() const { return buffers_; }
  /// The machine code with the totals of the last run; none where the PTX is counted.
  const std::optional<sass::MachineLevel>& machine() const { return machine_; }
  /// Models the caches of the last run, where that is asked for.
  void note_caches(trace::Trace& trace, LaunchRecord& record) {
    if (!caches_) return;
    trace.registers_per_thread = registers_of(wanted_, treatment_);
    auto counts = caches_->counts(trace, treatment_.control.stop);
    if (!counts) return record.notes.push_back("caches: " + describe(counts.error()));
    record.caches = *std::move(counts);
  }
  /// Tells the outcome what the runs have done to memory.
  void note(LaunchOutcome& outcome) {
    for (const LanescopeWritten& one : written_) outcome.changed.push_back(trace::buffer_of(one.first));
    if (treatment_.is_checked) outcome.written = std::move(written_);
    outcome.has_changed_memory = has_changed_memory_;
    outcome.is_orderly = is_orderly_;
  }

 private:
  /// Runs on a view. The checks presume that the kernel writes where its parameters lead (written_by()), and
  /// are repeated with all buffers if it wrote elsewhere: buffers that are only read cost them nothing.
  Result<trace::Trace> run_presuming(const MemoryView& view, const std::function<void()>& restore,
                                     const How& how) {
    if (how.checks == emulator::Checks::None) return run(view.regions(), restore, how);
    const std::vector<bool> presumed = view.written() ? written_by(wanted_, memory_) : std::vector<bool>();
    auto trace = run(view.regions(), restore, how, presumed);
    if (!trace || presumed.empty()) return trace;
    const std::vector<bool> written = view.written().value_or(std::vector<bool>(presumed.size(), true));
    for (size_t n = 0; n < presumed.size(); ++n) {
      if (!written[n] || presumed[n]) continue;
      restore();
      return run(view.regions(), restore, how);
    }
    return trace;
  }

  Result<trace::Trace> run(const std::vector<emulator::Region>& regions, std::function<void()> restore,
                           const How& how, const std::vector<bool>& written = {}) {
    emulator::MemoryInPlace place{.buffers = regions, .heap = memory_.heap(), .restore = std::move(restore)};
    for (const ModuleVariable& variable : wanted_.module.variables())
      if (!variable.is_constant) place.variables.emplace_back(variable.name, variable.allocation);
    place.absent = absent_from(wanted_, memory_, place.buffers);
    place.images = memory_.images().over(regions);
    if (how.checks == emulator::Checks::All) {
      place.fresh = memory_.fresh();
      place.written = written;
      place.has_inputs = wanted_.has_inputs;
      place.give_pattern = [&](uint32_t number, uint64_t page) { memory_.give_pattern(number, page); };
    }
    emulator::Options options;
    options.pool = &pool_;
    options.limit_steps = treatment_.limit_steps;
    options.stop = treatment_.control.stop;
    const bool is_whole = how.first_blocks == 0 && how.spread_blocks == 0;
    if (is_whole) options.finished_blocks = treatment_.control.finished_blocks;
    if (options.finished_blocks != nullptr) *options.finished_blocks = 0;
    options.in_place = &place;
    options.checks = how.checks;
    options.first_blocks = how.first_blocks;
    options.spread_blocks = how.spread_blocks;
    options.out_of_bounds = treatment_.out_of_bounds;
    std::optional<sass::FoldingStage> folding;
    std::optional<trace::StagePair> both;
    if (treatment_.machine) options.stage = &folding.emplace(treatment_.machine->match, model::cost_of);
    if (treatment_.machine) options.barriers = treatment_.machine->reconvergence.barriers;
    const launch::Launch launch = launch_of(wanted_, memory_, buffers_);
    if (caches_ && is_whole) {
      trace::Trace header = emulator::trace_header(wanted_.program, launch);
      header.registers_per_thread = registers_of(wanted_, treatment_);
      trace::SinkStage& streams = caches_->stage(header);
      options.stage = folding ? static_cast<trace::SinkStage*>(&both.emplace(streams, *folding)) : &streams;
    }
    trace::Keep keep;
    const bool keeps = how.checks == emulator::Checks::All && !treatment_.file.empty() &&
                       treatment_.accesses == KeptAccesses::All;
    keep.blocks = keeps ? trace::Keep::Blocks::All : trace::Keep::Blocks::None;
    keep.budget_bytes = kMostKeptBytes;
    TRY(emulator::Recording recording,
        emulator::record(wanted_.program, launch, model::cost_of, keep, options));
    for (size_t n = 0; n < buffers_.size(); ++n)
      if (const auto& shape = buffers_[n].shape; shape.size() > 1)
        recording.trace.buffers[n].row_elements = shape.back();
    if (folding) {
      machine_ = *treatment_.machine;
      folding->add_counts(*machine_);
      machine_->ptx_totals = std::exchange(recording.trace.totals, {});
      recording.trace.totals = sass::machine_totals(*machine_);
      recording.trace.level = trace::CountLevel::MachineCode;
    }
    return std::move(recording.trace);
  }

  const KernelLaunch& wanted_;
  DeviceMemory& memory_;
  emulator::Pool& pool_;
  const Treatment& treatment_;
  std::vector<launch::Buffer> buffers_;  // [allocation]
  std::vector<LanescopeWritten> written_;
  std::optional<bool> has_changed_memory_;
  bool is_orderly_ = false;
  std::optional<sass::MachineLevel> machine_;
  std::optional<CachedLaunch> caches_;
};

uint64_t checked_blocks(const KernelLaunch& wanted) {
  return std::max<uint64_t>(1, kMostCheckedThreads / std::max<uint64_t>(volume(wanted.block), 1));
}

/// Blocks of a sample: whole clusters. 0: the launch is run whole, also since its blocks wait for each other.
uint64_t blocks_of_sample(const KernelLaunch& wanted, const Treatment& treatment) {
  if (treatment.sample_blocks == 0 || ptx::uses_workspace(wanted.program)) return 0;
  const uint64_t cluster = volume(wanted.cluster.value_or(wanted.program.cluster));
  const uint64_t blocks = (treatment.sample_blocks + cluster - 1) / cluster * cluster;
  return blocks < volume(wanted.grid) ? blocks : 0;
}

/// Trace of some blocks. Blocks that wait for others that are left out are a deadlock, which drops the run.
Result<trace::Trace> run_sample(Runner& runner, const KernelLaunch& wanted, const Treatment& treatment,
                                uint64_t blocks) {
  const bool is_checked = treatment.is_checked && blocks <= checked_blocks(wanted);
  TRY(trace::Trace part,
      runner.run_on_view(
          {.checks = is_checked ? emulator::Checks::All : emulator::Checks::None, .spread_blocks = blocks}));
  part.unchecked.push_back(
      fmt::format("all but {} of {} blocks, which did not run (--sample-blocks): the counts are of these {}",
                  blocks, volume(wanted.grid), blocks));
  return part;
}

/// Trace with the totals of the whole launch, and the accesses and findings of the checked blocks.
Result<trace::Trace> run_launch(Runner& runner, const KernelLaunch& wanted, const Treatment& treatment,
                                LaunchRecord& record) {
  if (const uint64_t blocks = blocks_of_sample(wanted, treatment); blocks != 0) {
    TRY(trace::Trace part, run_sample(runner, wanted, treatment, blocks));
    const trace::Hazard* stop = stop_of(part, treatment);
    if (stop == nullptr || stop->kind != trace::HazardKind::Deadlock) {
      record.sampled_blocks = blocks;
      return part;
    }
  }
  const auto run_unchecked = [&] {
    return treatment.finds_changes ? runner.run_on_view({}) : runner.run_in_place();
  };
  if (!treatment.is_checked) return run_unchecked();
  const uint64_t blocks = volume(wanted.grid), checked = checked_blocks(wanted);
  if (blocks <= checked) return runner.run_on_view({.checks = emulator::Checks::All});
  TRY(trace::Trace part, runner.run_on_view({.checks = emulator::Checks::All, .first_blocks = checked}));
  if (stop_of(part, treatment) != nullptr) return part;
  TRY(trace::Trace whole, run_unchecked());
  part.totals = std::move(whole.totals);
  part.output = std::move(whole.output);
  part.warp_instructions = whole.warp_instructions;
  part.lane_instructions = whole.lane_instructions;
  part.operations = whole.operations;
  std::erase_if(part.hazards, is_of_bounds);
  std::ranges::copy_if(whole.hazards, std::back_inserter(part.hazards), is_of_bounds);
  if (const trace::Hazard* stop = stop_of(whole, treatment); stop != nullptr && !is_of_bounds(*stop))
    part.hazards.push_back(*stop);
  part.is_complete = whole.is_complete;
  part.unchecked.push_back(fmt::format("data races of blocks after the first {} of {}", checked, blocks));
  return part;
}

void keep_accesses(trace::Trace& trace, const KernelLaunch& wanted, const Treatment& treatment,
                   SourceTexts& sources, LaunchOutcome& outcome) {
  const std::filesystem::path& file = treatment.file;
  complete(trace, wanted, treatment, sources);
  if (const auto saved = exporting::save_trace(trace, file); saved)
    outcome.record.file = file.filename().string();
  else
    outcome.record.findings.push_back(describe(saved.error()));
  outcome.sources = files_of(trace);
}

void note_inputs(const KernelLaunch& wanted, const DeviceMemory& memory, SourceTexts& sources,
                 const std::vector<launch::Buffer>& buffers, const Treatment& treatment,
                 LaunchOutcome& outcome) {
  const std::filesystem::path file = std::filesystem::path(treatment.file).replace_extension(".toml");
  const auto kept = keep_inputs(wanted, memory, sources, buffers, file, treatment.most_input_bytes);
  if (kept)
    outcome.record.inputs = file.filename().string();
  else
    outcome.record.without_inputs = describe(kept.error());
  outcome.input_bytes = kept.value_or(0);
}

}  // namespace

LaunchRecord record_of(const KernelLaunch& launch) {
  return {.kernel = source_name_of(launch.program.kernel),
          .entry = launch.program.kernel,
          .module = launch.module.contents(),
          .grid = launch.grid,
          .block = launch.block,
          .dynamic_shared_bytes = launch.dynamic_shared_bytes};
}

LaunchOutcome carry_out(const KernelLaunch& wanted, DeviceMemory& memory, SourceTexts& sources,
                        emulator::Pool& pool, const Treatment& treatment) {
  LaunchOutcome outcome;
  outcome.record = record_of(wanted);
  outcome.record.was_checked = treatment.is_checked;
  if (emulator::uses_heap(wanted.program))
    if (const auto heap = memory.make_heap(); !heap) {
      outcome.error = heap.error();
      outcome.record.error = describe(*outcome.error);
      return outcome;
    }
  outcome.record.allocated_bytes = memory.used_bytes();
  const bool is_kept = outcome.record.was_checked && !treatment.file.empty();
  Runner runner(wanted, memory, sources, pool, treatment);
  if (is_kept && treatment.most_input_bytes > 0)
    note_inputs(wanted, memory, sources, runner.buffers(), treatment, outcome);
  const auto start = std::chrono::steady_clock::now();
  auto trace = run_launch(runner, wanted, treatment, outcome.record);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  outcome.record.seconds = taken.count();
  runner.note(outcome);
  if (trace) {
    note(*trace, treatment, outcome);
    note_level(*trace, runner.machine(), outcome.record);
    runner.note_caches(*trace, outcome.record);
  } else {
    outcome.error = trace.error();
  }
  if (treatment.has_incomplete_inputs) note_incomplete_inputs(outcome);
  if (outcome.error && outcome.error->kind == ErrorKind::Cancelled)
    outcome.error->message = "the launch was interrupted";
  if (outcome.error) outcome.record.error = describe(*outcome.error);
  if (trace && is_kept) keep_accesses(*trace, wanted, treatment, sources, outcome);
  return outcome;
}

}  // namespace lanescope::driver
