#include "gpu/instrument/group_expansion.h"

#include <algorithm>

namespace lanescope::gpu {
namespace {

struct Told {
  uint32_t position = 0;
  const RecordedAccess* recorded = nullptr;
  const SiteGroup::Member* member = nullptr;
};

/// A stretch that some lanes are in.
struct Underway {
  uint32_t mask = 0;
  uint32_t stretch = 0;
  uint32_t position = 0;  // of the latest record
  std::vector<Told> accesses;
};

void add(Underway& underway, const RecordedAccess& recorded, const SiteGroup& group) {
  underway.position = group.members.front().position;
  for (const SiteGroup::Member& member : group.members)
    underway.accesses.push_back({member.position, &recorded, &member});
}

void finish(Underway& underway, std::vector<RecordedAccess>& to) {
  std::ranges::sort(underway.accesses, {}, &Told::position);
  for (const Told& told : underway.accesses) to.push_back(member_of(*told.recorded, *told.member));
}

}  // namespace

RecordedAccess member_of(const RecordedAccess& recorded, const SiteGroup::Member& member) {
  RecordedAccess access = recorded;
  access.site = member.site;
  for (uint64_t& address : access.lanes) address += static_cast<uint64_t>(member.distance);
  return access;
}

std::vector<RecordedAccess> with_members(const std::vector<RecordedAccess>& recorded,
                                         const SiteGroups& groups) {
  std::vector<RecordedAccess> all;
  std::vector<Underway> underway;  // no lane is in two of them
  for (const RecordedAccess& access : recorded) {
    const bool grouped = access.site < groups.size() && !groups[access.site].members.empty();
    if (grouped) {
      const SiteGroup& group = groups[access.site];
      // The next record of the same stretch; the same one again is the next turn of a loop.
      const auto same = std::ranges::find_if(underway, [&](const Underway& one) {
        return one.mask == access.mask && one.stretch == group.stretch &&
               one.position < group.members.front().position;
      });
      if (same != underway.end()) {
        add(*same, access, group);
        continue;
      }
    }
    for (Underway& one : underway)
      if ((one.mask & access.mask) != 0) finish(one, all);
    std::erase_if(underway, [&](const Underway& one) { return (one.mask & access.mask) != 0; });
    if (grouped) {
      underway.push_back({access.mask, groups[access.site].stretch, 0, {}});
      add(underway.back(), access, groups[access.site]);
    } else {
      all.push_back(access);
    }
  }
  for (Underway& one : underway) finish(one, all);
  return all;
}

}  // namespace lanescope::gpu
