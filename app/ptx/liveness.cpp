// Registers that are never live together share a slot, so that a block's registers stay in the fastest cache.
// Method: liveness per block to a fixed point, one interval of steps per register, linear scan. A step reads
// all its sources before it writes, so a destination may take over the slot of a source that ends there.
// Inactive lanes keep their values: sharing is safe for each thread, and so in lockstep. Functions share no
// slots, because the registers of the callers stay live.
// Source: Poletto, Sarkar, "Linear Scan Register Allocation". Tests: tests/unit/ptx/lower_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>
#include <array>
#include <optional>

namespace lanescope::ptx {
namespace {

using Bits = std::vector<bool>;

/// First and last position at which a register is live. Step n reads at 2 n and writes at 2 n + 1.
struct Interval {
  Slot slot = 0;
  uint32_t begin = 0xffffffff;
  uint32_t end = 0;

  void extend(uint32_t position) {
    begin = std::min(begin, position);
    end = std::max(end, position);
  }
};

bool is_written_by_steps(const SlotInfo& slot) { return slot.content == SlotContent::PerLane; }

/// [basic block] registers that are read at or after its first step before they are written.
std::vector<Bits> live_in(const Program& program, const Successors& successors) {
  const size_t count = program.slots.size();
  std::vector<Bits> live(program.blocks.size(), Bits(count));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = program.blocks.size(); n-- > 0;) {
      Bits now(count);
      for (const uint32_t next : successors[n]) {
        for (size_t slot = 0; slot < count; ++slot)
          if (live[next][slot]) now[slot] = true;
      }
      for (uint32_t at = program.blocks[n].end; at-- > program.blocks[n].first;) {
        const Step& step = program.steps[at];
        // A guarded step may leave what was there.
        if (step.guard == kNoSlot) for_each_destination(program, step, [&](Slot slot) { now[slot] = false; });
        for_each_source(program, step, [&](Slot slot) { now[slot] = true; });
      }
      if (now == live[n]) continue;
      live[n] = std::move(now);
      changed = true;
    }
  }
  return live;
}

std::vector<Interval> intervals_of(const Program& program) {
  std::vector<Interval> intervals(program.slots.size());
  for (size_t n = 0; n < intervals.size(); ++n) intervals[n].slot = static_cast<Slot>(n);
  const Successors successors = successors_of(program);
  const std::vector<Bits> live = live_in(program, successors);
  for (size_t n = 0; n < program.blocks.size(); ++n) {
    const BasicBlock& block = program.blocks[n];
    for (size_t slot = 0; slot < intervals.size(); ++slot) {
      if (live[n][slot]) intervals[slot].extend(2 * block.first);
      for (const uint32_t next : successors[n])
        if (live[next][slot]) intervals[slot].extend(2 * block.end - 1);
    }
    for (uint32_t at = block.first; at < block.end; ++at) {
      const Step& step = program.steps[at];
      for_each_source(program, step, [&](Slot slot) { intervals[slot].extend(2 * at); });
      for_each_destination(program, step, [&](Slot slot) { intervals[slot].extend(2 * at + 1); });
      // What a guarded step does not write must be there already.
      if (step.guard != kNoSlot)
        for_each_destination(program, step, [&](Slot slot) { intervals[slot].extend(2 * at); });
    }
  }
  return intervals;
}

}  // namespace

void share_slots(Program& program) {
  std::vector<Interval> intervals = intervals_of(program);
  std::vector<SlotInfo> slots;
  std::vector<Slot> renamed(program.slots.size(), kNoSlot);
  std::ranges::stable_sort(intervals, {}, &Interval::begin);

  struct Used {
    uint32_t end;
    Slot slot;  // new number
  };
  std::array<std::vector<Used>, 3> active;  // [width]
  size_t function = 0;
  // The stack is every function's.
  const auto belongs_to_function = [&](Slot slot) {
    return is_written_by_steps(program.slots[slot]) && slot != program.stack;
  };
  for (const Interval& interval : intervals) {
    const SlotInfo& info = program.slots[interval.slot];
    if (interval.begin > interval.end) continue;  // unused
    while (belongs_to_function(interval.slot) && interval.begin >= 2 * program.functions[function].end_step) {
      ++function;
      active = {};
    }
    if (!belongs_to_function(interval.slot)) {
      renamed[interval.slot] = static_cast<Slot>(slots.size());
      slots.push_back(info);
      continue;
    }
    std::vector<Used>& used = active[static_cast<size_t>(info.width)];
    const auto free =
        std::ranges::find_if(used, [&](const Used& other) { return other.end < interval.begin; });
    if (free != used.end()) {
      renamed[interval.slot] = free->slot;
      free->end = interval.end;
    } else {
      renamed[interval.slot] = static_cast<Slot>(slots.size());
      used.push_back({interval.end, renamed[interval.slot]});
      slots.push_back(info);
      program.functions[function].slots.push_back(renamed[interval.slot]);
    }
  }

  const auto rename = [&](Slot& slot) {
    if (slot != kNoSlot) slot = renamed[slot];
  };
  for (Step& step : program.steps) {
    rename(step.guard);
    std::ranges::for_each(step.destination, rename);
    std::ranges::for_each(step.source, rename);
    for (uint32_t n = 0; n < step.list_size; ++n) {
      uint32_t& slot = program.lists[step.list + n];
      if (slot != kNoSlot) slot = renamed[slot];
    }
  }
  for (ProgramFunction& one : program.functions) rename(one.frame);
  rename(program.stack);
  program.slots = std::move(slots);
}

void find_live_slots(Program& program) {
  std::vector<Bits> live = live_in(program, successors_of(program));
  for (size_t n = 0; n < program.blocks.size(); ++n) program.blocks[n].live = std::move(live[n]);
}

}  // namespace lanescope::ptx
