#include "shell/shown_figure.h"

#include "pipeline/run.h"
#include "session/snapshot.h"

namespace lanescope::shell {

plot::FigureData figure_data_of(const session::Snapshot& now, const std::vector<model::ValueMap>& values) {
  const pipeline::Run& run = *now.run;
  plot::FigureData data{.trace = run.trace.get(),
                        .device = &now.choices.device,
                        .partitions = run.partitions.get(),
                        .partitions_reason = run.partitions_reason,
                        .tiles = run.tiles.get(),
                        .wave = now.wave,
                        .timeline = &now.selection.timeline,
                        .values = &values,
                        .bandwidth = now.timings.bandwidth.get()};
  if (const auto& access = now.selection.current) {
    data.access = &access->traced;
    data.banks = access->banks ? &*access->banks : nullptr;
    data.sectors = access->sectors ? &*access->sectors : nullptr;
  }
  return data;
}

}  // namespace lanescope::shell
