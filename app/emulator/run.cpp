#include "emulator/run.h"

#include "emulator/run_checks.h"
#include "emulator/runner.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

constexpr uint64_t kNoBlock = std::numeric_limits<uint64_t>::max();

/// What the workers of a run share.
class Progress {
 public:
  Progress(uint64_t blocks, const Options& options) : blocks_(blocks), options_(options) {}

  /// The next block to run, in rising order; kNoBlock when there is none, or none that matters any more.
  uint64_t take() {
    if (halted()) return kNoBlock;
    const uint64_t block = next_.fetch_add(1, std::memory_order_relaxed);
    return block < std::min(blocks_, end_.load(std::memory_order_relaxed)) ? block : kNoBlock;
  }

  /// Whether block `block` should go on after `instructions` more warp instructions.
  bool may_go_on(uint64_t block, uint64_t instructions) {
    const uint64_t sum = instructions_.fetch_add(instructions, std::memory_order_relaxed) + instructions;
    if (sum > options_.limit_steps) over_limit_.store(true, std::memory_order_relaxed);
    if (options_.stop.stop_requested()) cancelled_.store(true, std::memory_order_relaxed);
    return !halted() && block <= end_.load(std::memory_order_relaxed);
  }

  void finished() {
    if (options_.finished_blocks != nullptr)
      options_.finished_blocks->fetch_add(1, std::memory_order_relaxed);
  }

  /// Keeps the hazard of the lowest block; blocks behind it need not run.
  void stopped_by(uint64_t block, const trace::Hazard& hazard) {
    const std::scoped_lock lock(mutex_);
    if (block >= end_.load(std::memory_order_relaxed)) return;
    end_.store(block, std::memory_order_relaxed);
    hazard_ = hazard;
  }

  bool cancelled() const { return cancelled_; }
  bool over_limit() const { return over_limit_; }
  const std::optional<trace::Hazard>& hazard() const { return hazard_; }
  uint64_t end() const { return end_; }

 private:
  bool halted() const {
    return cancelled_.load(std::memory_order_relaxed) || over_limit_.load(std::memory_order_relaxed);
  }

  uint64_t blocks_;
  const Options& options_;
  std::atomic<uint64_t> next_ = 0;
  std::atomic<uint64_t> end_ = kNoBlock;  // the lowest block that met a hazard
  std::atomic<uint64_t> instructions_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> over_limit_ = false;
  std::mutex mutex_;
  std::optional<trace::Hazard> hazard_;
};

/// Takes blocks until there are none.
InstructionCount work(const Code& code, const Memory& memory, RunChecks& checks, Progress& progress,
                      trace::Sink& sink) {
  uint64_t block = 0;
  Runner runner(code, memory, checks.checker(),
                [&](uint64_t instructions) { return progress.may_go_on(block, instructions); });
  while ((block = progress.take()) != kNoBlock) {
    const bool ended = runner.run({static_cast<uint32_t>(block)}, sink);
    if (const auto& hazard = runner.hazard()) progress.stopped_by(block, *hazard);
    if (!ended && !runner.hazard()) break;
    progress.finished();
    if (!progress.may_go_on(block, 0)) break;
  }
  if (Checker* const checker = runner.checker()) checks.collect(*checker);
  return runner.instructions();
}

Result<void> check_launch(const ptx::Program& program, const launch::Launch& launch) {
  TRY_VOID(launch::check(launch));
  TRY_VOID(check_arguments(program, launch));
  constexpr uint64_t kMaximumBlocks = uint64_t{1} << 32;
  if (volume(launch.grid) > kMaximumBlocks)
    return fail(ErrorKind::Launch, fmt::format("the grid has {} blocks; at most {} can be run",
                                               volume(launch.grid), kMaximumBlocks));
  constexpr uint32_t kMaximumSharedBytes = 256 << 10;
  const uint64_t shared = uint64_t{program.static_shared_bytes} + launch.dynamic_shared_bytes;
  if (shared > kMaximumSharedBytes)
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} needs {} bytes of shared memory per block; no device has more than {}",
                            program.kernel, shared, kMaximumSharedBytes));
  return {};
}

unsigned worker_count(const Options& options, const Pool& pool, uint64_t blocks) {
  const unsigned wanted = options.threads == 0 ? pool.size() : std::min(options.threads, pool.size());
  return static_cast<unsigned>(std::clamp<uint64_t>(blocks, 1, wanted));
}

}  // namespace

Result<Outcome> run(const ptx::Program& program, const launch::Launch& launch,
                    const trace::SinkOfWorker& sink_of_worker, const Options& options) {
  TRY_VOID(check_launch(program, launch));
  TRY(const Code code,
      make_code(program, launch.grid, launch.block, launch.dynamic_shared_bytes, options.vectors));
  if (options.stop.stop_requested()) return fail(ErrorKind::Cancelled, "cancelled");
  std::optional<Pool> own_pool;
  if (options.pool == nullptr) own_pool.emplace(options.threads);
  Pool& pool = own_pool ? *own_pool : *options.pool;

  Memory memory(program, launch);
  const uint64_t blocks = volume(launch.grid);
  Progress progress(blocks, options);
  const unsigned workers = worker_count(options, pool, blocks);
  std::vector<trace::Sink*> sinks;
  for (unsigned worker = 0; worker < workers; ++worker) sinks.push_back(&sink_of_worker(worker));
  RunChecks checks(code, memory, options);
  std::vector<InstructionCount> counts(workers);
  pool.run(workers,
           [&](unsigned worker) { counts[worker] = work(code, memory, checks, progress, *sinks[worker]); });

  if (progress.cancelled()) return fail(ErrorKind::Cancelled, "cancelled");
  Outcome outcome;
  for (const InstructionCount& count : counts) {
    outcome.warp_instructions += count.warp;
    outcome.lane_instructions += count.lane;
  }
  if (progress.over_limit() || outcome.warp_instructions > options.limit_steps)
    return fail(
        ErrorKind::Limit,
        fmt::format("kernel {} executed more than {} warp instructions and was stopped; it may not end, or "
                    "raise the limit with --limit-steps",
                    program.kernel, options.limit_steps));
  if (const auto& hazard = progress.hazard()) {
    outcome.hazards.push_back(*hazard);
    outcome.stopped_in = CtaId{static_cast<uint32_t>(progress.end())};
  }
  checks.report(outcome, workers);
  outcome.buffers = memory.take_buffers();
  return outcome;
}

}  // namespace lanescope::emulator
