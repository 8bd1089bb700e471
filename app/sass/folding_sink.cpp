#include "sass/folding_sink.h"

#include "base/lane_mask.h"

#include <algorithm>
#include <bit>

namespace lanescope::sass {

FoldingSink::FoldingSink(const Match& match, trace::CostFunction cost, trace::Sink& inner)
    : match_(match), cost_(cost), inner_(inner), totals_(match.merged.size()) {}

bool FoldingSink::begin_block(CtaId cta) {
  close_all();
  return inner_.begin_block(cta);
}
bool FoldingSink::begin_batch(CtaId first, trace::BatchOrder order) {
  close_all();
  return inner_.begin_batch(first, order);
}
void FoldingSink::suspend_block() {
  close_all();
  inner_.suspend_block();
}
void FoldingSink::resume_block(CtaId cta) {
  close_all();
  inner_.resume_block(cta);
}

void FoldingSink::on_access(const trace::WarpAccess& access) {
  inner_.on_access(access);
  const uint32_t merged = match_.sites[access.site.value].merged;
  if (merged != SiteMatch::kNone) fold(access, merged);
}

void FoldingSink::on_group(const trace::GroupAccess& group) {
  inner_.on_group(group);
  const uint32_t merged = match_.sites[group.site.value].merged;
  if (merged == SiteMatch::kNone) return;
  for (uint32_t n = 0; n < group.count; ++n)
    if (group.lanes_of(n).bits != 0) fold(group.at(n), merged);
}

/// Counts the access as an instruction makes it that moves a part of its bytes.
void FoldingSink::count_part(const trace::WarpAccess& access, const MergedAccess& part,
                             FoldedTotals& totals) {
  std::array<uint64_t, kLanes> list{};
  size_t count = 0;
  trace::for_each_address(access,
                          [&](int, int, uint64_t address) { list[count++] = address + part.first_byte; });
  trace::WarpAccess narrow = access;
  narrow.operation.bytes_per_lane = static_cast<uint8_t>(part.bytes);
  narrow.addresses = {.list = list.data()};
  totals.totals.add(narrow, cost_(narrow));
}

void FoldingSink::fold(const trace::WarpAccess& access, uint32_t merged) {
  const uint32_t width = match_.merged[merged].bytes;
  const uint32_t bytes = access.operation.bytes_per_lane;
  if (bytes > width) return count_part(access, match_.merged[merged], totals_[merged]);
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
  if (!is_even || place + bytes > width) ++totals_[merged].uneven;
  window.bytes = static_cast<uint32_t>(((uint64_t{1} << std::min(bytes, width)) - 1) << place);
  const uint32_t full = static_cast<uint32_t>((uint64_t{1} << width) - 1);
  window.bytes &= full;

  Windows& open = open_[{merged, access.warp.value}];
  const auto same = std::ranges::find_if(open, [&](const Window& other) {
    return other.lanes == window.lanes && other.address == window.address;
  });
  if (same != open.end()) {
    const bool comes_twice = (same->bytes & window.bytes) != 0;
    if (comes_twice) close(*same, merged);
    same->bytes = comes_twice ? window.bytes : same->bytes | window.bytes;
    if (same->bytes != full) return;
    close(*same, merged);
    open.erase(same);
    return;
  }
  if (window.bytes == full) return close(window, merged);
  if (open.size() == kMostOpen) {
    close(open.front(), merged);
    open.erase(open.begin());
  }
  open.push_back(window);
}

/// Counts an access to the bytes of the window: by the narrowest copy that holds those that were accessed.
void FoldingSink::close(const Window& window, uint32_t merged) {
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
  std::array<uint64_t, kLanes> list{};
  size_t count = 0;
  for_each_lane({window.lanes},
                [&](int lane) { list[count++] = window.address[static_cast<size_t>(lane)] + first; });
  const trace::WarpAccess access{
      .site = {its.sites.front()},
      .cta = {},
      .warp = {},
      .step = 0,
      .active = {window.lanes},
      .operation = {its.space, its.kind, static_cast<uint8_t>(bytes)},
      .addresses = {.list = list.data()},
  };
  totals_[merged].totals.add(access, cost_(access));
}

void FoldingSink::close_all() {
  for (const auto& [key, windows] : open_)
    for (const Window& window : windows) close(window, key.first);
  open_.clear();
}

const std::vector<FoldedTotals>& FoldingSink::finish() {
  close_all();
  return totals_;
}

}  // namespace lanescope::sass
