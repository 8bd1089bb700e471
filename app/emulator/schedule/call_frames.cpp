#include "emulator/schedule/call_frames.h"

#include "emulator/values/form.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

/// Most bytes of registers that recursion may keep, if all warps of the block keep as much as the caller's.
constexpr uint64_t kMaximumKeptBytes = uint64_t{512} << 20;
/// Least bytes of the stack that a frame takes, for the return address.
constexpr uint64_t kSmallestFrame = 16;
constexpr uint64_t kLargestAccess = 16;  // of one lane, in bytes: the checks count no larger pieces

}  // namespace

bool CallFrames::enter(uint32_t warp, Index index, uint32_t function, uint32_t lanes, const Step& step) {
  LaneTree& tree = lanes_[warp];
  const ptx::Call& call = program().calls[program().steps[step.index].list];
  const ptx::ProgramFunction& callee = program().functions[function];
  if (program().recursive) {
    uint64_t top = 0;
    for_each_lane({lanes}, [&](int lane) {
      top = std::max(top,
                     executor_.word_at(warp, step.source[1], lane) + call.frame_offset + callee.frame_bytes);
    });
    const uint32_t depth = tree.depth(index) + 1;
    if (top + depth * kSmallestFrame > program().frame_bytes ||
        tree.kept_bytes() * code_.warps > kMaximumKeptBytes) {
      state_.report(trace::HazardKind::StackOverflow, step, thread_of(warp, lanes),
                    fmt::format("stack overflow: function {} is called {} deep, which takes more than the {} "
                                "KiB of stack of a thread; end the recursion earlier, or write it as a loop",
                                callee.name, depth, program().frame_bytes >> 10));
      return false;
    }
    state_.local.use(top);
  }
  const uint32_t return_block = tree[index].block + 1;
  tree.call(index, return_block, function, lanes, program());
  if (call.may_recur) keep_registers(warp, function, index);
  begin(warp, function, lanes, step);
  return true;
}

void CallFrames::begin(uint32_t warp, uint32_t function, uint32_t lanes, const Step& step) {
  const CodeFunction& callee = code_.functions[function];
  if (!callee.has_frame) return;
  const ptx::Call& call = program().calls[program().steps[step.index].list];
  const uint32_t offset = call.frame_offset;
  const uint64_t frame_bytes = program().functions[function].frame_bytes;
  const auto at = [&](const Operand& operand) {
    return state_.registers.get() + operand.offset + size_t{operand.stride} * warp;
  };
  if (executor_.is_group()) {
    state_.fill_lanes(step.source[1]);
    drop_form(state_.registers.get(), callee.frame);
  }
  const std::byte* const from = at(step.source[1]);
  std::byte* const to = at(callee.frame);
  for_each_lane({lanes}, [&](int lane) {
    uint64_t begin = 0;
    std::memcpy(&begin, from + sizeof begin * static_cast<size_t>(lane), sizeof begin);
    begin += offset;
    std::memcpy(to + sizeof begin * static_cast<size_t>(lane), &begin, sizeof begin);
    // The frame is uninitialized after the arguments, also where an earlier call wrote to it.
    const uint64_t locals = (begin + call.size_bytes + kLargestAccess - 1) / kLargestAccess * kLargestAccess;
    if (state_.observer && locals < begin + frame_bytes)
      state_.observer->on_local_allocated(warp, lane, locals, begin + frame_bytes - locals);
  });
}

/// Keeps [register of the callee][lane] of the whole warp.
void CallFrames::keep_registers(uint32_t warp, uint32_t function, Index call) {
  std::vector<std::byte> kept;
  for (const Operand& operand : code_.functions[function].registers) {
    const std::byte* const from = state_.registers.get() + operand.offset + size_t{operand.stride} * warp;
    kept.insert(kept.end(), from, from + operand.stride);
  }
  lanes_[warp].keep(call, std::move(kept));
  if (HistoryRecorder* const history = executor_.history_of(warp)) history->keep(call);
}

void CallFrames::bring_back_registers(uint32_t warp, Index call, uint32_t lanes) {
  const LaneTree& tree = lanes_[warp];
  const std::byte* from = tree.kept(call).data();
  for (const Operand& operand : code_.functions[tree[call].function].registers) {
    std::byte* const to = state_.registers.get() + operand.offset + size_t{operand.stride} * warp;
    if (operand.stride == sizeof(uint32_t)) {
      uint32_t kept = 0;
      uint32_t now = 0;
      std::memcpy(&kept, from, sizeof kept);
      std::memcpy(&now, to, sizeof now);
      now = (now & ~lanes) | (kept & lanes);
      std::memcpy(to, &now, sizeof now);
    } else {
      const size_t bytes = operand.stride / size_t{kLanes};
      for_each_lane({lanes}, [&](int lane) {
        const size_t at = bytes * static_cast<size_t>(lane);
        std::memcpy(to + at, from + at, bytes);
      });
    }
    from += operand.stride;
  }
}

void CallFrames::restore(uint32_t warp, Index call, uint32_t lanes) {
  const LaneTree::Node& node = lanes_[warp][call];
  if (!node.keeps) return;
  bring_back_registers(warp, call, lanes);
  if (HistoryRecorder* const history = executor_.history_of(warp))
    history->bring_back(call, node.function, {lanes});
}

}  // namespace lanescope::emulator
