// alloca: local memory whose size is known when the kernel runs, lane by lane. A register of the thread,
// source and destination 1, has where the frames end and the bytes that are taken: ptx/lower_stack.cpp. They
// are taken from the end of local memory downward, as on a GPU (measured, an H200: dynamic_arrays of
// tests/data/h200). Source: PTX ISA, "Stack Manipulation Instructions: alloca". Tests:
// tests/unit/emulator/stack_test.cpp

#include "emulator/exec/executor.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

void report_full_stack(BlockState& block, const Step& step, uint32_t thread, uint64_t bytes, uint64_t used) {
  block.report(
      trace::HazardKind::StackOverflow, step, thread,
      fmt::format("stack overflow: alloca asks for {} bytes, and {} of the {} KiB of stack of a thread "
                  "are taken; allocate less, or outside of the loop",
                  bytes, used, ptx::kStackBytes >> 10));
}

/// T is as wide as the pointer and the size.
template <class T>
void allocate(Warps& warps, const Step& step) {
  BlockState& block = warps.block;
  const uint64_t begin = block.code.program->frame_bytes;
  const uint64_t end = block.code.program->local_bytes;
  const auto alignment = static_cast<uint64_t>(step.immediate);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    T* const pointer = cells<T>(warps, step.destination[0], n);
    uint64_t* const stack = cells<uint64_t>(warps, step.destination[1], n);
    const T* const size = cells<const T>(warps, step.source[0], n);
    const uint32_t warp = warps.first + n;
    uint64_t lowest = end;
    for_each_lane({mask}, [&](int lane) {
      const uint64_t bytes = size[lane];
      const uint64_t top = end - (stack[lane] - begin);
      const uint64_t from = bytes > top ? 0 : (top - bytes) & ~(alignment - 1);
      if (from < begin || bytes > top) {
        report_full_stack(block, step, warp * kLanes + static_cast<uint32_t>(lane), bytes,
                          stack[lane] - begin);
        return;
      }
      pointer[lane] = static_cast<T>(from);
      stack[lane] = begin + (end - from);
      lowest = std::min(lowest, from);
      if (block.observer) block.observer->on_local_allocated(warp, lane, from, bytes);
    });
    block.local.use_from(lowest);
  });
}

}  // namespace

Handler stack_handler(const ptx::Program&, const ptx::Step& step) {
  if (step.op != ptx::Op::alloca_) return nullptr;
  return ptx::size_bytes(step.type) == 8 ? allocate<uint64_t> : allocate<uint32_t>;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
