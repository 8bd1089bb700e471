// Sites that have no recorder of their own, since another's stands for them (access_groups.h): what was
// recorded of that one, told of each. Tests: tests/unit/gpu/access_groups_test.cpp, tests/gpu

#pragma once

#include "gpu/recorded_units.h"

#include <cstdint>
#include <vector>

namespace lanescope::gpu {

/// What the recorder of a site stands for.
struct SiteGroup {
  struct Member {
    uint32_t site = 0;
    uint32_t position = 0;  // in the text: the order within a stretch
    int64_t distance = 0;   // from the recorded addresses, bytes
  };
  uint32_t stretch = 0;         // in the text: instructions that the same lanes carry out in a row
  std::vector<Member> members;  // the site itself and those behind it; empty: itself alone, in no stretch
};
using SiteGroups = std::vector<SiteGroup>;  // [site]

RecordedAccess member_of(const RecordedAccess& recorded, const SiteGroup::Member& member);

/// The accesses of a warp's records, in an order in which they can have happened: members of groups stand in
/// the program's order among the other accesses of their stretch. Lanes that are apart have no order.
std::vector<RecordedAccess> with_members(const std::vector<RecordedAccess>& recorded,
                                         const SiteGroups& groups);

}  // namespace lanescope::gpu
