// mbarrier instructions. Waiting does not block: the test fails until the phase is complete, and the warps
// take turns. Source: PTX ISA, "Parallel Synchronization: mbarrier". Tests:
// tests/unit/emulator/mbarrier_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/mbarrier_access.h"

#include <optional>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::Op;

const ptx::Step& program_step(const Warps& warps, const Step& step) {
  return warps.block.code.program->steps[step.index];
}

template <Op op>
void change(Mbarrier& barrier, uint32_t b) {
  switch (op) {
    case Op::mbarrier_init:
      barrier = {.pending = b, .expected = b, .bytes = 0, .phase = 0};
      break;
    case Op::mbarrier_inval:
      barrier = {};
      break;
    case Op::mbarrier_expect_tx:
      barrier.bytes += static_cast<int32_t>(b);
      break;
    case Op::mbarrier_complete_tx:
      barrier.bytes -= static_cast<int32_t>(b);
      barrier.complete();
      break;
    case Op::mbarrier_arrive:
      barrier.arrive(b);
      break;
    case Op::mbarrier_arrive_expect_tx:
      barrier.bytes += static_cast<int32_t>(b);
      barrier.arrive(1);
      break;
    case Op::mbarrier_arrive_no_complete:
      barrier.pending -= b;
      break;
    case Op::mbarrier_arrive_drop:
      barrier.expected -= b;
      barrier.arrive(b);
      break;
    case Op::mbarrier_arrive_drop_expect_tx:
      barrier.bytes += static_cast<int32_t>(b);
      barrier.expected -= 1;
      barrier.arrive(1);
      break;
    case Op::mbarrier_arrive_drop_no_complete:
      barrier.expected -= b;
      barrier.pending -= b;
      break;
    default:
      break;
  }
}

template <Op op>
void change_barrier(Warps& warps, const Step& step) {
  // Without a count one thread arrives.
  const bool has_operand = program_step(warps, step).source[1] != ptx::kNoSlot;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const auto* b = cells<const uint32_t>(warps, step.source[1], n);
    auto* state = cells<uint64_t>(warps, step.destination[0], n);
    std::optional<uint64_t> released;  // offset of the mbarrier that the lane before released
    for_each_barrier(warps, step, mask, n, [&](int lane, const MbarrierPlace& place) {
      AccessObserver* const observer = warps.block.observer;
      if (observer != nullptr && place.is_remote) {
        observer->on_cluster_signal();
      } else if (observer != nullptr && released != place.offset) {
        observer->on_release(ptx::Space::Shared, place.offset, warps.first + n);
        released = place.offset;
      }
      const uint32_t operand = has_operand ? b[lane] : 1;
      const uint64_t before =
          change_mbarrier(place, [&](Mbarrier& barrier) { change<op>(barrier, operand); });
      const bool arrives = op != Op::mbarrier_init && op != Op::mbarrier_inval &&
                           op != Op::mbarrier_expect_tx && op != Op::mbarrier_complete_tx;
      if (arrives) state[lane] = before;
    });
  });
}

/// Sets the predicate of each lane: true if the phase, given as a state or a parity, is over.
template <bool by_parity>
void test_barrier(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    uint32_t over = 0;
    std::optional<uint64_t> acquired;  // offset of the mbarrier that the lane before acquired
    for_each_barrier(warps, step, mask, n, [&](int lane, const MbarrierPlace& place) {
      const uint32_t phase = phase_of(place);
      bool is_over = false;
      if constexpr (by_parity) {
        is_over = (phase & 1) != (cells<const uint32_t>(warps, step.source[1], n)[lane] & 1);
      } else {
        is_over = phase != Mbarrier::decode(cells<const uint64_t>(warps, step.source[1], n)[lane]).phase;
      }
      over |= uint32_t{is_over} << lane;
      AccessObserver* const observer = warps.block.observer;
      if (!is_over || observer == nullptr || acquired == place.offset) return;
      acquired = place.offset;
      if (!place.is_remote)
        warps.block.copies.end_phases(place.offset, phase,
                                      [&](const AsyncCopy& copy) { observer->on_copy_ended(copy); });
      observer->on_acquire(ptx::Space::Shared, place.offset, warps.first + n);
    });
    warps.block.note_wait(trace::Wait::Kind::Phase, step.index, warps.first + n, {over});
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, false, over);
  });
}

struct PendingCount {
  constexpr uint32_t operator()(uint64_t state) const { return Mbarrier::decode(state).pending; }
};

}  // namespace

Handler mbarrier_handler(const ptx::Program&, const ptx::Step& step) {
  switch (step.op) {
    case Op::mbarrier_init:
      return change_barrier<Op::mbarrier_init>;
    case Op::mbarrier_inval:
      return change_barrier<Op::mbarrier_inval>;
    case Op::mbarrier_expect_tx:
      return change_barrier<Op::mbarrier_expect_tx>;
    case Op::mbarrier_complete_tx:
      return change_barrier<Op::mbarrier_complete_tx>;
    case Op::mbarrier_arrive:
      return change_barrier<Op::mbarrier_arrive>;
    case Op::mbarrier_arrive_expect_tx:
      return change_barrier<Op::mbarrier_arrive_expect_tx>;
    case Op::mbarrier_arrive_no_complete:
      return change_barrier<Op::mbarrier_arrive_no_complete>;
    case Op::mbarrier_arrive_drop:
      return change_barrier<Op::mbarrier_arrive_drop>;
    case Op::mbarrier_arrive_drop_expect_tx:
      return change_barrier<Op::mbarrier_arrive_drop_expect_tx>;
    case Op::mbarrier_arrive_drop_no_complete:
      return change_barrier<Op::mbarrier_arrive_drop_no_complete>;
    case Op::mbarrier_test_wait:
    case Op::mbarrier_try_wait:
      return test_barrier<false>;
    case Op::mbarrier_test_wait_parity:
    case Op::mbarrier_try_wait_parity:
      return test_barrier<true>;
    case Op::mbarrier_pending_count:
      return map<PendingCount, uint32_t, uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
