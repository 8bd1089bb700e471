// Expands one recorded access to the members of its group: sites that share a recorder (access_groups.h).
// Tests: tests/unit/gpu/access_groups_test.cpp, tests/gpu

#pragma once

#include "gpu/instrument/recorder_output.h"

#include <cstdint>
#include <vector>

namespace lanescope::gpu {

/// The sites whose accesses the recorder of one site reports.
struct SiteGroup {
  struct Member {
    uint32_t site = 0;
    uint32_t position = 0;  // in the text: the order within a stretch
    int64_t distance = 0;   // from the recorded addresses, bytes
  };
  uint32_t stretch = 0;  // in the text: start of the instructions that the same lanes execute in sequence
  std::vector<Member> members;  // the site itself and those after it; empty: itself alone
};
using SiteGroups = std::vector<SiteGroup>;  // [site]

RecordedAccess member_of(const RecordedAccess& recorded, const SiteGroup::Member& member);

/// The accesses of a warp's records, in an order in which they can have happened: members of groups are
/// in program order among the other accesses of their stretch. Diverged lanes are unordered.
std::vector<RecordedAccess> with_members(const std::vector<RecordedAccess>& recorded,
                                         const SiteGroups& groups);

}  // namespace lanescope::gpu
