#include "emulator/schedule/block_executor.h"

#include "emulator/values/form.h"

#include <cstring>

namespace lanescope::emulator {

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
  const size_t stride = is_group_ ? operand.group : operand.own;
  std::memcpy(&mask, state_.registers.get() + operand.offset + stride * warp, sizeof mask);
  return mask;
}

uint64_t BlockExecutor::word_at(uint32_t warp, const Operand& operand, int lane) const {
  uint64_t word = 0;
  const size_t bytes = operand.own != 0 ? operand.own / size_t{kLanes} : sizeof(uint32_t);
  const size_t stride = is_group_ ? operand.group : operand.own;
  if (is_group_) fill_lanes(code_, state_.registers.get(), operand);
  std::memcpy(&word,
              state_.registers.get() + operand.offset + stride * warp + bytes * static_cast<size_t>(lane),
              bytes);
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
    if (watch == nullptr) continue;
    if (warps.has_forms) fill_results(*step);
    add_results(*step, warps, *watch);
  }
}

void BlockExecutor::fill_results(const Step& step) {
  for (const Operand& operand : step.destination) state_.fill_lanes(operand);
  for (uint32_t n = 0; n < step.list_written; ++n) state_.fill_lanes(step.list[n]);
}

/// Adds the values that the step wrote, in the lanes that execute, to the hash of the lap.
void BlockExecutor::add_results(const Step& step, const Warps& warps, SpinDetector& laps) const {
  const ptx::Step& from = program().steps[step.index];
  const bool timed = from.flags & ptx::Step::kTimed;
  laps.reads_clock = laps.reads_clock || ptx::reads_clock(from);
  const auto add_word = [&](uint64_t word) { timed ? laps.add_timed(word) : laps.add(word); };
  const auto add = [&](const Operand& operand) {
    if (operand.own == 0) return;
    const std::byte* at = state_.registers.get() + operand.offset + size_t{operand.own} * warps.first;
    const uint32_t copies = operand.group == 0 ? 1 : warps.count;
    for (uint32_t n = 0; n < copies; ++n, at += operand.own) {
      const uint32_t lanes = operand.group == 0 ? *warps.once_active : warps.active[n];
      if (operand.own == sizeof lanes) {
        uint32_t truths = 0;
        std::memcpy(&truths, at, sizeof truths);
        add_word(truths & lanes);
        continue;
      }
      const size_t bytes = operand.own / size_t{kLanes};
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
