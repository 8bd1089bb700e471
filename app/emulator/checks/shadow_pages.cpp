#include "emulator/checks/shadow_pages.h"

#include <bit>

namespace lanescope::emulator {
namespace {

constexpr size_t kFirstSlots = 1024;

}  // namespace

ShadowPages::ShadowPages() : slots_(kFirstSlots), shift_(64 - std::countr_zero(kFirstSlots)) {
  add_slab();  // an empty slot names the first page
}

void ShadowPages::add_slab() {
  slabs_.push_back(std::make_unique<ShadowPage::Stamps[]>(kSlab));
  for (size_t n = 0; n < kSlab; ++n) pages_.push_back({.stamps = &slabs_.back()[n]});
}

void ShadowPages::begin() {
  used_ = 0;
  if (++round_ != 0) return;
  slots_.assign(slots_.size(), {});
  round_ = 1;
}

ShadowPage* ShadowPages::search(uint64_t key) {
  for (auto at = static_cast<size_t>(hash(key) >> shift_);; at = (at + 1) % slots_.size()) {
    Slot& slot = slots_[at];
    if (slot.round == round_ && pages_[slot.page].key == key) return &pages_[slot.page];
    if (slot.round == round_) continue;
    if (used_ == kMaximum) return nullptr;
    if (used_ * 2 >= slots_.size()) {
      grow();
      return search(key);
    }
    if (used_ == pages_.size()) add_slab();
    slot = {round_, static_cast<uint32_t>(used_)};
    ShadowPage& page = pages_[used_++];
    page = {.stamps = page.stamps, .key = key};
    return &page;
  }
}

void ShadowPages::grow() {
  slots_.assign(slots_.size() * 2, {});
  --shift_;
  for (uint32_t n = 0; n < used_; ++n) {
    auto at = static_cast<size_t>(hash(pages_[n].key) >> shift_);
    while (slots_[at].round == round_) at = (at + 1) % slots_.size();
    slots_[at] = {round_, n};
  }
}

}  // namespace lanescope::emulator
