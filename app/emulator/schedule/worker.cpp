#include "emulator/schedule/worker.h"

#include "emulator/memory/cluster_layout.h"
#include "emulator/schedule/batch.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

/// Blocks of one of `workers` that may be under way at a time: as many as fit in its part of 512 MiB.
size_t room_of(const Code& code, unsigned workers) {
  constexpr uint64_t kBytes = uint64_t{512} << 20;
  constexpr uint64_t kMost = 4096;
  const bool grows = code.program->local_bytes != code.program->frame_bytes;
  const uint64_t local = code.program->recursive || grows
                             ? uint64_t{16} << 10  // of pages that are touched
                             : uint64_t{code.program->local_bytes} * code.warps * kLanes;
  constexpr uint64_t kSpreads = uint64_t{32} << 10;  // of most kernels
  const uint64_t each = uint64_t{code.register_bytes} + code.shared_bytes + local + kSpreads + 4096;
  return static_cast<size_t>(std::clamp<uint64_t>(kBytes / each / workers, 1, kMost));
}

}  // namespace

Worker::Block::Block(const Code& code, const Memory& memory, RunChecks& run_checks, const Options& options,
                     Grid& grid)
    : checks(run_checks.checks_of(code)),
      runner(code, memory, checks.get(), options.scheduling, [this, &grid](uint64_t instructions) {
        if (history && history->is_full()) grid.end_early();
        return grid.may_go_on(number, instructions);
      }) {}

Worker::Batches::Batches(const Code& code, const Memory& memory, RunChecks& run_checks, Grid& grid)
    : checks(run_checks.checks_of(code)),
      runner(code, memory, checks.get(), [this, &grid](uint64_t instructions) {
        return grid.may_go_on(runner.state().cta.value, instructions);
      }) {}

Worker::Worker(const Code& code, const Code* batch, const Memory& memory, RunChecks& checks, Grid& grid,
               unsigned number, unsigned workers, const Options& options, trace::Sink& sink)
    : code_(code),
      memory_(memory),
      checks_(checks),
      grid_(grid),
      number_(number),
      options_(options),
      sink_(sink),
      unit_(batch == nullptr ? volume(code.program->cluster) : batch->batch),
      room_(room_of(code, workers)) {
  if (batch != nullptr) batches_.emplace(*batch, memory, checks, grid);
}

InstructionCount Worker::work() {
  while (run_next()) {
    if (to_begin_ > 0) {
      --to_begin_;
      continue;
    }
    while (!aside_.empty() && !may_begin_another()) {
    }
  }
  grid_.add_finished(finished_);
  grid_.is_done(number_);
  InstructionCount count;
  for (const auto& block : free_) {
    count += block->runner.instructions();
    if (block->checks != nullptr) checks_.collect(*block->checks);
  }
  if (batches_) {
    count += batches_->runner.instructions();
    if (batches_->checks != nullptr) checks_.collect(*batches_->checks);
  }
  return count;
}

/// Runs the next block, batch or cluster. False if there is none, and no block is suspended.
bool Worker::run_next() {
  const uint64_t first = grid_.take(number_);
  if (first == Grid::kNoBlock) return !aside_.empty();
  if (batches_ && run_batch(first)) return true;
  if (volume(code_.program->cluster) > 1) {
    run_cluster(first);
    return true;
  }
  for (uint64_t n = first; n < std::min(first + unit_, volume(code_.grid)); ++n) run(block_for(n));
  return true;
}

void Worker::run_cluster(uint64_t first) {
  const Dim3 cluster = code_.program->cluster;
  const auto team = std::make_shared<Team>();
  std::vector<std::unique_ptr<Block>> begun;
  for (uint64_t n = 0; n < volume(cluster); ++n) {
    begun.push_back(block_for(block_in_cluster_order(first + n, code_.grid, cluster)));
    begun.back()->team = team;
    if (begun.back()->checks != nullptr) begun.back()->checks->join(team->shadow);
    begun.back()->runner.join(team->cluster);
  }
  for (auto& block : begun) run(std::move(block));
}

/// Runs the batch that begins with this block. False, with nothing done, if its blocks have to run alone.
bool Worker::run_batch(uint64_t first) {
  const Code& code = batches_->runner.code();
  const CtaId begin{static_cast<uint32_t>(first)};
  if (!batches_->are_worth_it() || !is_batch(code, first) || !sink_.begin_batch(begin, code.order()))
    return false;
  ++batches_->begun;
  const BatchRunner::State state = batches_->runner.run(begin, sink_);
  grid_.something_happened();  // as in look_at()
  grid_.passed_over(batches_->runner.state().passed_over);
  switch (state) {
    case BatchRunner::State::Ended:
      add_finished(code.batch);
      grid_.may_go_on(first, 0);  // whether the run was cancelled
      return true;
    case BatchRunner::State::Stopped: {
      const BlockState& block = batches_->runner.state();
      grid_.stopped_by(block.hazard_in.value, *block.hazard, {});
      return true;
    }
    case BatchRunner::State::Parts:
      break;
  }
  ++batches_->parted;
  sink_.suspend_block();
  for (uint32_t n = 0; n < code.batch; ++n) {
    std::unique_ptr<Block> block = block_for(first + n);
    if (block->checks != nullptr) block->checks->continue_block(*batches_->checks, n);
    block->state = block->runner.run_from(batches_->runner, n);
    look_at(std::move(block));
  }
  return true;
}

std::unique_ptr<Worker::Block> Worker::block_for(uint64_t number) {
  if (free_.empty()) free_.push_back(std::make_unique<Block>(code_, memory_, checks_, options_, grid_));
  std::unique_ptr<Block> block = std::move(free_.back());
  free_.pop_back();
  block->number = number;
  block->history.reset();
  if (options_.history && options_.history->cta.value == number)
    block->history.emplace(code_, *options_.history);
  return block;
}

void Worker::run(std::unique_ptr<Block> block) {
  block->state = block->runner.run({static_cast<uint32_t>(block->number)}, sink_,
                                   block->history ? &*block->history : nullptr);
  look_at(std::move(block));
}

/// Retires or suspends a block that has run as far as it gets.
void Worker::look_at(std::unique_ptr<Block> block) {
  // Other blocks may wait for data that this one wrote: all workers must examine their blocks again.
  grid_.something_happened();
  if (is_over(*block)) {
    const uint64_t number = block->number;
    retire(std::move(block));
    grid_.may_go_on(number, 0);  // whether the run was cancelled
  } else {
    sink_.suspend_block();
    aside_.push_back(std::move(block));
  }
}

/// Makes a block that is over free for another number, once all blocks of its cluster are over.
void Worker::retire(std::unique_ptr<Block> block) {
  if (block->team == nullptr) {
    free_.push_back(std::move(block));
    return;
  }
  const std::shared_ptr<Team> team = block->team;
  team->over.push_back(std::move(block));
  if (team->over.size() < team->cluster.blocks.size()) return;
  for (auto& one : team->over) {
    one->team.reset();
    free_.push_back(std::move(one));
  }
}

/// Reports finished blocks to the grid, many at a time.
void Worker::add_finished(uint64_t blocks) {
  finished_ += blocks;
  if (finished_ >= grid_.blocks_at_once()) grid_.add_finished(std::exchange(finished_, 0));
}

/// Reports to the grid how the block ended; false if it did not.
bool Worker::is_over(const Block& block) {
  const BlockRunner& runner = block.runner;
  const bool is_over = block.state == BlockRunner::State::Ended || block.state == BlockRunner::State::Stopped;
  if (is_over && block.history) grid_.end_early();
  if (is_over) grid_.passed_over(runner.passed_over());
  switch (block.state) {
    case BlockRunner::State::Ended:
      grid_.finished(block.number, runner.output());
      add_finished(1);
      return true;
    case BlockRunner::State::Stopped:
      if (block.team) block.team->cluster.broken = true;
      if (runner.hazard()) {
        grid_.stopped_by(block.number, *runner.hazard(), runner.output());
      } else {
        grid_.stopped_short(runner.describe_warps());
      }
      return true;
    default:
      return false;
  }
}

/// Resumes the suspended blocks. True if another block may begin, or none is suspended any more.
bool Worker::may_begin_another() {
  const uint64_t events = grid_.events();
  bool moved = false;
  for (auto& block : aside_) {
    sink_.resume_block(block->runner.cta());
    block->state = grid_.may_go_on(block->number, 0) ? block->runner.resume() : BlockRunner::State::Stopped;
    moved = moved || block->runner.moved();
    const bool waits = block->state == BlockRunner::State::Waits || block->state == BlockRunner::State::Spins;
    if (waits && block->team && block->team->cluster.broken) block->state = BlockRunner::State::Stopped;
    if (is_over(*block)) {
      retire(std::move(block));
      moved = true;
    } else {
      sink_.suspend_block();
    }
  }
  std::erase(aside_, nullptr);
  if (moved) {
    grid_.something_happened();
    at_once_ = 1;
  }
  return moved || aside_.empty() ? aside_.empty() : ask_grid(events);
}

bool Worker::ask_grid(uint64_t events) {
  const bool for_ever = std::ranges::all_of(
      aside_, [](const auto& block) { return block->state == BlockRunner::State::Spins; });
  switch (grid_.is_stuck(number_, events, for_ever ? Grid::Certainty::ForEver : Grid::Certainty::PerhapsNot,
                         aside_.size() < room_ ? Grid::Room::Some : Grid::Room::None)) {
    case Grid::Advice::LookAgain:
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      return false;
    case Grid::Advice::BeginAnother:
      to_begin_ = std::min<size_t>(at_once_, room_ - aside_.size()) - 1;
      at_once_ *= 2;
      return true;
    case Grid::Advice::GiveUp:
      give_up();
      return false;
  }
  return false;
}

/// The lowest block reports that no block can continue.
void Worker::give_up() {
  const auto lowest = std::ranges::min_element(aside_, {}, [](const auto& block) { return block->number; });
  Block& block = **lowest;
  sink_.resume_block(block.runner.cta());
  block.runner.give_up(
      aside_.size() < room_
          ? "no thread that still runs can change what they wait for; look for the one that should"
          : fmt::format("it may wait for a block that comes later, and no more than {} are under way at a "
                        "time; wait only for blocks with a lower number, or launch fewer",
                        aside_.size()));
  block.state = BlockRunner::State::Stopped;
  is_over(block);
  retire(std::move(*lowest));
  std::erase(aside_, nullptr);
}

}  // namespace lanescope::emulator
