#include "session/shown_wave.h"

#include "model/residency.h"

namespace lanescope::session {

void show_wave(Snapshot& snapshot, uint32_t number) {
  const trace::Trace& trace = *snapshot.run->trace;
  const uint32_t in_flight = model::residency_of(trace, snapshot.choices.device).in_flight;
  snapshot.waves = model::wave_count(volume(trace.grid), in_flight);
  snapshot.wave = model::wave_of(volume(trace.grid), in_flight, number).number;
}

}  // namespace lanescope::session
