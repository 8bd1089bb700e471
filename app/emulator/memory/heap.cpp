#include "emulator/memory/heap.h"

#include <iterator>
#include <utility>

namespace lanescope::emulator {

void Heap::reset(uint64_t begin, uint64_t size_bytes) {
  const std::scoped_lock lock(mutex_);
  begin_ = begin;
  size_bytes_ = size_bytes;
  pieces_ = {};
  gives_again_ = false;
  if (begin != 0) pieces_.free.emplace(0, size_bytes);
}

void Heap::begin_run() {
  const std::scoped_lock lock(mutex_);
  ++run_;
  gives_again_ = false;
}

Heap::Pieces Heap::pieces() {
  const std::scoped_lock lock(mutex_);
  return pieces_;
}

void Heap::set_pieces(Pieces pieces) {
  const std::scoped_lock lock(mutex_);
  pieces_ = std::move(pieces);
}

bool Heap::is_of_earlier_run(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  const uint64_t offset = address - begin_;
  auto at = pieces_.used.upper_bound(offset);
  if (at == pieces_.used.begin()) return false;
  --at;
  return offset - at->first < at->second.room && at->second.run < run_;
}

uint64_t Heap::allocate(uint64_t bytes) {
  constexpr uint64_t kAlignment = 16;
  constexpr uint64_t kGap = 16;
  const std::scoped_lock lock(mutex_);
  if (bytes == 0 || bytes > size_bytes_) return 0;
  const uint64_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap;
  if (const uint64_t address = take(room, bytes); address != 0) return address;
  join_freed();
  return take(room, bytes);
}

/// The first free piece that is large enough; 0 if there is none.
uint64_t Heap::take(uint64_t room, uint64_t bytes) {
  for (auto piece = pieces_.free.begin(); piece != pieces_.free.end(); ++piece) {
    const auto [offset, size] = *piece;
    if (size < room) continue;
    pieces_.free.erase(piece);
    if (size > room) pieces_.free.emplace(offset + room, size - room);
    pieces_.used.insert_or_assign(offset, Piece{room, bytes, run_});
    return begin_ + offset;
  }
  return 0;
}

/// Makes freed pieces available again, and joins neighboring free pieces.
void Heap::join_freed() {
  if (pieces_.freed.empty()) return;
  gives_again_.store(true, std::memory_order_relaxed);
  for (const auto& [offset, piece] : pieces_.freed) pieces_.free.emplace(offset, piece.room);
  pieces_.freed.clear();
  for (auto piece = pieces_.free.begin(); piece != pieces_.free.end();) {
    const auto next = std::next(piece);
    if (next != pieces_.free.end() && piece->first + piece->second == next->first) {
      piece->second += next->second;
      pieces_.free.erase(next);
    } else {
      piece = next;
    }
  }
}

bool Heap::free(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  if (address == 0) return true;
  const auto found = pieces_.used.find(address - begin_);
  if (found == pieces_.used.end()) return false;
  pieces_.freed.insert(*found);
  pieces_.used.erase(found);
  return true;
}

std::optional<HeapFault> Heap::fault_at(uint64_t address, uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  const uint64_t offset = address - begin_;
  /// Piece whose room the offset is in; the end of `pieces` if there is none.
  const auto piece_in = [&](const std::map<uint64_t, Piece>& pieces) {
    auto at = pieces.upper_bound(offset);
    if (at == pieces.begin()) return pieces.end();
    --at;
    return offset - at->first < at->second.room ? at : pieces.end();
  };
  if (const auto live = piece_in(pieces_.used); live != pieces_.used.end()) {
    const uint64_t within = offset - live->first;
    if (within + bytes <= live->second.bytes) return std::nullopt;
    return HeapFault{.is_freed = false, .offset = within, .piece_bytes = live->second.bytes};
  }
  if (const auto freed = piece_in(pieces_.freed); freed != pieces_.freed.end())
    return HeapFault{.is_freed = true, .offset = offset - freed->first, .piece_bytes = freed->second.bytes};
  return HeapFault{};
}

}  // namespace lanescope::emulator
