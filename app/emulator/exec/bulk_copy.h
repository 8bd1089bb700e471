// Bulk copies by one thread: cp.async.bulk and cp.reduce.async.bulk, which read one space and write or update
// another. MODEL: they access memory as 32 neighboring lanes of 16 bytes. Compiled once per instruction set,
// like lanes.h. Tests: tests/unit/emulator/async_copy_test.cpp

#pragma once

#include "emulator/exec/pieces.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {

inline const ptx::Step& program_step(const Warps& warps, const Step& step) {
  return warps.block.code.program->steps[step.index];
}

/// The step as it accesses one of its spaces: global memory is its first site, shared memory its second.
inline Step step_in(const Step& step, ptx::Space space, trace::Kind kind) {
  Step part = step;
  part.space = space;
  part.kind = kind;
  if (space == ptx::Space::Shared) ++part.site;
  return part;
}

struct BulkCopy {
  uint64_t to = 0;
  uint64_t from = 0;
  uint32_t size = 0;  // in bytes
};

/// Does one thread's copy between global and shared memory, 512 bytes at a time. `put(pieces, size)` gives
/// the Access to the target, StorePieces or the like, which is recorded as `kind`.
template <class Put>
void copy_bulk(Warps& warps, const Step& step, ptx::Space from, const BulkCopy& copy, uint32_t n,
               trace::Kind kind, Put&& put) {
  constexpr uint32_t kPiece = kMostPieceBytes;
  const Step loads = step_in(step, from, trace::Kind::Load);
  const Step puts = step_in(step, from == ptx::Space::Shared ? ptx::Space::Global : ptx::Space::Shared, kind);
  for (uint32_t done = 0; done < copy.size && !warps.block.stopped; done += kPiece * kLanes) {
    const uint32_t lanes = std::min<uint32_t>((copy.size - done) / kPiece, kLanes);
    const uint32_t mask = lanes >= kLanes ? ~uint32_t{0} : (uint32_t{1} << lanes) - 1;
    uint64_t sources[kLanes];
    uint64_t targets[kLanes];
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      sources[lane] = copy.from + done + kPiece * lane;
      targets[lane] = copy.to + done + kPiece * lane;
    }
    Pieces pieces;
    access_pieces(warps, loads, LoadPieces{pieces, kPiece}, sources, mask, n);
    access_pieces(warps, puts, put(pieces, kPiece), targets, mask, n);
  }
}
/// A copy that is recorded as a load and a store.
inline void copy_bulk(Warps& warps, const Step& step, ptx::Space from, const BulkCopy& copy, uint32_t n) {
  copy_bulk(warps, step, from, copy, n, trace::Kind::Store,
            [](const Pieces& pieces, uint32_t size) { return StorePieces{pieces, size}; });
}

/// Begins a thread's copy for the observer: its bytes have been written, and it is under way from now on.
/// `kind` says what ends it. A copy that involves another block of the cluster is not reported.
inline void begin_bulk(Warps& warps, const Step& step, const BulkCopy& copy, AsyncCopy kind, uint32_t n,
                       int lane) {
  BlockState& block = warps.block;
  const bool to_global = kind.end == AsyncCopy::End::BulkGroup;
  if (block.observer == nullptr || block.stopped || is_of_cluster(block, to_global ? copy.from : copy.to))
    return;
  kind.step = step.index;
  kind.thread = (warps.first + n) * kLanes + static_cast<uint32_t>(lane);
  kind.to = copy.to;
  kind.from = copy.from;
  kind.size = kind.source_size = copy.size;
  block.observer->on_copy_begun(kind);
  if (to_global) {
    block.copies.add(kind);
  } else {
    block.copies.add_to_phase(kind);
  }
}

/// The address that operand `source` gives with its offset, which for the first is the step's constant and
/// for the others, which are [b] and [m], is in the step's list.
inline uint64_t bulk_address(const Warps& warps, const Step& step, size_t source, uint32_t n, int lane) {
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Step& from = program_step(warps, step);
  const bool is_word = program.slots[from.source[source]].width == ptx::SlotWidth::Word;
  const uint64_t base = is_word ? uint64_t{cells<const uint32_t>(warps, step.source[source], n)[lane]}
                                : cells<const uint64_t>(warps, step.source[source], n)[lane];
  const uint32_t place = from.list + (source == 1 ? 0 : 1);
  const int32_t offset = source == 0 ? step.immediate : static_cast<int32_t>(program.lists[place]);
  return base + static_cast<uint64_t>(int64_t{offset});
}

/// Calls f(copy, n, lane) for the threads that execute, one after the other, until the block is stopped.
template <class F>
void for_each_bulk_copy(Warps& warps, const Step& step, F&& f) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for_each_lane({mask}, [&](int lane) {
      if (warps.block.stopped) return;
      const BulkCopy copy{.to = bulk_address(warps, step, 0, n, lane),
                          .from = bulk_address(warps, step, 1, n, lane),
                          .size = cells<const uint32_t>(warps, step.source[2], n)[lane]};
      if (copy.size % kMostPieceBytes != 0) {
        warps.block.report(trace::HazardKind::Misaligned, step,
                           (warps.first + n) * kLanes + static_cast<uint32_t>(lane),
                           "copies a number of bytes that is not a multiple of 16; round it up");
        return;
      }
      f(copy, n, lane);
    });
  });
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
