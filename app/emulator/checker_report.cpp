// What the checker found becomes a finding: with both of its sides, once for each pair of instructions.

#include "emulator/checker.h"
#include "emulator/race_text.h"

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

void Checker::report_blocks(const GridShadow::Conflict& conflict) {
  depends_on_order_ = true;
  const uint32_t number = number_of(conflict.mine);
  const uint32_t step =
      number >= birth_ && number - birth_ < log_.size() ? log_[number - birth_].step : Findings::kNoStep;
  const bool in_detail = conflict.other_step != GridShadow::kNoStep;
  const Findings::Key key{conflict.equal_values ? Finding::EqualValues : Finding::RaceOfBlocks, step,
                          in_detail ? conflict.other_step : Findings::kNoStep};
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
  const Findings::Key key{finding, access.step.index, entry.step};
  if (findings_.count(key)) return;
  // Where several lanes of this very warp did it, the stamp may name this lane: then one beside it.
  uint32_t other_lane = lane_of(other);
  const uint32_t lanes_beside = entry.mask & ~(uint32_t{1} << lane);
  if (warp_of(other) == access.warp && other_lane == static_cast<uint32_t>(lane) && lanes_beside != 0)
    other_lane = static_cast<uint32_t>(std::countr_zero(lanes_beside));
  const RaceSide there{entry.step, warp_of(other) * kLanes + other_lane, position_};
  const uint64_t address = granule << granule_shift(access.space);
  findings_.add(key, block_, race_hazard(race_place(access, address, finding), side_of(access, lane), there));
}

void Checker::report_unwritten(const CheckedAccess& access, int lane, uint32_t unwritten, uint32_t granules) {
  const Finding finding = unwritten == granules ? Finding::Unwritten : Finding::PartlyUnwritten;
  depends_on_order_ |= access.space == ptx::Space::Global;
  const Findings::Key key{finding, access.step.index, Findings::kNoStep};
  if (findings_.count(key)) return;
  findings_.add(key, block_,
                unwritten_hazard(race_place(access, access.address[lane], finding), side_of(access, lane)));
}

}  // namespace lanescope::emulator
