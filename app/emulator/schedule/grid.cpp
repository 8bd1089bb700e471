#include "emulator/schedule/grid.h"

#include <algorithm>
#include <utility>

namespace lanescope::emulator {
namespace {

/// Blocks that a worker takes at a time: many, so that it stays in neighboring memory, but few enough that
/// all workers end at about the same time.
uint64_t share_of(uint64_t blocks, uint64_t cluster, unsigned workers) {
  constexpr uint64_t kMost = 16;
  return workers == 1 ? cluster : std::clamp<uint64_t>(blocks / cluster / workers / 32, 1, kMost) * cluster;
}

}  // namespace

Grid::Grid(uint64_t blocks, uint64_t cluster, unsigned workers, const Options& options)
    : cluster_(cluster),
      clusters_((blocks + cluster - 1) / cluster),
      chosen_(options.spread_blocks == 0
                  ? clusters_
                  : std::min(clusters_, (options.spread_blocks + cluster - 1) / cluster)),
      blocks_(
          std::min({blocks, chosen_ * cluster, options.first_blocks == 0 ? blocks : options.first_blocks})),
      share_(share_of(blocks_, cluster, workers)),
      blocks_at_once_(blocks_ / (1024 * uint64_t{workers}) + 1),
      shares_(workers),
      options_(options),
      stuck_since_(workers, kNotStuck),
      perhaps_not_(workers) {}

uint64_t Grid::take(unsigned worker) {
  if (halted()) return kNoBlock;
  uint64_t turn = 0;
  if (counts_events_.load(std::memory_order_relaxed)) {
    turn = take_lowest(worker);
  } else {
    Share& share = shares_[worker];
    if (share.next == share.end) {
      share.next = next_.fetch_add(share_, std::memory_order_relaxed);
      share.end = share.next + share_;
    }
    turn = std::exchange(share.next, share.next + cluster_);
  }
  if (turn >= blocks_) return kNoBlock;
  const uint64_t block = block_of(turn);
  return block < end_.load(std::memory_order_relaxed) ? block : kNoBlock;
}

uint64_t Grid::take_lowest(unsigned worker) {
  const std::scoped_lock lock(mutex_);
  give_back_share(worker);
  if (given_back_.empty()) return next_.fetch_add(cluster_);
  return given_back_.extract(given_back_.begin()).value();
}

/// Returns the worker's share to the grid. To be called with the lock held.
void Grid::give_back_share(unsigned worker) {
  Share& share = shares_[worker];
  for (; share.next < share.end; share.next += cluster_)
    if (share.next < blocks_) given_back_.insert(share.next);
}

bool Grid::may_go_on(uint64_t block, uint64_t instructions) {
  if (instructions != 0) {
    const uint64_t sum = instructions_.fetch_add(instructions, std::memory_order_relaxed) + instructions;
    if (sum > options_.limit_steps) over_limit_.store(true, std::memory_order_relaxed);
  }
  if (options_.stop.stop_requested()) cancelled_.store(true, std::memory_order_relaxed);
  return !halted() && block <= end_.load(std::memory_order_relaxed);
}

void Grid::finished(uint64_t block, const std::string& output) {
  if (output.empty()) return;
  const std::scoped_lock lock(mutex_);
  keep_output(block, output);
}

void Grid::add_finished(uint64_t blocks) {
  if (options_.finished_blocks != nullptr)
    options_.finished_blocks->fetch_add(blocks, std::memory_order_relaxed);
}

// One of the two fences comes first: an event is counted, or a worker that calls events() now sees the
// event's effect when it examines its blocks.

uint64_t Grid::events() {
  counts_events_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return events_.load();
}

void Grid::something_happened() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (counts_events_.load(std::memory_order_relaxed)) events_.fetch_add(1);
}

void Grid::stopped_by(uint64_t block, const trace::Hazard& hazard, const std::string& output) {
  const std::scoped_lock lock(mutex_);
  something_happened();
  if (block >= end_.load(std::memory_order_relaxed)) return;
  end_.store(block, std::memory_order_relaxed);
  hazard_ = hazard;
  keep_output(block, output);
}

void Grid::passed_over(const std::vector<PassedFault>& faults) {
  if (faults.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const PassedFault& fault : faults) {
    const auto [known, is_new] = passed_over_.try_emplace(fault.step, fault);
    if (is_new) continue;
    const uint64_t count = known->second.first.count + fault.first.count;
    if (fault.block.value < known->second.block.value) known->second = fault;
    known->second.first.count = count;
  }
}

std::vector<trace::Hazard> Grid::passed_over() const {
  std::vector<trace::Hazard> hazards;
  for (const auto& [step, fault] : passed_over_) hazards.push_back(fault.first);
  return hazards;
}

void Grid::stopped_short(const std::string& where) {
  const std::scoped_lock lock(mutex_);
  if (where_.empty()) where_ = where;
}

/// Keeps the output, and drops that of the highest blocks if the lower ones have more than kMostBytes.
void Grid::keep_output(uint64_t block, const std::string& output) {
  output_bytes_ += output.size();
  output_.emplace(block, output);
  while (output_.size() > 1 && output_bytes_ - output_.rbegin()->second.size() > trace::Output::kMostBytes) {
    output_bytes_ -= output_.rbegin()->second.size();
    output_.erase(std::prev(output_.end()));
  }
}

trace::Output Grid::take_output() {
  trace::Output output;
  for (const auto& [block, text] : output_)
    if (block <= end_.load()) output.text += text;
  output.is_cut = output.text.size() > trace::Output::kMostBytes;
  if (output.is_cut) output.text.resize(trace::Output::kMostBytes);
  return output;
}

Grid::Advice Grid::is_stuck(unsigned worker, uint64_t events, Certainty certainty, Room room) {
  const std::scoped_lock lock(mutex_);
  give_back_share(worker);
  stuck_since_[worker] = events;
  perhaps_not_[worker] = certainty == Certainty::PerhapsNot;
  const uint64_t now = events_.load();
  const bool all =
      std::ranges::all_of(stuck_since_, [&](uint64_t since) { return since == now || since == kDone; });
  if (!all) return Advice::LookAgain;
  // If a block begins now, the other workers have to examine their blocks again before they are stuck.
  const uint64_t next = given_back_.empty() ? next_.load() : *given_back_.begin();
  if (room == Room::Some && next < blocks_ && block_of(next) < end_.load()) {
    something_happened();
    stuck_since_[worker] = kNotStuck;
    return Advice::BeginAnother;
  }
  if (std::ranges::find(perhaps_not_, true) != perhaps_not_.end()) return Advice::LookAgain;
  return Advice::GiveUp;
}

void Grid::is_done(unsigned worker) {
  const std::scoped_lock lock(mutex_);
  something_happened();
  stuck_since_[worker] = kDone;
  perhaps_not_[worker] = false;
}

}  // namespace lanescope::emulator
