#include "emulator/run.h"

#include "base/source_name.h"
#include "emulator/checks/argument_types.h"
#include "emulator/checks/run_checks.h"
#include "emulator/decoder.h"
#include "emulator/memory/cluster_layout.h"
#include "emulator/operations.h"
#include "emulator/schedule/batch.h"
#include "emulator/schedule/worker.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

std::string text_of(Dim3 extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

/// __launch_bounds__ and .reqntid, which a launch may not break.
Result<void> check_bounds(const ptx::Program& program, Dim3 block) {
  if (const auto& most = program.max_threads; most && volume(block) > volume(*most))
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} is bounded to {} threads per block (__launch_bounds__), a block of {} "
                            "has {}; launch smaller blocks, or raise the bound",
                            source_name_of(program.kernel), volume(*most), text_of(block), volume(block)));
  if (const auto& exact = program.required_threads; exact && block != *exact)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} demands blocks of {} threads, the launch has {}; use --block {},{},{}",
                            source_name_of(program.kernel), text_of(*exact), text_of(block), exact->x,
                            exact->y, exact->z));
  return {};
}

/// Shared and constant memory. PTX of any architecture may run on compute capability 9.0, which has most.
Result<void> check_memory(const ptx::Program& program, const launch::Launch& launch) {
  const uint32_t declared = program.static_shared_bytes - program.reserved_shared_bytes;
  if (declared > launch::kMaximumStaticSharedBytes)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} declares {} bytes of shared memory, a block has at most {} of a fixed "
                            "size; declare it extern __shared__, and give its bytes with --shared",
                            source_name_of(program.kernel), declared, launch::kMaximumStaticSharedBytes));
  const uint64_t shared = uint64_t{declared} + launch.dynamic_shared_bytes;
  if (shared > launch::kMaximumSharedBytes)
    return fail(
        ErrorKind::Launch,
        fmt::format("kernel {} needs {} bytes of shared memory per block, {} of them from the launch; "
                    "no device has more than {}",
                    source_name_of(program.kernel), shared, launch.dynamic_shared_bytes,
                    launch::kMaximumSharedBytes));
  if (program.constant_bytes > launch::kMaximumConstantBytes)
    return fail(
        ErrorKind::Launch,
        fmt::format("the file of kernel {} declares {} bytes of __constant__ memory, there are {}; "
                    "make some of them __device__",
                    source_name_of(program.kernel), program.constant_bytes, launch::kMaximumConstantBytes));
  return {};
}

Result<void> check_launch(const ptx::Program& program, const launch::Launch& launch,
                          const MemoryInPlace* in_place) {
  TRY_VOID(launch::check(launch));
  TRY_VOID(check_arguments(program, launch, in_place));
  TRY_VOID(check_bounds(program, launch.block));
  TRY_VOID(check_memory(program, launch));
  constexpr uint64_t kMaximumBlocks = uint64_t{1} << 32;
  if (volume(launch.grid) > kMaximumBlocks)
    return fail(ErrorKind::Launch, fmt::format("the grid has {} blocks; at most {} can be run",
                                               volume(launch.grid), kMaximumBlocks));
  const Dim3 cluster = program.cluster;
  if (volume(cluster) == 0 || volume(cluster) > kMostClusterBlocks)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} asks for clusters of {} blocks; a cluster has 1 to {}",
                            source_name_of(program.kernel), text_of(cluster), kMostClusterBlocks));
  if (launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 || launch.grid.z % cluster.z != 0)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} asks for clusters of {} blocks, of which a grid of {} is no multiple; "
                            "launch a multiple",
                            source_name_of(program.kernel), text_of(cluster), text_of(launch.grid)));
  return {};
}

/// Text of what the checks found until the run was stopped; a finding may explain why the kernel does not
/// end.
std::string findings_text(const std::vector<trace::Hazard>& hazards) {
  constexpr size_t kMost = 4;
  std::string text;
  for (size_t n = 0; n < std::min(hazards.size(), kMost); ++n)
    text += "\n" + describe({ErrorKind::Hazard, trace::sentence_of(hazards[n]), hazards[n].where});
  if (hazards.size() > kMost) text += fmt::format("\nand {} more", hazards.size() - kMost);
  return text;
}

unsigned worker_count(const Options& options, const Pool& pool, uint64_t blocks) {
  const unsigned wanted = options.threads == 0 ? pool.size() : std::min(options.threads, pool.size());
  return static_cast<unsigned>(std::clamp<uint64_t>(blocks, 1, wanted));
}

}  // namespace

Result<Outcome> run(const ptx::Program& program, const launch::Launch& launch,
                    const trace::SinkOfWorker& sink_of_worker, const Options& options) {
  if (launch.cluster && *launch.cluster != program.cluster) {
    ptx::Program clustered = program;
    clustered.cluster = *launch.cluster;
    return run(clustered, launch, sink_of_worker, options);
  }
  TRY_VOID(check_launch(program, launch, options.in_place));
  TRY(Code code, decode(program, launch.grid, launch.block, launch.dynamic_shared_bytes, options));
  if (options.stop.stop_requested()) return fail(ErrorKind::Cancelled, "cancelled");
  std::optional<Pool> own_pool;
  if (options.pool == nullptr) own_pool.emplace(options.threads);
  Pool& pool = own_pool ? *own_pool : *options.pool;

  Memory memory(program, launch, pool.spare_buffers(), options.in_place);
  const uint64_t blocks = volume(launch.grid);
  const unsigned workers = worker_count(options, pool, blocks);
  code.one_worker = workers == 1;
  code.is_reference = options.engine == Engine::Reference;
  code.passes_over = options.out_of_bounds == OutOfBounds::IsPassedOver;
  std::optional<Code> batch;
  if (const uint32_t size = batch_size(code, workers, options); size > 1) {
    TRY(Code of_batch,
        decode(program, launch.grid, launch.block, launch.dynamic_shared_bytes, options, size));
    batch = std::move(of_batch);
    batch->one_worker = code.one_worker;
    batch->passes_over = code.passes_over;
  }
  Grid grid(blocks, batch ? batch->batch : volume(program.cluster), workers, options);
  std::vector<trace::Sink*> sinks;
  for (unsigned worker = 0; worker < workers; ++worker) sinks.push_back(&sink_of_worker(worker));
  RunChecks checks(code, memory, pool.spare_buffers(), options);
  std::vector<InstructionCount> counts(workers);
  pool.run(workers, [&](unsigned worker) {
    counts[worker] = Worker(code, batch ? &*batch : nullptr, memory, checks, grid, worker, workers, options,
                            *sinks[worker])
                         .work();
  });

  if (grid.cancelled()) return fail(ErrorKind::Cancelled, "cancelled");
  Outcome outcome;
  outcome.in_order = workers == 1 && !batch;
  InstructionCount count;
  for (const InstructionCount& of_worker : counts) count += of_worker;
  outcome.warp_instructions = count.warp;
  outcome.lane_instructions = count.lane;
  outcome.operations = operations_of(program, count.lanes_of_step());
  if (grid.over_limit() || outcome.warp_instructions > options.limit_steps) {
    checks.report(outcome);
    return fail(
        ErrorKind::Limit,
        fmt::format("kernel {} executed more than {} warp instructions and was stopped{}; it may not end, or "
                    "raise the limit with --limit-steps{}",
                    source_name_of(program.kernel), options.limit_steps,
                    grid.where().empty() ? "" : fmt::format(", {}", grid.where()),
                    findings_text(outcome.hazards)));
  }
  outcome.hazards = grid.passed_over();
  if (const auto& hazard = grid.hazard()) {
    outcome.hazards.insert(outcome.hazards.begin(), *hazard);
    outcome.stopped_in = CtaId{static_cast<uint32_t>(grid.end())};
  }
  checks.report(outcome);
  if (options.checks == Checks::All && options.in_place == nullptr)
    std::ranges::move(notes_on_types(code, launch), std::back_inserter(outcome.notes));
  outcome.output = grid.take_output();
  outcome.variables = memory.variables(program);
  outcome.buffers = memory.take_buffers();
  return outcome;
}

}  // namespace lanescope::emulator
