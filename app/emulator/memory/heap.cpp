#include "emulator/memory/heap.h"

#include <iterator>

namespace lanescope::emulator {

void Heap::reset(uint64_t begin) {
  const std::scoped_lock lock(mutex_);
  begin_ = begin;
  used_.clear();
  free_.clear();
  freed_.clear();
  gives_again_ = false;
  if (begin != 0) free_.emplace(0, kSizeBytes);
}

uint64_t Heap::allocate(uint64_t bytes) {
  constexpr uint64_t kAlignment = 16;
  constexpr uint64_t kGap = 16;
  const std::scoped_lock lock(mutex_);
  if (bytes == 0 || bytes > kSizeBytes) return 0;
  const uint64_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap;
  if (const uint64_t address = take(room, bytes); address != 0) return address;
  join_freed();
  return take(room, bytes);
}

/// The first free piece that is large enough; 0 if there is none.
uint64_t Heap::take(uint64_t room, uint64_t bytes) {
  for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
    const auto [offset, size] = *piece;
    if (size < room) continue;
    free_.erase(piece);
    if (size > room) free_.emplace(offset + room, size - room);
    used_.insert_or_assign(offset, Piece{room, bytes});
    return begin_ + offset;
  }
  return 0;
}

/// What was freed is free, one piece with its neighbors.
void Heap::join_freed() {
  if (freed_.empty()) return;
  gives_again_.store(true, std::memory_order_relaxed);
  for (const auto& [offset, piece] : freed_) free_.emplace(offset, piece.room);
  freed_.clear();
  for (auto piece = free_.begin(); piece != free_.end();) {
    const auto next = std::next(piece);
    if (next != free_.end() && piece->first + piece->second == next->first) {
      piece->second += next->second;
      free_.erase(next);
    } else {
      piece = next;
    }
  }
}

bool Heap::free(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  if (address == 0) return true;
  const auto found = used_.find(address - begin_);
  if (found == used_.end()) return false;
  freed_.insert(*found);
  used_.erase(found);
  return true;
}

std::optional<HeapFault> Heap::fault_at(uint64_t address, uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  const uint64_t offset = address - begin_;
  /// The piece that begins at or before the offset, of those whose room it is in.
  const auto piece_in = [&](const std::map<uint64_t, Piece>& pieces) {
    auto at = pieces.upper_bound(offset);
    if (at == pieces.begin()) return pieces.end();
    --at;
    return offset - at->first < at->second.room ? at : pieces.end();
  };
  if (const auto live = piece_in(used_); live != used_.end()) {
    const uint64_t within = offset - live->first;
    if (within + bytes <= live->second.bytes) return std::nullopt;
    return HeapFault{.is_freed = false, .offset = within, .piece_bytes = live->second.bytes};
  }
  if (const auto freed = piece_in(freed_); freed != freed_.end())
    return HeapFault{.is_freed = true, .offset = offset - freed->first, .piece_bytes = freed->second.bytes};
  return HeapFault{};
}

}  // namespace lanescope::emulator
