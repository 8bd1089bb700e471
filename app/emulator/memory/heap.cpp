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
  const std::scoped_lock lock(mutex_);
  if (bytes == 0 || bytes > kSizeBytes) return 0;
  const uint64_t wanted = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (const uint64_t address = take(wanted); address != 0) return address;
  join_freed();
  return take(wanted);
}

/// The first free piece that is large enough; 0 if there is none.
uint64_t Heap::take(uint64_t bytes) {
  for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
    const auto [offset, size] = *piece;
    if (size < bytes) continue;
    free_.erase(piece);
    if (size > bytes) free_.emplace(offset + bytes, size - bytes);
    used_.emplace(offset, bytes);
    return begin_ + offset;
  }
  return 0;
}

/// What was freed is free, one piece with its neighbors.
void Heap::join_freed() {
  if (freed_.empty()) return;
  gives_again_.store(true, std::memory_order_relaxed);
  free_.merge(freed_);
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

}  // namespace lanescope::emulator
