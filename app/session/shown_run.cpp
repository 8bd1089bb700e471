#include "session/shown_run.h"

#include "model/residency.h"

namespace lanescope::session {

void select(Snapshot& snapshot, const SelectionRequest& wanted) {
  snapshot.selection =
      snapshot.run ? pipeline::select(*snapshot.run, wanted, snapshot.choices.device.compute_capability)
                   : pipeline::Selection{.cta = wanted.cta, .warp = wanted.warp, .access = wanted.access};
}

void show_wave(Snapshot& snapshot, uint32_t number) {
  const trace::Trace& trace = *snapshot.run->trace;
  const uint32_t in_flight = model::residency_of(trace, snapshot.choices.device).in_flight;
  snapshot.waves = model::wave_count(volume(trace.grid), in_flight);
  snapshot.wave = model::wave_of(volume(trace.grid), in_flight, number).number;
}

bool is_finding(const Snapshot& now) {
  return now.run != nullptr && now.failed == nullptr && !now.run->trace->hazards.empty();
}

}  // namespace lanescope::session
