// Options of a run of the emulator: limits, checks, scheduling, and the history to record. Plain data, which
// every other file may include.

#pragma once

#include "base/ids.h"
#include "trace/history.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

namespace lanescope::ptx {
struct ConvergenceBarriers;
}
namespace lanescope::trace {
class SinkStage;
}

namespace lanescope::emulator {

struct MemoryInPlace;  // memory/region.h
struct Suspects;       // checks/suspects.h
class Pool;            // schedule/pool.h

/// Warp instructions after which a run gives up: some minutes.
inline constexpr uint64_t kDefaultLimitSteps = 100'000'000'000;

/// Instruction sets that the executor is compiled for. Results are the same; tests compare them.
enum class Vectors : uint8_t { Widest, Avx2, Plain };

/// Data races and uninitialized reads, or none. Bounds and alignment are always checked.
enum class Checks : uint8_t { None, All };

/// Effect of an access out of bounds: it stops the kernel, or it is reported, reads 0 and writes nothing.
enum class OutOfBounds : uint8_t { Stops, IsPassedOver };

/// Scheduling of the diverged lanes of a warp. Independent: they take turns, so that each makes progress
/// whatever the others do, and lanes that execute a .sync instruction wait for the members that it names
/// (compute capability 7.0 and later). Lockstep: they run one group after the other, and a group waits at the
/// reconvergence point, which is a deadlock if the others wait for it (before 7.0).
enum class Scheduling : uint8_t { Independent, Lockstep };

/// Method of running blocks. All engines find the same defects; the others are compared with Reference
/// (tests/support/engines.h).
enum class Engine : uint8_t {
  Reference,  // each warp by itself, each access lane by lane, each check by the readable rule Checker::check
  Groups,     // the warps of a block as one group while they take the same branches
  Batches     // neighboring blocks as one group too, where that makes no difference, unless there is a
              // hazard (batch.h): then it need not be that of the lowest block
};

/// The warp whose history is recorded. The run ends when the history is complete; what other blocks would do
/// after that is left out.
struct HistoryRequest {
  CtaId cta;
  WarpId warp;
  uint32_t most_entries = 0;
  trace::History* into = nullptr;
};

struct Options {
  unsigned threads = 0;                       // 0: all of the pool, or one per core without a pool
  uint64_t limit_steps = kDefaultLimitSteps;  // warp instructions of the whole grid
  std::stop_token stop = {};                  // when requested, run() returns an Error of kind Cancelled
  std::atomic<uint64_t>* finished_blocks = nullptr;  // counts up during the run
  Pool* pool = nullptr;                              // null: threads are started for this run
  Vectors vectors = Vectors::Widest;                 // an upper bound: the machine may have less
  Checks checks = Checks::None;
  OutOfBounds out_of_bounds = OutOfBounds::Stops;
  std::shared_ptr<const Suspects> suspects = {};  // of an earlier run, to report its races in detail
  Engine engine = Engine::Groups;
  trace::SinkStage* stage = nullptr;  // before the sinks of record(); null: none
  Scheduling scheduling = Scheduling::Independent;
  /// Barriers at which diverged lanes reconverge; null: wherever paths meet.
  std::shared_ptr<const ptx::ConvergenceBarriers> barriers = {};
  const MemoryInPlace* in_place = nullptr;  // null: the run has memory of its own, with the launch's contents
  uint64_t first_blocks = 0;  // 0: all; else those with the lowest numbers, and the others never run
  /// 0: all; else so many at equal distances, of whole clusters, and the others never run. Not together with
  /// first_blocks.
  uint64_t spread_blocks = 0;
  std::optional<HistoryRequest> history = {};
};

}  // namespace lanescope::emulator
