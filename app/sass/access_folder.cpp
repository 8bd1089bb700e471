#include "sass/access_folder.h"

#include <algorithm>
#include <bit>

namespace lanescope::sass {

trace::WarpAccess view(const FoldedAccess& folded) {
  return {.site = folded.site,
          .cta = {},
          .warp = folded.warp,
          .step = 0,
          .active = folded.lanes,
          .operation = folded.operation,
          .addresses = {.list = folded.addresses.data()}};
}

/// The access as an instruction makes it that moves a part of its bytes.
FoldedAccess AccessFolder::part_of(const trace::WarpAccess& access, const MergedAccess& part) const {
  FoldedAccess folded{
      .site = access.site, .warp = access.warp, .lanes = access.active, .operation = access.operation};
  folded.operation.bytes_per_lane = static_cast<uint8_t>(part.bytes);
  size_t count = 0;
  trace::for_each_address(
      access, [&](int, int, uint64_t address) { folded.addresses[count++] = address + part.first_byte; });
  return folded;
}

AccessFolder::Part AccessFolder::add(const trace::WarpAccess& access, uint32_t merged,
                                     std::vector<FoldedAccess>& whole) {
  const uint32_t width = match_.merged[merged].bytes;
  const uint32_t bytes = access.operation.bytes_per_lane;
  if (bytes > width) {
    FoldedAccess part = part_of(access, match_.merged[merged]);
    part.number = count_++;
    part.merged = merged;
    whole.push_back(part);
    return {part.number, false};
  }
  Window window{.lanes = access.active.bits};
  uint64_t place = 0;
  bool is_first = true;
  bool is_even = true;
  trace::for_each_address(access, [&](int, int lane, uint64_t address) {
    window.address[static_cast<size_t>(lane)] = address / width * width;
    if (!is_first && address % width != place) is_even = false;
    place = is_first ? address % width : std::min(place, address % width);
    is_first = false;
  });
  const bool is_uneven = !is_even || place + bytes > width;
  window.bytes = static_cast<uint32_t>(((uint64_t{1} << std::min(bytes, width)) - 1) << place);
  const uint32_t full = static_cast<uint32_t>((uint64_t{1} << width) - 1);
  window.bytes &= full;

  Windows& open = open_[{merged, access.warp.value}];
  const auto same = std::ranges::find_if(open, [&](const Window& other) {
    return other.lanes == window.lanes && other.address == window.address;
  });
  if (same != open.end()) {
    const bool comes_twice = (same->bytes & window.bytes) != 0;
    if (comes_twice) {
      whole.push_back(closed(*same, merged, access.warp));
      same->number = count_++;
    }
    same->bytes = comes_twice ? window.bytes : same->bytes | window.bytes;
    const uint32_t number = same->number;
    if (same->bytes == full) {
      whole.push_back(closed(*same, merged, access.warp));
      open.erase(same);
    }
    return {number, is_uneven};
  }
  window.number = count_++;
  if (window.bytes == full) {
    whole.push_back(closed(window, merged, access.warp));
    return {window.number, is_uneven};
  }
  if (open.size() == kMostOpen) {
    whole.push_back(closed(open.front(), merged, access.warp));
    open.erase(open.begin());
  }
  open.push_back(window);
  return {window.number, is_uneven};
}

/// An access to the bytes of the window: by the narrowest copy that holds those that were accessed.
FoldedAccess AccessFolder::closed(const Window& window, uint32_t merged, WarpId warp) const {
  const MergedAccess& its = match_.merged[merged];
  uint32_t bytes = its.bytes;
  uint32_t first = 0;
  for (const uint32_t narrower : its.narrower) {
    const auto low = static_cast<uint32_t>(std::countr_zero(window.bytes)) / narrower * narrower;
    if (narrower >= its.bytes || window.bytes >> low >= uint64_t{1} << narrower) continue;
    bytes = narrower;
    first = low;
    break;
  }
  FoldedAccess folded{.number = window.number,
                      .merged = merged,
                      .site = {its.sites.front()},
                      .warp = warp,
                      .lanes = {window.lanes},
                      .operation = {its.space, its.kind, static_cast<uint8_t>(bytes)}};
  size_t count = 0;
  for_each_lane(folded.lanes, [&](int lane) {
    folded.addresses[count++] = window.address[static_cast<size_t>(lane)] + first;
  });
  return folded;
}

void AccessFolder::end(std::vector<FoldedAccess>& whole) {
  for (const auto& [key, windows] : open_)
    for (const Window& window : windows) whole.push_back(closed(window, key.first, {key.second}));
  open_.clear();
}

}  // namespace lanescope::sass
