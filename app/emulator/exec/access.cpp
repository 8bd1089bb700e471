#include "emulator/exec/access.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// Hands the access to the sink. `values`: [n-th active lane][bytes], or null.
[[gnu::always_inline]] inline void record(BlockState& block, const Step& step, uint32_t site_offset,
                                          uint32_t warp, trace::Operation operation,
                                          const Addresses& addresses, const std::byte* values,
                                          const AccessData& data) {
  trace::WarpAccess access{.site = {step.site + site_offset},
                           .cta = block.cta,
                           .warp = {warp},
                           .step = block.next_access[warp]++,
                           .active = {addresses.mask},
                           .operation = operation,
                           .owner = addresses.owner,
                           .addresses = {.base = addresses.base, .stride = addresses.stride},
                           .values = values};
  uint64_t sources[kLanes];
  if (data.reading != 0) [[unlikely]] {
    int n = 0;
    for_each_lane({data.reading}, [&](int l) { sources[n++] = data.source[l]; });
    access.reading = {data.reading};
    access.source.list = sources;
  }
  if (addresses.affine) {
    block.sink->on_access(access);
  } else if (addresses.mask == kAllLanes.bits) {
    access.addresses.list = addresses.lane;
    block.sink->on_access(access);
  } else {
    uint64_t list[kLanes];
    int n = 0;
    for_each_lane({addresses.mask}, [&](int l) { list[n++] = addresses.lane[l]; });
    access.addresses.list = list;
    block.sink->on_access(access);
  }
}

/// Calls access(space, site_offset, addresses) for the part in each state space: once, unless the address is
/// generic and the lanes go to several. Site offsets are in the order of ptx::lower: global, shared, local,
/// constant.
template <class F>
[[gnu::always_inline]] inline void for_each_space(const Step& step, Addresses& addresses, F&& access) {
  if (step.space != ptx::Space::Generic) {
    access(step.space, 0u, addresses);
    return;
  }
  constexpr ptx::Space kSpaces[] = {ptx::Space::Global, ptx::Space::Shared, ptx::Space::Local,
                                    ptx::Space::Constant, ptx::Space::Parameter};
  uint32_t rest = addresses.mask;
  for (uint32_t n = 0; n < std::size(kSpaces) && rest != 0; ++n) {
    const uint64_t window = window_of(kSpaces[n]);
    uint32_t inside = 0;
    for_each_lane({rest}, [&](int l) {
      const uint64_t address = addresses.at(l);
      const uint64_t high = address >> kWindowShift;
      // An address in no window counts as a wrong global address.
      const bool hit = window == 0 ? high < kSharedWindow || high > kParameterWindow : high == window;
      inside |= uint32_t{hit} << l;
    });
    if (inside == 0) continue;
    rest &= ~inside;
    alignas(64) uint64_t local[kLanes] = {};
    for_each_lane({inside}, [&](int l) { local[l] = addresses.at(l) - (window << kWindowShift); });
    Addresses part;
    read_addresses(local, 0, inside, part);
    access(kSpaces[n], n, part);
  }
}

/// Constants and parameters are never written. Function arguments (Frame) may be a structure with gaps, so
/// only stores to them are checked.
constexpr bool is_observed(ptx::Space space, trace::Kind kind) {
  return space != ptx::Space::Constant && space != ptx::Space::Parameter &&
         (space != ptx::Space::Frame || kind == trace::Kind::Store);
}

void observe_and_move(Warps& warps, const Step& step, ptx::Space space, const Addresses& addresses,
                      const Target& target, uint32_t n, const AccessData& data) {
  AccessObserver* const observer = warps.block.observer;
  if (observer == nullptr || !is_observed(space, step.kind))
    return data.move(warps, step, addresses, target, n, data.access);
  const trace::BatchOrder order = warps.block.code.order();
  uint64_t each[kLanes];
  if (addresses.affine)
    for (int l = 0; l < kLanes; ++l) each[l] = addresses.at(l);
  const ObservedAccess access{.step = step,
                              .space = space,
                              .bytes = data.bytes,
                              .block = order.block_of(warps.first + n),
                              .warp = order.warp_of(warps.first + n),
                              .mask = addresses.mask,
                              .address = addresses.affine ? each : addresses.lane,
                              .rank = addresses.rank};
  if (observer->on_access(access)) {
    std::byte values[kLanes * kMaximumBytes];
    data.collect(warps, step, addresses, target, n, values, data.access);
    observer->on_values(access, values, target.data);
  }
  data.move(warps, step, addresses, target, n, data.access);
  observer->after_access(access);
}

/// Records one request, except for parameters and function arguments. `values`: null if no sink needs them.
[[gnu::always_inline]] inline void record_lanes(BlockState& block, const Step& step, ptx::Space space,
                                                uint32_t site, const AccessData& data, uint32_t warp,
                                                const Addresses& addresses, const std::byte* values) {
  if (space == ptx::Space::Parameter || space == ptx::Space::Frame) return;
  record(block, step, site, warp, operation_of(step, space, data.bytes), addresses, values, data);
}

/// Calls f(part) for the lanes of each buffer that global addresses go to.
template <class F>
void for_each_buffer(const Addresses& addresses, F&& f) {
  Addresses part;
  part.affine = false;
  for (uint32_t rest = addresses.mask; rest != 0; rest &= ~part.mask) {
    const uint64_t first = addresses.at(std::countr_zero(rest));
    part.mask = 0;
    for (int l = 0; l < kLanes; ++l) {
      const uint64_t address = addresses.at(l);
      const bool is_here =
          (rest >> l & 1) != 0 && address >> trace::kBufferShift == first >> trace::kBufferShift;
      part.mask |= uint32_t{is_here} << l;
      part.lane[l] = is_here ? address : first;
    }
    f(std::as_const(part));
  }
}

/// Does the access of lanes that go to several buffers, as one request. False, with nothing done, if they go
/// to one buffer, or if a lane's access is faulty.
[[gnu::noinline]] bool access_buffers(Warps& warps, const Step& step, uint32_t site,
                                      const Addresses& addresses, uint32_t n, const AccessData& data) {
  BlockState& block = warps.block;
  const uint32_t bytes = data.bytes;
  const uint32_t warp = warps.first + n;
  const auto target_of = [&](const Addresses& part, Target& target) {
    return find_target(block, step, ptx::Space::Global, extent_of(part), bytes, warp, target);
  };
  bool may = true;
  int parts = 0;
  for_each_buffer(addresses, [&](const Addresses& part) {
    Target target;
    may = may && target_of(part, target);
    ++parts;
  });
  if (!may || parts < 2) return false;
  std::byte values[kLanes * kMaximumBytes];
  if (block.wants_values) {
    for_each_buffer(addresses, [&](const Addresses& part) {
      Target target;
      std::byte own[kLanes * kMaximumBytes];
      if (target_of(part, target)) data.collect(warps, step, part, target, n, own, data.access);
      const std::byte* from = own;
      for_each_lane({part.mask}, [&](int l) {
        const auto rank = static_cast<size_t>(std::popcount(addresses.mask & ((uint32_t{1} << l) - 1)));
        std::memcpy(values + rank * bytes, from, bytes);
        from += bytes;
      });
    });
  }
  record_lanes(block, step, ptx::Space::Global, site, data, warp, addresses,
               block.wants_values ? values : nullptr);
  for_each_buffer(addresses, [&](const Addresses& part) {
    Target target;
    if (target_of(part, target)) observe_and_move(warps, step, ptx::Space::Global, part, target, n, data);
  });
  return true;
}

void access_beyond(Warps& warps, const Step& step, ptx::Space space, uint32_t site,
                   const Addresses& addresses, uint32_t n, const AccessData& data);

/// Does the part of an access in one state space, or reports its fault.
[[gnu::always_inline]] inline void access_space(Warps& warps, const Step& step, ptx::Space space,
                                                uint32_t site, const Addresses& addresses, uint32_t n,
                                                const AccessData& data) {
  BlockState& block = warps.block;
  if (block.stopped) return;
  const uint32_t bytes = data.bytes;
  const uint32_t warp = warps.first + n;
  Target target;
  if (!find_target(block, step, space, extent_of(addresses), bytes, warp, target)) {
    if (space == ptx::Space::Global && access_buffers(warps, step, site, addresses, n, data)) return;
    if (block.code.passes_over) return access_beyond(warps, step, space, site, addresses, n, data);
    uint64_t each[kLanes];
    for (int l = 0; l < kLanes; ++l) each[l] = addresses.at(l);
    report_fault(block, step, space, step.kind, bytes, warp, addresses.mask, each);
    return;
  }
  std::byte values[kLanes * kMaximumBytes];
  if (block.wants_values) data.collect(warps, step, addresses, target, n, values, data.access);
  record_lanes(block, step, space, site, data, warp, addresses, block.wants_values ? values : nullptr);
  observe_and_move(warps, step, space, addresses, target, n, data);
}

/// Does an access with lanes that are out of bounds, if the block goes on after it: they read 0, write
/// nothing, and are not recorded.
[[gnu::noinline]] void access_beyond(Warps& warps, const Step& step, ptx::Space space, uint32_t site,
                                     const Addresses& addresses, uint32_t n, const AccessData& data) {
  BlockState& block = warps.block;
  const uint32_t warp = warps.first + n;
  uint64_t each[kLanes];
  Addresses inside;
  inside.affine = false;
  inside.rank = addresses.rank;
  inside.owner = addresses.owner;
  for (int l = 0; l < kLanes; ++l) {
    each[l] = addresses.at(l);
    const Extent place{each[l], each[l], each[l], addresses.rank};
    Target target;
    if ((addresses.mask >> l & 1) == 0 || !find_target(block, step, space, place, data.bytes, warp, target))
      continue;
    if (inside.mask == 0) std::ranges::fill(inside.lane, each[l]);
    inside.lane[l] = each[l];
    inside.mask |= uint32_t{1} << l;
  }
  const uint32_t beyond = addresses.mask & ~inside.mask;
  if (!pass_over_fault(block, step, space, step.kind, data.bytes, warp, beyond, each)) return;
  if (inside.mask != 0) access_space(warps, step, space, site, inside, n, data);
  if (step.kind != trace::Kind::Load && step.kind != trace::Kind::Atomic) return;
  alignas(64) std::byte nothing[kLanes * kMaximumBytes] = {};
  Addresses apart;
  apart.mask = beyond;
  apart.stride = kMaximumBytes;
  data.move(warps, step, apart, {.data = reinterpret_cast<uintptr_t>(nothing)}, n, data.access);
}

/// Does the access of a warp in a cluster. Lanes may go to the shared memory of several blocks: one request
/// for each block.
[[gnu::noinline]] void access_in_cluster(Warps& warps, const Step& step, Addresses& all, uint32_t n,
                                         const AccessData& data) {
  for_each_space(step, all, [&](ptx::Space space, uint32_t site, const Addresses& addresses) {
    if (window_of(space) != kSharedWindow) return access_space(warps, step, space, site, addresses, n, data);
    for_each_rank(warps.block, addresses,
                  [&](const Addresses& part) { access_space(warps, step, space, site, part, n, data); });
  });
}

}  // namespace

template <class C>
bool access_gather(Warps& warps, const Step& step, const C* cells, uint32_t n, const AccessData& data,
                   trace::WarpAccess& record) {
  BlockState& block = warps.block;
  const bool is_global = step.space == ptx::Space::Global;
  if (block.wants_values || block.cluster != nullptr || (!is_global && step.space != ptx::Space::Shared))
    return false;
  const auto offset = static_cast<C>(step.immediate);
  const Room room = room_of(block, step, static_cast<C>(cells[0] + offset));
  if (room.size_bytes < data.bytes) return false;
  Addresses all;
  all.mask = kAllLanes.bits;
  all.affine = false;
  uint64_t bits = 0;  // of all places in the room
#pragma GCC ivdep
  for (int l = 0; l < kLanes; ++l) {
    all.lane[l] = static_cast<C>(cells[l] + offset);
    bits |= all.lane[l] - room.start;
  }
  const uint64_t last = room.size_bytes - data.bytes;
  if (((bits | room.start) & (data.bytes - 1)) != 0) return false;
  if (bits > last && std::ranges::any_of(all.lane, [&](uint64_t at) { return at - room.start > last; }))
    return false;
  const uint32_t warp = warps.first + n;
  record.warp = {warp};
  record.step = block.next_access[warp]++;
  record.addresses.list = all.lane;
  block.sink->on_access(record);
  record.addresses.list = nullptr;
  const uintptr_t start = is_global ? 0 : block.shared_start[warp];
  const Target target{room.data + start, 0, is_global, is_global && !block.code.one_worker};
  if (block.observer == nullptr) {
    data.move(warps, step, all, target, n, data.access);
  } else {
    observe_and_move(warps, step, step.space, all, target, n, data);
  }
  return true;
}
template bool access_gather(Warps&, const Step&, const uint32_t*, uint32_t, const AccessData&,
                            trace::WarpAccess&);
template bool access_gather(Warps&, const Step&, const uint64_t*, uint32_t, const AccessData&,
                            trace::WarpAccess&);

void access_at(Warps& warps, const Step& step, Addresses& all, uint32_t n, const AccessData& data) {
  if (warps.block.cluster != nullptr) [[unlikely]]
    return access_in_cluster(warps, step, all, n, data);
  for_each_space(step, all, [&](ptx::Space space, uint32_t site, const Addresses& addresses) {
    access_space(warps, step, space, site, addresses, n, data);
  });
}

void access_some_lanes(Warps& warps, const Step& step, uint32_t mask, uint32_t n, const AccessData& data) {
  Addresses all;
  if (step.address_is_word) {
    read_addresses(cells<const uint32_t>(warps, step.source[0], n), step.immediate, mask, all);
  } else {
    read_addresses(cells<const uint64_t>(warps, step.source[0], n), step.immediate, mask, all);
  }
  access_at(warps, step, all, n, data);
}

namespace {

template <class C>
void access_cells(Warps& warps, const Step& step, const AccessData& data) {
  trace::WarpAccess record = record_of_step(warps.block, step, data.bytes);
  Masks masks(warps, step);
  for (uint32_t n = 0; n < warps.count && !warps.block.stopped; ++n, masks.next()) {
    const uint32_t mask = masks.here();
    if (mask == 0) continue;
    const auto* from = cells<const C>(warps, step.source[0], n);
    if (mask == kAllLanes.bits && !warps.block.code.is_reference && !is_affine(from) &&
        access_gather(warps, step, from, n, data, record))
      continue;
    Addresses all;
    read_addresses(from, step.immediate, mask, all);
    access_at(warps, step, all, n, data);
  }
}

}  // namespace

void access_each_warp(Warps& warps, const Step& step, const AccessData& data) {
  step.address_is_word ? access_cells<uint32_t>(warps, step, data)
                       : access_cells<uint64_t>(warps, step, data);
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
