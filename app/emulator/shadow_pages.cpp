#include "emulator/shadow_pages.h"

#include <bit>

namespace lanescope::emulator {
namespace {

constexpr size_t kFirstSlots = 1024;

}  // namespace

ShadowPages::ShadowPages() : slots_(kFirstSlots), shift_(64 - std::countr_zero(kFirstSlots)) {}

void ShadowPages::begin() {
  ++round_;
  used_ = 0;
}

ShadowPage* ShadowPages::search(uint64_t key) {
  for (size_t at = hash(key) >> shift_;; at = (at + 1) % slots_.size()) {
    Slot& slot = slots_[at];
    if (slot.round == round_ && slot.key == key) return slot.page;
    if (slot.round == round_) continue;
    if (used_ == kMaximum) return nullptr;
    if (used_ * 2 >= slots_.size()) {
      grow();
      return search(key);
    }
    if (used_ == slabs_.size() * kSlab) slabs_.push_back(std::make_unique<ShadowPage[]>(kSlab));
    ShadowPage& page = (*this)[used_++];
    page.key = key;
    page.was_written = page.was_read = page.was_updated = 0;
    slot = {key, round_, &page};
    return &page;
  }
}

void ShadowPages::grow() {
  slots_.assign(slots_.size() * 2, {});
  --shift_;
  for (size_t n = 0; n < used_; ++n) {
    ShadowPage& page = (*this)[n];
    size_t at = hash(page.key) >> shift_;
    while (slots_[at].round == round_) at = (at + 1) % slots_.size();
    slots_[at] = {page.key, round_, &page};
  }
}

}  // namespace lanescope::emulator
