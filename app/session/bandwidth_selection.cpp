#include "session/bandwidth_selection.h"

#include "plot/figures.h"
#include "recordings/measurement.h"
#include "session/edited_texts.h"
#include "session/recording_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::session {

void BandwidthSelection::show(Snapshot& snapshot, pipeline::Execution& execution) {
  snapshot.timings.bandwidth = nullptr;
  snapshot.timings.generation = ++generation_;
  if (!snapshot.choices.lesson) return;
  if (!snapshot.timings.recordings) list(snapshot);
  const pipeline::Options options = with_edited(options_, snapshot.choices);
  const auto made_of = [&](const recordings::Recording& times, Provenance provenance) {
    return bandwidth_of(times, provenance, *snapshot.choices.lesson, snapshot.choices.settings,
                        snapshot.choices.language, options, keys_, execution);
  };
  auto bandwidth = made_of(measured_, Provenance::Measured);
  if (const recordings::Recording* kept = recording(); !bandwidth && kept != nullptr)
    bandwidth = made_of(*kept, Provenance::Recorded);
  if (!bandwidth) {
    const recordings::Recording* kept = recording();
    if (kept != nullptr)
      list(snapshot,
           sizes_of(*kept, *snapshot.choices.lesson, snapshot.choices.settings, options, keys_, execution));
    return;
  }
  if (snapshot.run)
    for (plot::Bandwidth::Bar& bar : bandwidth->bars)
      if (bar.current) bar.emulated = recordings::emulated_counts(*snapshot.run->trace);
  snapshot.timings.bandwidth = std::make_shared<const plot::Bandwidth>(*std::move(bandwidth));
}

Result<void> BandwidthSelection::choose(Snapshot& snapshot, pipeline::Execution& execution,
                                        const std::string& name) {
  if (!snapshot.timings.recordings) list(snapshot);
  if (!recordings_->by_name.contains(name))
    return fail(ErrorKind::Usage,
                fmt::format("there is no recording '{}'; those are {}; put your own into {}", name,
                            fmt::join(snapshot.timings.recordings->names, ", "),
                            snapshot.timings.recordings->folder));
  chosen_ = name;
  list(snapshot);
  show(snapshot, execution);
  return {};
}

Result<void> BandwidthSelection::measure(Snapshot& snapshot, pipeline::Execution& execution,
                                         const std::stop_token& stop,
                                         const std::function<void(const Snapshot&)>& progress) {
  TRY(const auto gpu, gpu_.gpu());
  const pipeline::Options options = with_edited(options_, snapshot.choices);
  const recordings::MeasureRequest request{.lesson = *snapshot.choices.lesson,
                                           .settings = snapshot.choices.settings,
                                           .options = options,
                                           .stop = stop,
                                           .progress = [&](size_t done, size_t total) {
                                             snapshot.timings.measuring = MeasureProgress{done, total};
                                             progress(snapshot);
                                           }};
  auto result = measure_kernels(*gpu, request, execution, keys_, measured_);
  if (!result && result.error().kind != ErrorKind::Cancelled) gpu_.close();
  show(snapshot, execution);
  return result;
}

/// The chosen recording; null where there is none.
const recordings::Recording* BandwidthSelection::recording() {
  if (!recordings_)
    recordings_ = recordings::read_recordings(options_.assets / "recordings", options_.own_recordings);
  const auto& kept = recordings_->by_name;
  if (kept.empty()) return nullptr;
  if (!kept.contains(chosen_)) chosen_ = kept.begin()->first;
  return &kept.at(chosen_);
}

void BandwidthSelection::list(Snapshot& snapshot, std::vector<uint32_t> sizes) {
  const recordings::Recording* chosen = recording();
  RecordingList list;
  for (const auto& [name, kept] : recordings_->by_name) list.names.push_back(name);
  if (chosen != nullptr) {
    list.chosen = chosen_;
    list.gpu = chosen->gpu.name;
    list.sizes = std::move(sizes);
  }
  list.errors = recordings_->errors;
  list.folder =
      (options_.own_recordings.empty() ? options_.assets / "recordings" : options_.own_recordings).string();
  snapshot.timings.recordings = std::make_shared<const RecordingList>(std::move(list));
}

}  // namespace lanescope::session
