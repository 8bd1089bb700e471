// What the checker found becomes a finding: with both of its sides, once for each pair of instructions.

#include "emulator/checks/checker.h"
#include "emulator/checks/race_text.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::emulator {

void Checker::compare_values(const CheckedAccess& access, const std::byte* values, uintptr_t data) {
  const int shift = granule_shift(access.space);
  const size_t size = std::min<size_t>(size_t{1} << shift, access.bytes);
  const auto value_of = [&](int lane, uint64_t address) {
    const auto rank = static_cast<size_t>(std::popcount(access.mask & ((uint32_t{1} << lane) - 1)));
    return values + rank * access.bytes + (address - access.address[lane]);
  };
  for (const WritePair& pair : pairs_) {
    const uint64_t address = pair.granule << shift;
    const bool same_instruction = number_of(pair.other) == next_ - 1 && warp_of(pair.other) == access.warp;
    const std::byte* const other = same_instruction ? value_of(static_cast<int>(lane_of(pair.other)), address)
                                                    : reinterpret_cast<const std::byte*>(data + address);
    const bool equal = std::memcmp(value_of(pair.lane, address), other, size) == 0;
    if (equal && same_instruction) continue;  // defined: all write the same
    const Finding finding = equal                                ? Finding::EqualValues
                            : same_instruction                   ? Finding::RaceInInstruction
                            : warp_of(pair.other) == access.warp ? Finding::RaceOfLanes
                                                                 : Finding::RaceOfWarps;
    report_race(access, finding, pair.lane, pair.granule, pair.other);
  }
  for (const BlockPair& pair : block_pairs_) {
    const uint64_t address = pair.granule << shift;
    const void* const there = reinterpret_cast<const void*>(data + address);
    const bool equal = std::memcmp(value_of(pair.lane, address), there, size) == 0;
    report_block_race(access, equal ? Finding::EqualValues : Finding::RaceOfBlocks, pair.lane, pair.granule,
                      pair.there);
  }
}

/// A load that the compiler made ahead of a condition may read what the source does not.
Finding Checker::weighed(Finding finding, uint32_t step, uint32_t other) const {
  const auto is_ahead = [&](uint32_t of) {
    return of != Findings::kNoStep && code_.program->steps[of].op == ptx::Op::ld &&
           is_ahead_[code_.program->steps[of].site];
  };
  if (is_note(finding) || !(is_ahead(step) || is_ahead(other))) return finding;
  return finding == Finding::Unwritten ? Finding::UnwrittenAhead : Finding::RaceAhead;
}

void Checker::report_blocks(const GridShadow::Conflict& conflict) {
  depends_on_order_ = true;
  const uint32_t number = number_of(conflict.mine);
  const uint32_t step =
      number >= birth_ && number - birth_ < log_.size() ? log_[number - birth_].step : Findings::kNoStep;
  const bool in_detail = conflict.other_step != GridShadow::kNoStep;
  const uint32_t other = in_detail ? conflict.other_step : Findings::kNoStep;
  const Finding finding = conflict.equal_values ? Finding::EqualValues : Finding::RaceOfBlocks;
  const Findings::Key key{weighed(finding, step, other), step, other};
  if (step == Findings::kNoStep || findings_.count(key)) return;
  const RaceSide here{step, warp_of(conflict.mine) * kLanes + lane_of(conflict.mine), position_};
  const RaceSide there{key.other, conflict.other_thread, position_of(conflict.other_block, code_.grid)};
  findings_.add(key, block_,
                race_hazard({code_,
                             memory_,
                             ptx::Space::Global,
                             conflict.granule << global_shift_,
                             uint32_t{1} << global_shift_,
                             key.finding,
                             {}},
                            here, there));
}

void Checker::report_race(const CheckedAccess& access, Finding finding, int lane, uint64_t granule,
                          Stamp other) {
  const Entry& entry = entry_of(other);
  finding = weighed(finding, access.step.index, entry.step);
  const Findings::Key key{finding, access.step.index, entry.step};
  if (findings_.count(key)) return;
  RaceSide there{entry.step, warp_of(other) * kLanes + lane_of(other), position_};
  // Where several lanes of this very warp did it, the stamp may name this lane. The other is likely to be one
  // that goes there now too.
  if (there.thread == side_of(access, lane).thread) {
    const uint64_t place = granule << granule_shift(access.space);
    uint32_t here_too = 0;
    for_each_lane({entry.mask & access.mask & ~(uint32_t{1} << lane)}, [&](int beside) {
      if (place - access.address[beside] < access.bytes) here_too |= uint32_t{1} << beside;
    });
    const uint32_t others = entry.mask & ~(uint32_t{1} << lane);
    there.is_some_lane = here_too == 0 && std::popcount(others) > 1;
    if (const uint32_t named = here_too != 0 ? here_too : others; named != 0)
      there.thread = access.warp * kLanes + static_cast<uint32_t>(std::countr_zero(named));
  }
  const uint64_t address = granule << granule_shift(access.space);
  findings_.add(key, block_, race_hazard(race_place(access, address, finding), side_of(access, lane), there));
}

void Checker::report_unwritten(const CheckedAccess& access, int lane, uint32_t unwritten, uint32_t granules) {
  const Finding finding = weighed(unwritten == granules ? Finding::Unwritten : Finding::PartlyUnwritten,
                                  access.step.index, Findings::kNoStep);
  depends_on_order_ |= access.space == ptx::Space::Global;
  const Findings::Key key{finding, access.step.index, Findings::kNoStep};
  if (findings_.count(key)) return;
  findings_.add(key, block_,
                unwritten_hazard(race_place(access, access.address[lane], finding), side_of(access, lane)));
}

}  // namespace lanescope::emulator
