#include "emulator/checks/sync_checks.h"

#include "emulator/values/culprit.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace lanescope::emulator {

void SyncChecks::meet(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const uint32_t> masks,
                      uint32_t existing) {
  uint32_t strangers = 0;
  uint32_t named = 0;
  for (uint32_t lane = 0; lane < masks.size(); ++lane) {
    if (!(lanes >> lane & 1)) continue;
    strangers |= (~masks[lane] >> lane & 1) << lane;
    named |= masks[lane];
  }
  const ptx::Op op = code_.program->steps[step].op;
  const auto thread = [&](uint32_t of) {
    return warp * kLanes + static_cast<uint32_t>(std::countr_zero(of));
  };
  if (strangers != 0)
    reporter_.report_synchronization(Finding::NoMember, step, thread(strangers), [&] {
      return fmt::format(
          "executes {}, whose member mask {:#010x} does not name it, so that the result is undefined; name "
          "every "
          "lane that executes it",
          ptx::name_of(op), masks[static_cast<size_t>(std::countr_zero(strangers))]);
    });
  const uint32_t absent = named & existing & ~lanes;
  // __syncwarp() names all lanes, and means those that are left.
  const bool names_all = op == ptx::Op::bar_warp_sync && named == kAllLanes.bits;
  if (absent != 0 && !names_all)
    reporter_.report_synchronization(Finding::AbsentMembers, step, thread(lanes), [&] {
      return fmt::format(
          "executes {} with {} in its member mask, which {} not there any more; that is fine if the result "
          "does "
          "not need {}, and else a mistake",
          ptx::name_of(op), name_lanes(absent), std::has_single_bit(absent) ? "is" : "are",
          std::has_single_bit(absent) ? "it" : "them");
    });
}

void SyncChecks::take(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const int> sources) {
  for (uint32_t lane = 0; lane < sources.size(); ++lane) {
    if (!(lanes >> lane & 1) || (lanes >> sources[lane] & 1)) continue;
    reporter_.report_synchronization(Finding::AbsentSource, step, warp * kLanes + lane, [&] {
      return fmt::format(
          "takes the value of lane {} by {}, and that lane does not take part, so that the value is "
          "undefined; "
          "that is fine if it is not used, and else a mistake",
          sources[lane], ptx::name_of(code_.program->steps[step].op));
    });
    return;
  }
}

void SyncChecks::pass_barrier(uint32_t step, uint32_t thread, uint64_t running) {
  const uint64_t all = volume(code_.block);
  if (running == all) return;
  if (std::ranges::binary_search(before_reads_, step))
    return reporter_.report_synchronization(Finding::SkippedBarrier, step, thread, [&] {
      return fmt::format(
          "reaches the barrier with {} of the {} threads of its block; the others went around it, on to what "
          "follows, and exited; move it out of the condition",
          running, all);
    });
  reporter_.report_synchronization(Finding::LeftBarrier, step, thread, [&] {
    return fmt::format(
        "passes the barrier with {} of the {} threads of its block, and the others have exited; PTX allows "
        "that, "
        "but __syncthreads() is for all threads of the block: return after it, or move it out of the "
        "condition",
        running, all);
  });
}

}  // namespace lanescope::emulator
