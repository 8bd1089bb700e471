// What a recorded access costs, with those of its group, and on which bits of its place in a line that
// depends. Tests: tests/gpu/accumulators_test.cpp; tests/gpu compares the totals with the emulator's.

#pragma once

#include "gpu/instrument/group_expansion.h"
#include "gpu/instrument/recorder_layout.h"
#include "trace/totals.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::gpu {

/// Borrows all three.
class GroupCosts {
 public:
  GroupCosts(const SiteGroups& groups, const std::vector<trace::Site>& sites, trace::CostFunction cost)
      : groups_(groups), sites_(sites), cost_(cost) {}

  /// Calls f(access, cost) for the site's own access and for those of its group.
  template <class F>
  void for_each(const RecordedAccess& recorded, F&& f) const {
    const auto one = [&](const RecordedAccess& member) {
      LaneAddresses list{};
      const trace::WarpAccess access{.site = {member.site},
                                     .cta = {},
                                     .warp = {},
                                     .active = {member.mask},
                                     .operation = sites_[member.site].operation,
                                     .addresses = reference_to(member.lanes, {member.mask}, list)};
      f(access, cost_(access));
    };
    const std::vector<SiteGroup::Member>& members = groups_[recorded.site].members;
    for (const SiteGroup::Member& member : members) one(member_of(recorded, member));
    if (members.empty()) one(recorded);
  }

  /// Bits of the first address that the costs of a whole warp with these steps depend on.
  uint32_t phase_mask(uint32_t site, const ExpectedSteps& steps, uint32_t row_lanes) const;
  /// Whether the costs are the same at all of the places (RecorderLayout::kPlaces), of which the access has
  /// the first.
  bool are_the_same(RecordedAccess access, uint32_t places) const;

 private:
  std::vector<trace::Cost> of(const RecordedAccess& recorded) const;

  const SiteGroups& groups_;
  const std::vector<trace::Site>& sites_;
  trace::CostFunction cost_;
};

}  // namespace lanescope::gpu
