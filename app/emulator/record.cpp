// A run with a trace::Recorder, and what a trace says about its run beforehand.

#include "emulator/checks/suspects.h"
#include "emulator/memory/memory.h"
#include "emulator/run.h"
#include "ptx/order_dependence.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

/// Recording of one run, and what decides whether it is the final one.
struct Attempt {
  Recording recording;
  bool stopped = false;   // by a hazard
  bool in_order = false;  // as Outcome says
  std::shared_ptr<const Suspects> suspects;
};

/// Restores memory in place before another run.
void restore(const Options& options) {
  if (options.in_place != nullptr && options.in_place->restore) options.in_place->restore();
}

Result<Attempt> record_once(const ptx::Program& program, const launch::Launch& launch,
                            trace::CostFunction cost, const trace::Keep& keep, const Options& options) {
  trace::Recorder recorder(trace_header(program, launch, options.in_place), cost, keep);
  const auto sink_of = [&](unsigned worker) -> trace::Sink& {
    trace::Sink& sink = recorder.sink(worker);
    return options.stage == nullptr ? sink : options.stage->put_before(sink);
  };
  if (options.stage != nullptr) options.stage->begin_run();
  TRY(Outcome outcome, run(program, launch, sink_of, options));
  Recording recording{.trace = recorder.finish(),
                      .buffers = std::move(outcome.buffers),
                      .variables = std::move(outcome.variables)};
  recording.trace.output = std::move(outcome.output);
  recording.trace.is_complete = !outcome.stopped_in;
  recording.trace.hazards = std::move(outcome.hazards);
  recording.trace.notes = std::move(outcome.notes);
  recording.trace.unchecked = std::move(outcome.unchecked);
  recording.trace.warp_instructions = outcome.warp_instructions;
  recording.trace.lane_instructions = outcome.lane_instructions;
  recording.trace.operations = outcome.operations;
  return Attempt{std::move(recording), outcome.stopped_in.has_value(), outcome.in_order,
                 std::move(outcome.suspects)};
}

}  // namespace

trace::Trace trace_header(const ptx::Program& program, const launch::Launch& launch,
                          const MemoryInPlace* in_place) {
  trace::Trace trace;
  trace.kernel = program.kernel;
  trace.provenance = Provenance::Emulated;
  trace.grid = launch.grid;
  trace.block = launch.block;
  trace.shared_bytes =
      program.static_shared_bytes - program.reserved_shared_bytes + launch.dynamic_shared_bytes;
  for (const launch::Buffer& buffer : launch.buffers) {
    const Region region =
        in_place != nullptr && in_place->has_buffers() ? in_place->buffers[trace.buffers.size()] : Region{};
    trace.buffers.push_back({.name = buffer.name,
                             .size_bytes = buffer.initial ? buffer.initial->size() : region.size_bytes,
                             .element_bytes = launch::size_bytes(buffer.type),
                             .row_elements = buffer.shape.size() > 1 ? buffer.shape.back() : 0});
  }
  const auto is_placed = [&](const ptx::ProgramVariable& variable) {
    return in_place != nullptr &&
           std::ranges::find(in_place->variables, variable.name, &std::pair<std::string, uint32_t>::first) !=
               in_place->variables.end();
  };
  for (const ptx::ProgramVariable& variable : program.variables) {
    if (variable.space == ptx::Space::Global && !is_placed(variable))
      trace.buffers.push_back(
          {.name = variable.name, .size_bytes = variable.size_bytes, .element_bytes = 1, .row_elements = 0});
  }
  if (has_own_heap(program, in_place))
    trace.buffers.push_back(
        {.name = kHeapName, .size_bytes = Heap::kSizeBytes, .element_bytes = 1, .row_elements = 0});
  if (ptx::uses_workspace(program))
    trace.buffers.push_back(
        {.name = kWorkspaceName, .size_bytes = kWorkspaceBytes, .element_bytes = 4, .row_elements = 0});
  std::vector<bool> on_blocks(program.sites.size()), on_warps(program.sites.size());
  if (volume(launch.grid) > 1) on_blocks = ptx::sites_that_depend_on(ptx::Others::Blocks, program);
  if (volume(launch.block) > kLanes) on_warps = ptx::sites_that_depend_on(ptx::Others::Warps, program);
  for (const ptx::MemorySite& site : program.sites) {
    const auto n = static_cast<uint32_t>(trace.sites.size());
    trace.sites.push_back({.id = {n},
                           .operation = site.operation,
                           .cache_use = site.cache_use,
                           .wait = site.wait,
                           .source = site.source,
                           .called_from = site.called_from,
                           .source_text = {},
                           .ptx_line = site.ptx_line,
                           .ptx_text = site.ptx_text,
                           .depends_on_order = on_blocks[n],
                           .depends_on_warp_order = on_warps[n] && !on_blocks[n]});
  }
  return trace;
}

Result<Recording> record(const ptx::Program& program, const launch::Launch& launch, trace::CostFunction cost,
                         const trace::Keep& keep, const Options& options) {
  Options fast = options;
  if (fast.engine != Engine::Reference) fast.engine = Engine::Batches;
  TRY(Attempt first, record_once(program, launch, cost, keep, fast));
  if (!first.suspects && (!first.stopped || first.in_order)) return std::move(first.recording);
  // In the first run, blocks after the hazard may have run already, or the races that were found depend on
  // the order of blocks. A second run in order shows what was before the hazard, and both sides of each race.
  Options in_order = options;
  in_order.threads = 1;
  in_order.finished_blocks = nullptr;
  in_order.suspects = first.suspects;
  restore(options);
  TRY(Attempt second, record_once(program, launch, cost, keep, in_order));
  // Memory in place that is not restored: the first run may have changed what led to its hazard.
  const bool is_changed = options.in_place != nullptr && !options.in_place->restore;
  if (is_changed && first.stopped && !second.stopped)
    second.recording.trace.hazards = std::move(first.recording.trace.hazards);
  if (in_order.suspects && second.suspects &&
      !std::ranges::includes(in_order.suspects->pages, second.suspects->pages)) {
    // The second run found suspects in other pages than the first: a third run uses those of the second.
    in_order.suspects = std::move(second.suspects);
    restore(options);
    TRY(Attempt third, record_once(program, launch, cost, keep, in_order));
    return std::move(third.recording);
  }
  if (in_order.suspects && !in_order.suspects->pages.empty() && !second.suspects)
    second.recording.trace.unchecked.emplace_back(
        "a race between blocks that is there when they run in another order, and not in the order of their "
        "numbers; "
        "what they access depends on which is first");
  return std::move(second.recording);
}

}  // namespace lanescope::emulator
