// Stamps of the granules of global memory that a block has accessed: pages of 32, found by a hash of the
// address. Method: open addressing; entries and stamps of earlier blocks are recognized by their number and
// need no clearing. A gather may access 32 pages at a time. The slots of the table and the pages, which are
// read for each of them, are small and without the stamps: so they stay in the CPU's cache. Tests:
// tests/unit/emulator/race_test.cpp

#pragma once

#include "emulator/checks/stamp.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::emulator {

struct ShadowPage {
  static constexpr int kShift = 5;
  static constexpr uint32_t kGranules = 1 << kShift;
  struct alignas(64) Stamps {
    Stamp written[kGranules];
    Stamp read[kGranules];
    Stamp read_too[kGranules];
  };
  Stamps* stamps = nullptr;
  uint64_t key = 0;  // number of its first granule / kGranules
  // Granules that the block accessed since its last visit to GridShadow, as masks. `was_updated`: by atomics
  // and the like; the others: by plain accesses.
  uint32_t was_written = 0, was_read = 0, was_updated = 0;

  Cells at(uint64_t granule) const {
    const uint64_t n = granule % kGranules;
    return {stamps->written + n, stamps->read + n, stamps->read_too + n};
  }
};

class ShadowPages {
 public:
  /// A block may access this many pages; further accesses are not checked.
  static constexpr size_t kMaximum = size_t{1} << 18;

  ShadowPages();

  /// Forgets all pages. Stamps stay, so the block's numbers must be higher than those before.
  void begin();
  /// Calls f(stamps) for all pages that there have been: later blocks may use them with their stamps.
  template <class F>
  void for_each_ever(F&& f) {
    for (auto& slab : slabs_)
      for (size_t n = 0; n < kSlab; ++n) f(slab[n]);
  }
  /// Pointers to the pages, valid until find() makes a page. For several look-ups they can stay in CPU
  /// registers.
  struct Table {
    struct Slot {
      uint32_t round = 0;
      uint32_t page = 0;
    };
    const Slot* slots = nullptr;
    ShadowPage* pages = nullptr;
    int shift = 0;  // of a hash to a slot
    uint32_t round = 0;
    /// Page with this key; null if it is not in the first slot of its hash.
    ShadowPage* find(uint64_t key) const {
      const Slot slot = slots[hash(key) >> shift];
      ShadowPage& page = pages[slot.page];
      return slot.round == round && page.key == key ? &page : nullptr;
    }
  };
  Table table() { return {slots_.data(), pages_.data(), shift_, round_}; }
  /// Page with this key, made if there is none; valid until the next find(). Null if there are too many
  /// pages.
  ShadowPage* find(uint64_t key) {
    ShadowPage* const page = table().find(key);
    return page != nullptr ? page : search(key);
  }

  size_t size() const { return used_; }
  ShadowPage& operator[](size_t n) { return pages_[n]; }  // in the order of first access

 private:
  static constexpr size_t kSlab = 256;
  using Slot = Table::Slot;
  static uint64_t hash(uint64_t key) { return key * 0x9e3779b97f4a7c15u; }
  ShadowPage* search(uint64_t key);
  void grow();
  void add_slab();

  std::vector<Slot> slots_;
  int shift_ = 0;
  uint32_t round_ = 1;
  size_t used_ = 0;
  std::vector<ShadowPage> pages_;  // [0, used_): of the block; the others: of earlier blocks
  std::vector<std::unique_ptr<ShadowPage::Stamps[]>> slabs_;
};

}  // namespace lanescope::emulator
