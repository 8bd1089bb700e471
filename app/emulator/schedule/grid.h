// State that the workers of a run share: the next block, whether the run continues, and its result.
// Method: blocks are handed out in rising order, a few neighbors at a time: they access neighboring memory.
// From the first time that a block waits they are handed out one by one, the lowest first: another may wait
// for it. A block that only spins is suspended and another is scheduled, but only when no block that was
// begun can continue: every worker has then looked at all of its blocks since anything last happened. If
// there is no more block, or no more room, that is a deadlock. Tests:
// tests/unit/emulator/{run,scheduling}_test.cpp

#pragma once

#include "emulator/block/passed_fault.h"
#include "emulator/options.h"
#include "trace/hazard.h"
#include "trace/output.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lanescope::emulator {

class Grid {
 public:
  static constexpr uint64_t kNoBlock = std::numeric_limits<uint64_t>::max();

  /// `cluster`: blocks that run together; with Options::first_blocks or spread_blocks the others never run.
  Grid(uint64_t blocks, uint64_t cluster, unsigned workers, const Options& options);

  /// Takes the next blocks for the worker to run, as many as a cluster has, and returns the first. kNoBlock
  /// if the run halts, or none is left before the end of the grid and the first hazard.
  uint64_t take(unsigned worker);
  /// Counts `instructions` more warp instructions of `block`. False if the block should not continue.
  bool may_go_on(uint64_t block, uint64_t instructions);
  /// The run has its result already: no block needs to continue.
  void end_early() { ended_early_.store(true, std::memory_order_relaxed); }
  /// Keeps the output of a block that ran to its end.
  void finished(uint64_t block, const std::string& output);
  /// Adds to Options::finished_blocks. A worker reports a thousandth of its part of the grid at a time.
  void add_finished(uint64_t blocks);
  uint64_t blocks_at_once() const { return blocks_at_once_; }
  /// Keeps the hazard of the lowest block; blocks with higher numbers need not run.
  void stopped_by(uint64_t block, const trace::Hazard& hazard, const std::string& output);
  /// Keeps the accesses out of bounds that did not stop a block, or a batch.
  void passed_over(const std::vector<PassedFault>& faults);
  /// A block was stopped at the limit; `where` says where its warps stood. The first one is kept.
  void stopped_short(const std::string& where);

  /// Number of events so far. A worker reads it before it examines its blocks.
  uint64_t events();
  /// Counts an event, once a worker has called events(). Until then no worker writes to memory that the
  /// others read.
  void something_happened();
  enum class Advice : uint8_t { LookAgain, BeginAnother, GiveUp };
  enum class Certainty : uint8_t { ForEver, PerhapsNot };
  enum class Room : uint8_t { Some, None };
  /// Advises a worker that has examined all its blocks since it read `events`, and none can continue.
  Advice is_stuck(unsigned worker, uint64_t events, Certainty certainty, Room room);
  /// Notes that the worker has no blocks left, and waits for none.
  void is_done(unsigned worker);

  bool cancelled() const { return cancelled_; }
  bool over_limit() const { return over_limit_; }
  const std::optional<trace::Hazard>& hazard() const { return hazard_; }
  uint64_t end() const { return end_; }
  /// In the order of the steps; the first of each is that of the lowest block.
  std::vector<trace::Hazard> passed_over() const;
  const std::string& where() const { return where_; }
  trace::Output take_output();

 private:
  /// Bytes of a cache line. Members that workers often write and members that they often read lie on separate
  /// lines.
  static constexpr size_t kCacheLine = 64;

  bool halted() const {
    return cancelled_.load(std::memory_order_relaxed) || over_limit_.load(std::memory_order_relaxed) ||
           ended_early_.load(std::memory_order_relaxed);
  }
  void keep_output(uint64_t block, const std::string& output);
  uint64_t take_lowest(unsigned worker);
  /// Number of the `turn`-th block that runs: clusters, or batches, at equal distances.
  uint64_t block_of(uint64_t turn) const { return turn / cluster_ * clusters_ / chosen_ * cluster_; }
  void give_back_share(unsigned worker);

  /// Blocks that a worker took and has not begun, by their turns.
  struct alignas(kCacheLine) Share {
    uint64_t next = 0;
    uint64_t end = 0;
  };

  static constexpr uint64_t kNotStuck = std::numeric_limits<uint64_t>::max();
  static constexpr uint64_t kDone = kNotStuck - 1;

  uint64_t cluster_;
  uint64_t clusters_;          // of the grid
  uint64_t chosen_;            // clusters that run
  uint64_t blocks_;            // that run
  uint64_t share_;             // blocks that a worker takes at a time
  uint64_t blocks_at_once_;    // that a worker reports at a time
  std::vector<Share> shares_;  // [worker]
  const Options& options_;
  alignas(kCacheLine) std::atomic<uint64_t> next_ = 0;
  std::atomic<uint64_t> instructions_ = 0;
  std::atomic<uint64_t> events_ = 0;
  alignas(kCacheLine) std::atomic<uint64_t> end_ = kNoBlock;  // the lowest block that met a hazard
  std::atomic<bool> counts_events_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> over_limit_ = false;
  std::atomic<bool> ended_early_ = false;
  std::mutex mutex_;
  std::set<uint64_t> given_back_;  // of the shares: first blocks of clusters
  std::optional<trace::Hazard> hazard_;
  std::map<uint32_t, PassedFault> passed_over_;  // [step]
  std::string where_;
  std::vector<uint64_t> stuck_since_;       // [worker] events
  std::vector<bool> perhaps_not_;           // [worker]
  std::map<uint64_t, std::string> output_;  // [block]
  uint64_t output_bytes_ = 0;
};

}  // namespace lanescope::emulator
