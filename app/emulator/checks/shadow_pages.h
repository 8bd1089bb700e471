// Stamps of the granules of global memory that a block has accessed: pages of 32, found by a hash of the
// address. Method: open addressing; entries and stamps of earlier blocks are recognized by their number and
// need no clearing. A gather accesses 32 pages at a time, so the data that it reads for each of them, slots
// of the table and pages without their stamps, is kept small and together: it stays in the CPU's cache.
// Tests: tests/unit/emulator/race_test.cpp

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
  // Accesses since the block's last visit to GridShadow, a bit for each granule: plain writes and reads, and
  // updates by atomics and the like.
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
  /// Calls f(stamps) for the pages of this block and of all earlier ones: their stamps count as long as
  /// numbers rise.
  template <class F>
  void for_each_ever(F&& f) {
    for (auto& slab : slabs_)
      for (size_t n = 0; n < kSlab; ++n) f(slab[n]);
  }
  /// Table of the pages, valid until find() makes a page. For several look-ups it can stay in registers of
  /// the CPU.
  struct Table {
    struct Slot {
      uint32_t round = 0;
      uint32_t page = 0;
    };
    const Slot* slots = nullptr;
    ShadowPage* pages = nullptr;
    int shift = 0;  // of a hash to a slot
    uint32_t round = 0;
    /// Page of this key if the first slot of its hash has it; else null.
    ShadowPage* find(uint64_t key) const {
      const Slot slot = slots[hash(key) >> shift];
      ShadowPage& page = pages[slot.page];
      return slot.round == round && page.key == key ? &page : nullptr;
    }
  };
  Table table() { return {slots_.data(), pages_.data(), shift_, round_}; }
  /// Page of this key, valid until the next find(); null when there are too many pages.
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
  std::vector<ShadowPage> pages_;  // [0, used_), and those of blocks before
  std::vector<std::unique_ptr<ShadowPage::Stamps[]>> slabs_;
};

}  // namespace lanescope::emulator
