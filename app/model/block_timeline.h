// All warps of a block beside each other: the accesses and waits of each in its own order. Method: every
// event of a warp takes a column, and warps that meet at a barrier do so in one column, the first that all of
// them can reach. A column is thus an order and no time: between barriers nothing is said about which warp
// comes first. Tests: tests/unit/model/block_timeline_test.cpp

#pragma once

#include "model/warp_timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::model {

struct BlockTimeline {
  /// What a warp does in a column.
  struct Event {
    uint32_t column = 0;
    std::optional<trace::Wait::Kind> wait = std::nullopt;  // absent: an access
    uint32_t access = 0;   // of an access: index in `accesses` of its warp; of a wait: accesses before it
    uint32_t meeting = 0;  // of a wait at a barrier, as in trace::Wait
    LaneMask lanes;
    int line = 0;  // of the source; 0: not known
  };

  CtaId cta;
  CostUnits units = CostUnits::Sectors;
  std::vector<std::vector<Event>> events;            // [warp] in rising order of column
  std::vector<std::vector<TimelineEntry>> accesses;  // [warp]
  uint32_t columns = 0;
  uint32_t meetings = 0;     // at barriers
  bool knows_waits = false;  // false: only accesses were recorded
};

/// Of a stored block, by the rules of this compute capability.
BlockTimeline block_timeline(const trace::Trace& trace, const trace::StoredBlock& block,
                             int compute_capability = 90);

}  // namespace lanescope::model
