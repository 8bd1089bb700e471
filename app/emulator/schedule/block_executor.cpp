#include "emulator/schedule/block_executor.h"

#include "emulator/values/form.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lanescope::emulator {

InstructionCount& InstructionCount::operator+=(const InstructionCount& other) {
  warp += other.warp;
  lane += other.lane;
  lane_changes.resize(std::max(lane_changes.size(), other.lane_changes.size()));
  for (size_t n = 0; n < other.lane_changes.size(); ++n) lane_changes[n] += other.lane_changes[n];
  return *this;
}

std::vector<uint64_t> InstructionCount::lanes_of_step() const {
  std::vector<uint64_t> lanes(lane_changes.size());
  std::partial_sum(lane_changes.begin(), lane_changes.end(), lanes.begin());
  return lanes;
}

void BlockExecutor::begin_block(CtaId cta, trace::Sink& sink, HistoryRecorder* history) {
  state_.begin(cta, sink);
  history_ = history;
  is_group_ = true;
}

void BlockExecutor::begin_block_from(BlockExecutor& batch, uint32_t n) {
  state_.begin_from(batch.state_, n);
  history_ = nullptr;
  is_group_ = true;
}

uint32_t BlockExecutor::mask_at(const Operand& operand, uint32_t warp) const {
  uint32_t mask = 0;
  std::memcpy(&mask, state_.registers.get() + operand.offset + size_t{operand.stride} * warp, sizeof mask);
  return mask;
}

uint64_t BlockExecutor::word_at(uint32_t warp, const Operand& operand, int lane) const {
  uint64_t word = 0;
  const size_t bytes = operand.width == ptx::SlotWidth::Double ? sizeof(uint64_t) : sizeof(uint32_t);
  if (is_group_) fill_lanes(code_, state_.registers.get(), operand);
  const size_t at = size_t{operand.stride} * warp + bytes * static_cast<size_t>(lane);
  std::memcpy(&word, state_.registers.get() + operand.offset + at, bytes);
  return word;
}

uint32_t BlockExecutor::executing(uint32_t warp, uint32_t lanes, const Step& step) const {
  if (!step.guarded) return lanes;
  const uint32_t guard = mask_at(step.guard, warp);
  return lanes & (step.guard_negated ? ~guard : guard);
}

void BlockExecutor::execute_watched(uint32_t first, uint32_t end, Warps& warps, HistoryRecorder* history,
                                    SpinDetector* watch) {
  const Step* const last = code_.steps.data() + end;
  for (const Step* step = code_.steps.data() + first; step != last; ++step) {
    if (history != nullptr)
      history->execute(warps, *step);
    else
      step->handler(warps, *step);
    if (watch != nullptr) add_results(*step, warps, *watch);
  }
}

/// Adds the values that the step wrote, in the lanes that execute, to the hash of the lap: of a constant the
/// one value.
void BlockExecutor::add_results(const Step& step, const Warps& warps, SpinDetector& laps) {
  const ptx::Step& from = program().steps[step.index];
  const bool timed = from.flags & ptx::Step::kTimed;
  laps.reads_clock = laps.reads_clock || ptx::reads_clock(from);
  const auto add_word = [&](uint64_t word) { timed ? laps.add_timed(word) : laps.add(word); };
  const auto add = [&](const Operand& operand) {
    if (warps.has_forms) {
      const Form& form = form_of(state_.registers.get(), operand);
      if ((form.state & kIsConstant) != 0) return add_word(form.first);
      state_.fill_lanes(operand);
    }
    const std::byte* at = state_.registers.get() + operand.offset + size_t{operand.stride} * warps.first;
    for (uint32_t n = 0; n < warps.count; ++n, at += operand.stride) {
      const uint32_t lanes = warps.active[n];
      if (operand.stride == sizeof lanes) {
        uint32_t truths = 0;
        std::memcpy(&truths, at, sizeof truths);
        add_word(truths & lanes);
        continue;
      }
      const size_t bytes = operand.stride / size_t{kLanes};
      for_each_lane({lanes}, [&](int lane) {
        uint64_t value = 0;
        std::memcpy(&value, at + bytes * static_cast<size_t>(lane), bytes);
        add_word(value);
      });
    }
  };
  for (size_t n = 0; n < step.destination.size(); ++n)
    if (from.destination[n] != ptx::kNoSlot) add(step.destination[n]);
  for (uint32_t n = 0; n < from.list_written; ++n)
    if (program().lists[from.list + n] != ptx::kNoSlot) add(step.list[n]);
}

bool BlockExecutor::report() {
  refused_ = !may_go_on_(count_.warp - reported_);
  reported_ = count_.warp;
  return !refused_;
}

}  // namespace lanescope::emulator
