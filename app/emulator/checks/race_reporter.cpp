#include "emulator/checks/race_reporter.h"

#include "emulator/checks/copy_text.h"
#include "emulator/memory/cluster_layout.h"

#include <algorithm>
#include <bit>

namespace lanescope::emulator {

void RaceReporter::begin_block(CtaId block, Dim3 position) {
  block_ = block;
  position_ = position;
  awaited_late_.clear();
}

/// Finding to report: a note in place of a hazard if one side is a load that the compiler made ahead of a
/// condition, since the source may not read there, or if one side tests what the other sets.
Finding RaceReporter::weighed(Finding finding, uint32_t step, uint32_t other) const {
  const auto has = [&](const std::vector<bool>& trait, uint32_t of) {
    return of != Findings::kNoStep && trait[code_.program->steps[of].site];
  };
  const auto tests_and_sets = [&](uint32_t test, uint32_t set) {
    return has(traits_.is_only_compared, test) && has(traits_.is_set_after_test, set);
  };
  if (is_race(finding) && (tests_and_sets(step, other) || tests_and_sets(other, step)))
    return Finding::TestAndSet;
  const auto is_ahead = [&](uint32_t of) {
    return of != Findings::kNoStep && code_.program->steps[of].op == ptx::Op::ld &&
           traits_.is_ahead[code_.program->steps[of].site];
  };
  if (is_note(finding) || !(is_ahead(step) || is_ahead(other))) return finding;
  return finding == Finding::Unwritten ? Finding::UnwrittenAhead : Finding::RaceAhead;
}

RacePlace RaceReporter::place_of(const ObservedAccess& access, uint64_t address, Finding finding) const {
  RacePlace place{code_, memory_, access.space, address, access.bytes, finding, {}};
  const Dim3 cluster = code_.program->cluster;
  if (access.rank != 0 && access.rank - 1 != rank_in_cluster(position_, cluster))
    place.owner = position_of_rank(access.rank - 1, position_, cluster);
  return place;
}

/// Step by which another lane of the warp has read what the access of stamp `last` then read, too, in `lane`
/// alone. kNoStep if several steps may have.
uint32_t RaceReporter::other_reader(const ObservedAccess& access, Stamp last, int lane) const {
  const ptx::Program& program = *code_.program;
  uint32_t found = Findings::kNoStep;
  const uint32_t met = std::max(log_.birth(), log_.order().met_lanes(access.warp));
  for (uint32_t number = met; number < number_of(last); ++number) {
    const NumberedAccess& entry = log_.entries()[number - log_.birth()];
    if (entry.step == Findings::kNoStep || (entry.mask & ~(uint32_t{1} << lane)) == 0) continue;
    const ptx::Step& step = program.steps[entry.step];
    const ptx::Space space = program.modifiers[step.modifiers].space;
    if (step.op != ptx::Op::ld || (space != access.space && space != ptx::Space::Generic)) continue;
    if (found != Findings::kNoStep && found != entry.step) return Findings::kNoStep;
    found = entry.step;
  }
  return found;
}

void RaceReporter::report_race(const ObservedAccess& access, Finding finding, int lane, uint64_t address,
                               Stamp other) {
  const NumberedAccess& entry = log_.entry_of(other);
  finding = weighed(finding, access.step.index, entry.step);
  const Findings::Key key{finding, access.step.index, entry.step};
  if (findings_.count(key)) return;
  RaceSide there{entry.step, warp_of(other) * kLanes + lane_of(other), position_};
  // If several lanes of this warp made the other access, the stamp may name this lane. The other lane is then
  // likely to be one that accesses the address now, too.
  if (there.thread == side_of(access, lane).thread) {
    uint32_t here_too = 0;
    for_each_lane({entry.mask & access.mask & ~(uint32_t{1} << lane)}, [&](int another) {
      if (address - access.address[another] < access.bytes) here_too |= uint32_t{1} << another;
    });
    const uint32_t others = entry.mask & ~(uint32_t{1} << lane);
    there.is_some_lane = here_too == 0 && std::popcount(others) != 1;
    if (others == 0) there.step = other_reader(access, other, lane);
    if (const uint32_t named = here_too != 0 ? here_too : others; named != 0)
      there.thread = access.warp * kLanes + static_cast<uint32_t>(std::countr_zero(named));
  }
  RacePlace place = place_of(access, address, finding);
  place.may_lack_fence = traits_.hands_over;
  place.copy_awaited_late = std::ranges::find(awaited_late_, entry.step) != awaited_late_.end();
  findings_.add(key, block_, race_hazard(place, side_of(access, lane), there));
}

void RaceReporter::note_late_wait(uint32_t step) {
  if (std::ranges::find(awaited_late_, step) == awaited_late_.end()) awaited_late_.push_back(step);
}

void RaceReporter::report_cluster_race(const ObservedAccess& access, Finding finding, int lane,
                                       uint64_t address, const RaceSide& there) {
  const RaceSide here = side_of(access, lane);
  if (finding == Finding::RaceOfBlocks && there.block == here.block) finding = Finding::RaceOfWarps;
  finding = weighed(finding, here.step, there.step);
  const Findings::Key key{finding, here.step, there.step};
  if (!findings_.count(key))
    findings_.add(key, block_, race_hazard(place_of(access, address, finding), here, there));
}

void RaceReporter::report_grid_race(const GridShadow::Conflict& conflict, int granule_shift) {
  depends_on_order_ = true;
  const uint32_t step = log_.step_of(conflict.mine);
  const bool in_detail = conflict.other_step != GridShadow::kNoStep;
  const uint32_t other = in_detail ? conflict.other_step : Findings::kNoStep;
  const Finding finding = conflict.equal_values ? Finding::EqualValues : Finding::RaceOfBlocks;
  const Findings::Key key{weighed(finding, step, other), step, other};
  if (step == Findings::kNoStep || findings_.count(key)) return;
  const RaceSide here{step, warp_of(conflict.mine) * kLanes + lane_of(conflict.mine), position_};
  const RaceSide there{key.other, conflict.other_thread, position_of(conflict.other_block, code_.grid)};
  RacePlace place{code_,
                  memory_,
                  ptx::Space::Global,
                  conflict.granule << granule_shift,
                  uint32_t{1} << granule_shift,
                  key.finding,
                  {}};
  place.may_lack_fence = traits_.hands_over;
  findings_.add(key, block_, race_hazard(place, here, there));
}

void RaceReporter::report_unwritten(const ObservedAccess& access, int lane, uint32_t unwritten,
                                    uint32_t granules) {
  // Shared memory that the system reserves is zero at first: cooperative groups do not initialize it.
  if (access.space == ptx::Space::Shared && access.address[lane] < code_.program->reserved_shared_bytes)
    return;
  Finding finding = weighed(unwritten == granules ? Finding::Unwritten : Finding::PartlyUnwritten,
                            access.step.index, Findings::kNoStep);
  if (finding == Finding::Unwritten && access.space == ptx::Space::Global && !memory_.has_inputs())
    finding = Finding::UnwrittenInput;
  depends_on_order_ |= access.space == ptx::Space::Global;
  const Findings::Key key{finding, access.step.index, Findings::kNoStep};
  if (findings_.count(key)) return;
  findings_.add(key, block_,
                unwritten_hazard(place_of(access, access.address[lane], finding), side_of(access, lane)));
}

void RaceReporter::report_copy(const ObservedAccess& access, Finding finding, int lane, uint64_t address,
                               const AsyncCopy& copy, const AsyncCopies& copies) {
  const Findings::Key key{finding, access.step.index, copy.step};
  if (findings_.count(key)) return;
  findings_.add(key, block_,
                copy_hazard(place_of(access, address, finding), side_of(access, lane), copy, copies));
}

void RaceReporter::report_heap(const ObservedAccess& access, int lane, const HeapFault& fault) {
  const Finding finding = fault.is_freed ? Finding::FreedPiece : Finding::BeyondPiece;
  const Findings::Key key{finding, access.step.index, Findings::kNoStep};
  if (findings_.count(key)) return;
  findings_.add(key, block_,
                heap_hazard(place_of(access, access.address[lane], finding), side_of(access, lane), fault));
}

void RaceReporter::report_absence(const RaceSide& here, uint32_t owner, uint64_t address, Finding finding) {
  const Findings::Key key{finding, here.step, Findings::kNoStep};
  if (findings_.count(key)) return;
  const Dim3 where = position_of_rank(owner, position_, code_.program->cluster);
  findings_.add(key, block_,
                absence_hazard({code_, memory_, ptx::Space::Shared, address, 0, finding, where}, here));
}

}  // namespace lanescope::emulator
