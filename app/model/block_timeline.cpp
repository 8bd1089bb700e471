#include "model/block_timeline.h"

#include <algorithm>
#include <map>
#include <span>

namespace lanescope::model {
namespace {

using Event = BlockTimeline::Event;

/// The events of a warp in its order. A texture's access takes a step and is not stored.
std::vector<Event> merge(std::span<const trace::StoredAccess> stored,
                         const std::vector<TimelineEntry>& accesses, const std::vector<trace::Wait>& waits) {
  std::vector<Event> events;
  uint32_t access = 0;
  const auto add_accesses_before = [&](uint32_t step) {
    for (; access < stored.size() && stored[access].step < step; ++access)
      events.push_back({.access = access, .lanes = stored[access].active, .line = accesses[access].line});
  };
  for (const trace::Wait& wait : waits) {
    add_accesses_before(wait.step);
    // Lanes of a warp that wait one after the other wait once.
    const bool is_same_meeting = wait.kind == trace::Wait::Kind::Barrier && !events.empty() &&
                                 events.back().wait == wait.kind && events.back().meeting == wait.meeting;
    if (is_same_meeting) {
      events.back().lanes.bits |= wait.lanes.bits;
      continue;
    }
    events.push_back({.wait = wait.kind,
                      .access = access,
                      .meeting = wait.meeting,
                      .lanes = wait.lanes,
                      .line = wait.line});
  }
  add_accesses_before(UINT32_MAX);
  return events;
}

/// Gives each event its column.
class Columns {
 public:
  explicit Columns(std::vector<std::vector<Event>>& events)
      : events_(events), next_(events.size()), column_(events.size()) {}

  /// Returns how many columns there are.
  uint32_t assign() {
    std::map<uint32_t, std::vector<size_t>> meetings;  // [number] warps
    for (size_t warp = 0; warp < events_.size(); ++warp)
      for (const Event& event : events_[warp])
        if (event.wait == trace::Wait::Kind::Barrier) meetings[event.meeting].push_back(warp);
    for (const auto& [number, warps] : meetings) {
      uint32_t column = 0;
      for (const size_t warp : warps) {
        advance(warp, number);
        column = std::max(column, column_[warp]);
      }
      for (const size_t warp : warps) {
        events_[warp][next_[warp]++].column = column;
        column_[warp] = column + 1;
      }
    }
    uint32_t columns = 0;
    for (size_t warp = 0; warp < events_.size(); ++warp) {
      advance(warp, std::nullopt);
      columns = std::max(columns, column_[warp]);
    }
    return columns;
  }

 private:
  /// Up to the warp's next barrier, which is that of this meeting, or to the end.
  void advance(size_t warp, std::optional<uint32_t> meeting) {
    std::vector<Event>& events = events_[warp];
    for (; next_[warp] < events.size(); ++next_[warp]) {
      Event& event = events[next_[warp]];
      if (meeting && event.wait == trace::Wait::Kind::Barrier) return;
      event.column = column_[warp]++;
    }
  }

  std::vector<std::vector<Event>>& events_;
  std::vector<size_t> next_;      // [warp] event without a column
  std::vector<uint32_t> column_;  // [warp] the next free one
};

}  // namespace

BlockTimeline block_timeline(const trace::Trace& trace, const trace::StoredBlock& block,
                             int compute_capability) {
  BlockTimeline timeline{.cta = block.cta,
                         .units = units_of(compute_capability),
                         .events = {},
                         .accesses = {},
                         .columns = 0,
                         .meetings = 0,
                         .knows_waits = block.knows_waits};
  const auto warps = static_cast<uint32_t>((volume(trace.block) + kLanes - 1) / kLanes);
  std::vector<std::vector<trace::Wait>> waits(warps);
  for (const trace::Wait& wait : block.waits) {
    waits[wait.warp.value].push_back(wait);
    if (wait.kind == trace::Wait::Kind::Barrier)
      timeline.meetings = std::max(timeline.meetings, wait.meeting + 1);
  }
  for (uint32_t warp = 0; warp < warps; ++warp) {
    timeline.accesses.push_back(warp_timeline(trace, block, WarpId{warp}, compute_capability));
    timeline.events.push_back(
        merge(trace::accesses_of(block, WarpId{warp}), timeline.accesses.back(), waits[warp]));
  }
  timeline.columns = Columns(timeline.events).assign();
  return timeline;
}

}  // namespace lanescope::model
