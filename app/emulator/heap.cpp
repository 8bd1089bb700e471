#include "emulator/heap.h"

#include <iterator>

namespace lanescope::emulator {

void Heap::reset(uint64_t begin) {
  const std::scoped_lock lock(mutex_);
  begin_ = begin;
  used_.clear();
  free_.clear();
  if (begin != 0) free_.emplace(0, kSizeBytes);
}

uint64_t Heap::allocate(uint64_t bytes) {
  constexpr uint64_t kAlignment = 16;
  const std::scoped_lock lock(mutex_);
  if (bytes == 0 || bytes > kSizeBytes) return 0;
  const uint64_t wanted = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
    const auto [offset, size] = *piece;
    if (size < wanted) continue;
    free_.erase(piece);
    if (size > wanted) free_.emplace(offset + wanted, size - wanted);
    used_.emplace(offset, wanted);
    return begin_ + offset;
  }
  return 0;
}

bool Heap::free(uint64_t address) {
  const std::scoped_lock lock(mutex_);
  if (address == 0) return true;
  const auto found = used_.find(address - begin_);
  if (found == used_.end()) return false;
  auto piece = free_.insert(*found).first;
  used_.erase(found);
  // With its neighbours it is one piece.
  if (const auto next = std::next(piece);
      next != free_.end() && piece->first + piece->second == next->first) {
    piece->second += next->second;
    free_.erase(next);
  }
  if (piece != free_.begin()) {
    const auto before = std::prev(piece);
    if (before->first + before->second == piece->first) {
      before->second += piece->second;
      free_.erase(piece);
    }
  }
  return true;
}

}  // namespace lanescope::emulator
