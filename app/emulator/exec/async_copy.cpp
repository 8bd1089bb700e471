// cp.async and cp.async.bulk. The bytes of cp.async are written when the copy is waited for, or at
// cp.async.mbarrier.arrive; those of cp.async.bulk are written at once, and counted by the mbarrier. For the
// checks both are under way until what ends them was waited for (async_copies.h). Source: PTX ISA, "Data
// Movement: cp.async, cp.async.bulk". MODEL: a bulk copy goes to memory in accesses of 32 neighbors of 16
// bytes. Tests: tests/unit/emulator/async_copy_test.cpp

#include "emulator/exec/bulk_copy.h"
#include "emulator/exec/executor.h"
#include "emulator/exec/mbarrier_access.h"

#include <algorithm>
#include <optional>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::Op;

/// Store of cp.async to shared memory: recorded now, written when it is waited for.
struct StoreLater : StorePieces {
  const uint64_t* from;         // [lane] address of the source
  const uint32_t* source_size;  // [lane] in bytes

  void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
            uint32_t n) const {
    for_each_lane({addresses.mask}, [&](int lane) {
      AsyncCopy copy{.step = step.index,
                     .thread = (warps.first + n) * kLanes + static_cast<uint32_t>(lane),
                     .to = addresses.at(lane),
                     .from = from[lane],
                     .size = size,
                     .source_size = source_size[lane]};
      std::copy_n(pieces.bytes[lane], size, copy.bytes.begin());
      if (warps.block.observer != nullptr) warps.block.observer->on_copy_begun(copy);
      warps.block.copies.add(copy);
    });
  }
};

void write(BlockState& block, const AsyncCopy& copy) {
  std::memcpy(block.shared.data() + copy.to, copy.bytes.data(), copy.size);
}

/// Reads `size[lane]` bytes of each lane; the rest of the piece stays zero. Lanes of one size are read
/// together, in parts of the largest power of two that divides the size.
void read_sources(Warps& warps, const Step& step, const uint64_t* from, const uint32_t* size, uint32_t mask,
                  uint32_t n, Pieces& pieces) {
  const Step loads = step_in(step, ptx::Space::Global, step.kind);
  for (uint32_t rest = mask; rest != 0;) {
    const uint32_t bytes = size[std::countr_zero(rest)];
    uint32_t same = 0;
    for_each_lane({rest}, [&](int lane) { same |= uint32_t{size[lane] == bytes} << lane; });
    rest &= ~same;
    if (bytes == 0) continue;
    const uint32_t piece = bytes & (~bytes + 1);
    for (uint32_t done = 0; done < bytes; done += piece) {
      uint64_t addresses[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) addresses[lane] = from[lane] + done;
      Pieces part;
      access_pieces(warps, loads, LoadPieces{part, piece}, addresses, same, n);
      for_each_lane({same},
                    [&](int lane) { std::copy_n(part.bytes[lane], piece, pieces.bytes[lane] + done); });
    }
  }
}

enum class LastOperand : uint8_t { None, SourceBytes, IgnoreSource };

template <LastOperand last>
void copy_later(Warps& warps, const Step& step) {
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Step& from_program = program_step(warps, step);
  const auto source_offset = static_cast<int32_t>(program.lists[from_program.list]);
  const uint32_t bytes = program.lists[from_program.list + 1];
  const bool source_is_word = program.slots[from_program.source[1]].width == ptx::SlotWidth::Word;
  const uint32_t flip = step.negated & 4 ? ~uint32_t{0} : 0;  // `!` before the predicate
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    if (mask == 0 || warps.block.stopped) return;
    uint64_t to[kLanes];
    uint64_t from[kLanes];
    uint32_t size[kLanes];
    read_operand(warps, step.source[0], step.address_is_word, n, to);
    read_operand(warps, step.source[1], source_is_word, n, from);
    for (int lane = 0; lane < kLanes; ++lane) {
      to[lane] += static_cast<uint64_t>(int64_t{step.immediate});
      from[lane] += static_cast<uint64_t>(int64_t{source_offset});
      size[lane] = bytes;
      if constexpr (last == LastOperand::SourceBytes)
        size[lane] = std::min(bytes, cells<const uint32_t>(warps, step.source[2], n)[lane]);
      if constexpr (last == LastOperand::IgnoreSource)
        size[lane] = (*cells<const uint32_t>(warps, step.source[2], n) ^ flip) >> lane & 1 ? 0 : bytes;
    }
    Pieces pieces;
    read_sources(warps, step, from, size, mask, n, pieces);
    const StoreLater store{{pieces, bytes}, from, size};
    AccessData data = data_of(store, bytes);
    for_each_lane({mask}, [&](int lane) { data.reading |= uint32_t{size[lane] != 0} << lane; });
    data.source = from;
    access_addresses(warps, step_in(step, ptx::Space::Shared, step.kind), to, mask, n, data);
  });
}

/// Calls f(thread) for the threads that execute.
template <class F>
void for_each_thread(Warps& warps, const Step& step, F&& f) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for_each_lane({mask}, [&](int lane) { f((warps.first + n) * kLanes + static_cast<uint32_t>(lane)); });
  });
}

template <AsyncCopy::End end>
void commit_group(Warps& warps, const Step& step) {
  for_each_thread(warps, step, [&](uint32_t thread) { warps.block.copies.commit(thread, end); });
}

/// Completes a copy that was waited for. A cp.async of a commit group is written now; other copies were
/// written already.
void land(BlockState& block, const AsyncCopy& copy) {
  if (copy.end == AsyncCopy::End::Group) write(block, copy);
  if (block.observer != nullptr) block.observer->on_copy_ended(copy);
}

void note_waits(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    warps.block.note_wait(trace::Wait::Kind::Copies, step.index, warps.first + n, {mask});
  });
}

template <AsyncCopy::End end>
void wait_group(Warps& warps, const Step& step) {
  const auto left = static_cast<uint32_t>(step.immediate);
  const bool for_reads = warps.block.code.program->modifiers[program_step(warps, step).modifiers].source_only;
  for_each_thread(warps, step, [&](uint32_t thread) {
    if (for_reads) return warps.block.copies.wait_for_reads(thread, step.index, left);
    warps.block.copies.wait_groups(thread, end, step.index, left,
                                   [&](const AsyncCopy& copy) { land(warps.block, copy); });
  });
  note_waits(warps, step);
}
void wait_all(Warps& warps, const Step& step) {
  for_each_thread(warps, step, [&](uint32_t thread) {
    warps.block.copies.wait_all(thread, [&](const AsyncCopy& copy) { land(warps.block, copy); });
  });
  note_waits(warps, step);
}

/// Writes the thread's copies now; they end with the current phase of the mbarrier. Without .noinc (`arrives`
/// is false) PTX first adds the arrival to the pending count, so that the count stays as it is.
template <bool arrives>
void arrive_when_copied(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    std::optional<uint64_t> released;  // offset of the mbarrier that the lane before released
    for_each_barrier(warps, step, mask, n, [&](int lane, const MbarrierPlace& place) {
      BlockState& block = warps.block;
      const uint32_t thread = (warps.first + n) * kLanes + static_cast<uint32_t>(lane);
      block.copies.take_open(thread, [&](AsyncCopy copy) {
        write(block, copy);
        copy.end = AsyncCopy::End::Phase;
        copy.barrier = place.offset;
        copy.phase = phase_of(place);
        if (block.observer != nullptr) block.copies.add_to_phase(copy);
      });
      if (block.observer != nullptr && released != place.offset) {
        block.observer->on_release(ptx::Space::Shared, place.offset, warps.first + n);
        released = place.offset;
      }
      if (arrives) change_mbarrier(place, [](Mbarrier& barrier) { barrier.arrive(1); });
    });
  });
}

template <bool to_shared>
void copy_bulk_of_lanes(Warps& warps, const Step& step) {
  for_each_bulk_copy(warps, step, [&](const BulkCopy& copy, uint32_t n, int lane) {
    if constexpr (to_shared) {
      copy_bulk(warps, step, ptx::Space::Global, copy, n);
      Step barrier = step;
      barrier.space = ptx::Space::Shared;
      barrier.shared_first = 0;  // the step's bounds are those of the destination array
      barrier.shared_end = warps.block.code.shared_bytes;
      const MbarrierPlace place =
          find_mbarrier(warps.block, barrier, bulk_address(warps, step, 3, n, lane), warps.first + n, lane);
      if (place.object == nullptr) return;
      if (!place.is_remote)
        begin_bulk(warps, step, copy,
                   {.end = AsyncCopy::End::Phase, .barrier = place.offset, .phase = phase_of(place)}, n,
                   lane);
      if (warps.block.observer != nullptr)
        warps.block.observer->on_release(ptx::Space::Shared, place.offset, warps.first + n);
      change_mbarrier(place, [&](Mbarrier& its) {
        its.bytes -= static_cast<int32_t>(copy.size);
        its.complete();
      });
    } else {
      copy_bulk(warps, step, ptx::Space::Shared, copy, n);
      begin_bulk(warps, step, copy, {.end = AsyncCopy::End::BulkGroup}, n, lane);
    }
  });
}

void do_nothing(Warps&, const Step&) {}

}  // namespace

Handler async_copy_handler(const ptx::Program& program, const ptx::Step& step) {
  switch (step.op) {
    case Op::cp_async:
      if (step.source[2] == ptx::kNoSlot) return copy_later<LastOperand::None>;
      return program.slots[step.source[2]].width == ptx::SlotWidth::Predicate
                 ? copy_later<LastOperand::IgnoreSource>
                 : copy_later<LastOperand::SourceBytes>;
    case Op::cp_async_commit_group:
      return commit_group<AsyncCopy::End::Group>;
    case Op::cp_async_wait_group:
      return wait_group<AsyncCopy::End::Group>;
    case Op::cp_async_wait_all:
      return wait_all;
    case Op::cp_async_mbarrier_arrive:
      return program.modifiers[step.modifiers].no_increment ? arrive_when_copied<true>
                                                            : arrive_when_copied<false>;
    case Op::cp_async_bulk_to_shared:
      return copy_bulk_of_lanes<true>;
    case Op::cp_async_bulk_to_global:
      return copy_bulk_of_lanes<false>;
    case Op::cp_async_bulk_commit_group:
      return commit_group<AsyncCopy::End::BulkGroup>;
    case Op::cp_async_bulk_wait_group:
      return wait_group<AsyncCopy::End::BulkGroup>;
    case Op::cp_async_bulk_prefetch:
      return do_nothing;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
