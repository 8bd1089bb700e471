#include "emulator/checks/vectors/group_check.h"

#include "base/lane_mask.h"
#include "emulator/checks/vectors/access_check.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// Latest write to the granules that a warp of a group reads, as a distance after `start`; writes before
/// `start` have the largest distances. `first`: of lane 0's first granule; `step` and `row` count granules,
/// of which each lane reads `per_lane`.
[[gnu::always_inline]] inline Stamp latest_write(const Stamp* first, int64_t step, int64_t row,
                                                 uint32_t row_lanes, uint32_t per_lane, Stamp start) {
  Stamp latest = 0;
  const auto look_at = [&](Stamp written) { latest = std::max(latest, written - start); };
  for (uint32_t lane = 0; lane < kLanes; lane += row_lanes, first += row) {
    if (step == per_lane) {
      for (uint32_t n = 0; n < row_lanes * per_lane; ++n) look_at(first[n]);
    } else if (per_lane == 1 && step != 0 && row_lanes % 4 == 0) {
      const Stamp* at = first;
      for (uint32_t l = 0; l < row_lanes; l += 4, at += 4 * step) {
        const Stamp pair = std::max(at[0] - start, at[step] - start);
        const Stamp other_pair = std::max(at[2 * step] - start, at[3 * step] - start);
        latest = std::max({latest, pair, other_pair});
      }
    } else {
      for (uint32_t l = 0; l < (step == 0 ? 1 : row_lanes); ++l)
        for (uint32_t n = 0; n < per_lane; ++n) look_at(first[step * l + n]);
    }
  }
  return latest;
}

/// Latest write to the granules of some lanes, whose addresses are in equal steps, as a distance after
/// `start`. `written`: of granule 0; lane 0, which may not take part, would access granule `first`.
[[gnu::always_inline]] inline Stamp latest_write_of(uint32_t lanes, const Stamp* written, int64_t first,
                                                    int64_t step, uint32_t per_lane, Stamp start) {
  Stamp latest = 0;
  for_each_lane({lanes}, [&](int lane) {
    for (uint32_t n = 0; n < per_lane; ++n)
      latest = std::max(latest, written[first + step * lane + n] - start);
  });
  return latest;
}

/// Lists the read of a group that reads only what this block wrote before the last barrier of all warps,
/// which is in order. False, with nothing listed, if it reads other data or there is no room.
bool list_group_read(Checker& checker, ListedAccess access, uint32_t row_lanes) {
  SharedShadow& shared = checker.shared();
  if (!shared.has_room_for_group_read() || !checker.log().has_room(access.warps)) return false;
  const Spread& spread = *access.spread;
  const int shift = shared.granule_shift();
  const uint32_t per_lane = access.bytes >> shift;
  const Limits limits = checker.log().limits(0);
  Stamp latest = 0;
  for (uint32_t n = 0; n < access.warps; ++n) {
    const int64_t granule = (static_cast<int64_t>(access.first) + spread.base[n]) >> shift;
    const int64_t in_granules = spread.step[n] >> shift;
    const uint32_t lanes = access.lanes_of(n);
    latest = std::max(
        latest,
        lanes == kAllLanes.bits
            ? latest_write(shared.written() + granule, in_granules, spread.row[n] >> shift,
                           spread.is_affine ? uint32_t{kLanes} : row_lanes, per_lane, limits.of_block)
            : latest_write_of(lanes, shared.written(), granule, in_granules, per_lane, limits.of_block));
  }
  if (latest >= limits.of_other_warps - limits.of_block) return false;
  access.number = checker.log().add_group(access);
  shared.list_read(access);
  return true;
}

/// Lists stores of a group to global memory, if they are in order. False, with nothing listed, if they have
/// to be checked one by one. `place`: the address of one of them.
bool list_group_write(Checker& checker, const ListedAccess& access, uint64_t place) {
  // Lane 0, which may not take part, may be before the buffer.
  if (trace::buffer_of(access.first) != trace::buffer_of(place)) return false;
  if (checker.global().watch(place) == Watch::Heap || !checker.log().has_room(access.warps)) return false;
  ListedAccess* const listed = checker.global().list(access);
  if (listed == nullptr) return false;
  listed->number = checker.log().add_group(access);
  return true;
}

/// Checks the access of one warp by each lane's address: by some lanes, at least one, or by lanes in rows.
bool check_lane_by_lane(Checker& checker, const Step& step, const ListedAccess& access, uint32_t warp,
                        uint32_t row_lanes) {
  uint64_t addresses[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = address_of(access, warp, lane, row_lanes);
  return check_lanes(checker, {.step = step,
                               .space = step.space,
                               .bytes = access.bytes,
                               .warp = warp,
                               .mask = access.lanes_of(warp),
                               .address = addresses});
}

uint32_t check_warps(Checker& checker, const Step& step, const ListedAccess& access, uint32_t row_lanes) {
  const Spread& spread = *access.spread;
  for (uint32_t n = 0; n < access.warps; ++n) {
    const uint64_t base = access.first + static_cast<uint64_t>(spread.base[n]);
    const uint32_t lanes = access.lanes_of(n);
    if (lanes == 0) continue;
    const bool passed = lanes == kAllLanes.bits && spread.is_affine
                            ? check_whole_warp(checker, step, base, spread.step[n], access.bytes, n)
                            : check_lane_by_lane(checker, step, access, n, row_lanes);
    if (!passed) return n;
  }
  return access.warps;
}

uint32_t check_shared_group(Checker& checker, const Step& step, const ListedAccess& access,
                            uint32_t row_lanes) {
  SharedShadow& shared = checker.shared();
  const std::optional<GroupEvent> event = event_of(access);
  if (!event) shared.give_up_sequence();
  shared.stop_repeating();
  const bool was_recorded = shared.is_recorded();
  const bool is_listed = step.kind == trace::Kind::Load && list_group_read(checker, access, row_lanes);
  const uint32_t passed = is_listed ? access.warps : check_warps(checker, step, access, row_lanes);
  if (passed == access.warps && event) shared.note_in_order(*event, access, was_recorded);
  return passed;
}

/// The address of a lane that takes part. `masks`: null if all do.
uint64_t place_in(uint64_t first, const Spread& spread, const WarpLanes* masks) {
  if (masks == nullptr) return first;
  uint32_t warp = 0;
  while ((*masks)[warp] == 0) ++warp;
  return first +
         static_cast<uint64_t>(spread.base[warp] + spread.step[warp] * std::countr_zero((*masks)[warp]));
}

bool needs_closer_look(const Checker& checker, const Step& step, uint64_t place) {
  return checker.checks_alone(step) || checker.copies().concern(step.space, step.kind, place);
}

/// True if the checks look for nothing at `place`: mostly in a buffer that is never written.
bool is_unwatched(const Checker& checker, const Step& step, uint64_t place) {
  return step.space == ptx::Space::Parameter || step.space == ptx::Space::Constant ||
         (step.space == ptx::Space::Global && checker.global().watch(place) == Watch::Nothing);
}

/// Checks the access of a block's warps, in order. Returns the number of warps, from the first on, that
/// passed. `place`: the address of a lane that takes part.
uint32_t check_block(Checker& checker, const Step& step, const ListedAccess& access, uint64_t place,
                     uint32_t row_lanes) {
  if (needs_closer_look(checker, step, place)) return 0;
  if (is_unwatched(checker, step, place)) return access.warps;
  if (step.space == ptx::Space::Shared) return check_shared_group(checker, step, access, row_lanes);
  if (step.space == ptx::Space::Global && step.kind == trace::Kind::Store &&
      list_group_write(checker, access, place))
    return access.warps;
  return check_warps(checker, step, access, row_lanes);
}

/// Splits an access of a group into one access for each of its blocks.
class BlockAccesses {
 public:
  BlockAccesses(CheckedBlocks& blocks, const ObservedGroup& access)
      : access_(access), blocks_(blocks.code.batch), warps_(access.warps / blocks.code.batch) {
    const trace::BatchOrder order = blocks.code.order();
    if (blocks_ != 1) spreads_ = &blocks.spreads.parts_of(access.step.index, access.spread, order);
    if (access.masks != nullptr) sets_ = &blocks.lane_sets.parts_of(access.step.index, *access.masks, order);
  }

  uint32_t blocks() const { return blocks_; }
  /// Number of warps of each block.
  uint32_t warps() const { return warps_; }
  /// Access of the `n`-th block, without its number; no value where there was no room for its spread or
  /// lanes.
  std::optional<ListedAccess> operator[](uint32_t n) const {
    const Spread* const spread = spreads_ == nullptr ? &access_.spread : (*spreads_)[n];
    const LaneSet* const lanes = sets_ == nullptr ? nullptr : (*sets_)[n];
    if (spread == nullptr || (sets_ != nullptr && lanes == nullptr)) return std::nullopt;
    return ListedAccess{.first = access_.first + static_cast<uint64_t>(access_.spread.base[n]),
                        .spread = spread,
                        .step = access_.step.index,
                        .kind = access_.step.kind,
                        .bytes = access_.bytes,
                        .warps = lanes == nullptr ? warps_ : lanes->warps,
                        .lanes = lanes == nullptr || lanes->is_full ? nullptr : lanes};
  }

 private:
  const ObservedGroup& access_;
  uint32_t blocks_;
  uint32_t warps_;
  const SpreadsOfBlocks::Parts* spreads_ = nullptr;  // null: the group is one block
  const LaneSets::Parts* sets_ = nullptr;            // null: all lanes
};

/// Number of blocks, from the first on, whose access to shared memory repeats that of an earlier block; these
/// accesses are noted. (An access that Checker examines alone is in no sequence.)
uint32_t count_repeating(const CheckedBlocks& blocks, const Step& step, const BlockAccesses& accesses,
                         uint64_t place) {
  for (uint32_t n = 0; n < accesses.blocks(); ++n) {
    Checker& checker = *blocks.checkers[n];
    const std::optional<ListedAccess> access = accesses[n];
    if (!access || checker.copies().concern(step.space, step.kind, place)) return n;
    if (access->warps == 0) continue;
    const std::optional<GroupEvent> event = event_of(*access);
    if (!event || !checker.shared().repeat(*event)) return n;
  }
  return accesses.blocks();
}

}  // namespace

uint32_t check_group(CheckedBlocks& blocks, const ObservedGroup& access) {
  const Step& step = access.step;
  const uint64_t place = place_in(access.first, access.spread, access.masks);
  if (std::ranges::all_of(blocks.checkers, [&](const auto& checker) {
        return is_unwatched(*checker, step, place) && !needs_closer_look(*checker, step, place);
      }))
    return first_warps(access.warps);
  const BlockAccesses accesses(blocks, access);
  uint32_t n = step.space == ptx::Space::Shared ? count_repeating(blocks, step, accesses, place) : 0;
  uint32_t failed = 0;
  for (; n < accesses.blocks(); ++n) {
    const std::optional<ListedAccess> part = accesses[n];
    const uint32_t warps = part ? part->warps : accesses.warps();
    if (warps == 0) continue;
    const uint32_t passed =
        part ? check_block(*blocks.checkers[n], step, *part, place, blocks.code.forms.row_lanes) : 0;
    for (uint32_t warp = passed; warp < warps; ++warp)
      failed |= uint32_t{1} << blocks.code.order().number_of(n, warp);
  }
  return first_warps(access.warps) & ~failed;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
