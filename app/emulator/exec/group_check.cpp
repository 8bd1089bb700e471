#include "emulator/exec/group_check.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// How far the last writes to the granules that a warp of a group reads lie after `start`, at most; before it
/// is further than any. `first`: of lane 0's first granule; `step` and `row` count granules, of which each
/// lane reads `per_lane`.
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

/// Whether a group reads only what this block wrote before the last barrier of all warps: then that is in
/// order, and is listed.
bool list_group_read(Checker& checker, const Step& step, uint64_t first, const Spread& spread, uint32_t bytes,
                     uint32_t count, uint32_t row_lanes) {
  SharedShadow& shared = checker.shared();
  if (!shared.has_room_for_group_read() || !checker.log().has_room(count)) return false;
  const int shift = shared.granule_shift();
  const Limits limits = checker.log().limits(0);
  Stamp latest = 0;
  for (uint32_t n = 0; n < count; ++n) {
    const uint64_t base = first + static_cast<uint64_t>(spread.base[n]);
    latest =
        std::max(latest, latest_write(shared.written() + (base >> shift), spread.step[n] >> shift,
                                      spread.row[n] >> shift, spread.is_affine ? uint32_t{kLanes} : row_lanes,
                                      bytes >> shift, limits.of_block));
  }
  if (latest >= limits.of_other_warps - limits.of_block) return false;
  shared.list_read({first, &spread, bytes, checker.log().add_group(step.index, count), count});
  return true;
}

/// Whether stores of a group to global memory are in order, and are listed.
bool list_group_write(Checker& checker, const Step& step, uint64_t first, const Spread& spread,
                      uint32_t bytes, uint32_t count) {
  if (checker.global().watch(first) == Watch::Heap || !checker.log().has_room(count)) return false;
  ListedAccess* const listed = checker.global().list({first, &spread, bytes, 0, count});
  if (listed == nullptr) return false;
  listed->number = checker.log().add_group(step.index, count);
  return true;
}

/// Whether the group repeats what was in order in another block, and it is listed.
bool list_repeated(Checker& checker, const Step& step, const GroupEvent& event, const Spread& spread,
                   uint32_t bytes) {
  SharedShadow& shared = checker.shared();
  if (!shared.repeats(event) || !checker.log().has_room(event.warps)) return false;
  const uint32_t number = checker.log().add_group(step.index, event.warps);
  shared.list_repeated({event.first, &spread, bytes, number, event.warps}, step.kind);
  return true;
}

uint32_t check_warps(Checker& checker, const Step& step, uint64_t first, const Spread& spread, uint32_t bytes,
                     uint32_t count) {
  if (!spread.is_affine) return 0;
  for (uint32_t n = 0; n < count; ++n) {
    const uint64_t base = first + static_cast<uint64_t>(spread.base[n]);
    if (!check_whole_warp(checker, step, base, spread.step[n], bytes, n)) return n;
  }
  return count;
}

uint32_t check_shared_group(Checker& checker, const Step& step, uint64_t first, const Spread& spread,
                            uint32_t bytes, uint32_t count, uint32_t row_lanes) {
  const GroupEvent event{step.index, count, first, spread.number};
  if (list_repeated(checker, step, event, spread, bytes)) return count;
  SharedShadow& shared = checker.shared();
  shared.stop_repeating();
  const bool was_recorded = shared.is_recorded();
  const bool is_listed = step.kind == trace::Kind::Load &&
                         list_group_read(checker, step, first, spread, bytes, count, row_lanes);
  const uint32_t passed = is_listed ? count : check_warps(checker, step, first, spread, bytes, count);
  if (passed == count) shared.note_in_order(event, was_recorded);
  return passed;
}

/// How many of the warps of a block, one after the other.
uint32_t check_block(Checker& checker, const Step& step, uint64_t first, const Spread& spread, uint32_t bytes,
                     uint32_t count, uint32_t row_lanes) {
  if (checker.checks_alone(step) || checker.copies().concern(step.space, step.kind, first)) return 0;
  if (step.space == ptx::Space::Parameter) return count;
  if (step.space == ptx::Space::Shared)
    return check_shared_group(checker, step, first, spread, bytes, count, row_lanes);
  if (step.space == ptx::Space::Global && checker.global().watch(first) == Watch::Nothing) return count;
  if (step.space == ptx::Space::Global && step.kind == trace::Kind::Store &&
      list_group_write(checker, step, first, spread, bytes, count))
    return count;
  return check_warps(checker, step, first, spread, bytes, count);
}

/// Block by block of a batch.
uint32_t check_batch(BlockState& block, const Step& step, uint64_t first, const Spread& spread,
                     uint32_t bytes, uint32_t count) {
  const uint32_t blocks = block.code.batch;
  const Spreads::Parts& parts = block.spreads.parts_of(step.index, spread, blocks, block.spreads_of_blocks);
  uint32_t passed = 0;
  for (uint32_t n = 0; n < std::min(blocks, count); ++n) {
    if (parts[n] == nullptr) continue;
    const uint32_t warps = (count - n + blocks - 1) / blocks;
    const uint32_t in_order =
        check_block(*block.checkers[n], step, first + static_cast<uint64_t>(spread.base[n]), *parts[n], bytes,
                    warps, block.code.forms.row_lanes);
    for (uint32_t warp = 0; warp < in_order; ++warp) passed |= uint32_t{1} << block.code.warp_at({n, warp});
  }
  return passed;
}

}  // namespace

uint32_t check_group(BlockState& block, const Step& step, uint64_t first, const Spread& spread,
                     uint32_t bytes, uint32_t count) {
  if (block.code.batch > 1) return check_batch(block, step, first, spread, bytes, count);
  return first_warps(
      check_block(*block.checker, step, first, spread, bytes, count, block.code.forms.row_lanes));
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
