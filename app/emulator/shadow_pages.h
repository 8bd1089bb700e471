// Stamps of the granules of global memory that a block has accessed: pages of 32, found by a hash of the
// address. Method: open addressing; entries and stamps of earlier blocks are told by their number and need no
// clearing. Tests: tests/unit/emulator/race_test.cpp

#pragma once

#include "emulator/stamp.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::emulator {

struct alignas(64) ShadowPage {
  static constexpr int kShift = 5;
  static constexpr uint32_t kGranules = 1 << kShift;
  Stamp written[kGranules];
  Stamp read[kGranules];
  Stamp read_too[kGranules];
  uint64_t key;  // number of its first granule / kGranules
  // What the block did since it last told others, a bit for each granule: plainly, or by atomics and the
  // like.
  uint32_t was_written, was_read, was_updated;

  Cells at(uint64_t granule) {
    const uint64_t n = granule % kGranules;
    return {written + n, read + n, read_too + n};
  }
};

class ShadowPages {
 public:
  /// A block may access this many pages; what it accesses beside is not checked.
  static constexpr size_t kMaximum = size_t{1} << 18;

  ShadowPages();

  /// Forgets all pages. Stamps stay, so the block's numbers must be higher than those before.
  void begin();
  /// Calls f(page) for all there have ever been: their stamps matter as long as numbers rise.
  template <class F>
  void for_each_ever(F&& f) {
    for (auto& slab : slabs_)
      for (size_t n = 0; n < kSlab; ++n) f(slab[n]);
  }
  /// The page of this key; null when there are too many.
  ShadowPage* find(uint64_t key) {
    const Slot slot = slots_[hash(key) >> shift_];
    ShadowPage& page = (*this)[slot.page];
    return slot.round == round_ && page.key == key ? &page : search(key);
  }

  size_t size() const { return used_; }
  ShadowPage& operator[](size_t n) { return slabs_[n / kSlab][n % kSlab]; }  // in the order of first access

 private:
  static constexpr size_t kSlab = 256;
  /// Small, so that the slots of many pages stay in the cache; the page itself knows its key.
  struct Slot {
    uint32_t round = 0;
    uint32_t page = 0;
  };
  static uint64_t hash(uint64_t key) { return key * 0x9e3779b97f4a7c15u; }
  ShadowPage* search(uint64_t key);
  void grow();

  std::vector<Slot> slots_;
  int shift_ = 0;  // of a hash to a slot
  uint32_t round_ = 1;
  size_t used_ = 0;
  std::vector<std::unique_ptr<ShadowPage[]>> slabs_;
};

}  // namespace lanescope::emulator
