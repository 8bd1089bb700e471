#include "session/bandwidth_selection.h"

#include "plot/figures.h"
#include "recordings/measurement.h"
#include "session/edited_texts.h"
#include "session/recording_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::session {

/// The recorded or measured times; those of the chosen device first.
std::optional<plot::Bandwidth> BandwidthSelection::find(const Snapshot& snapshot,
                                                        pipeline::Execution& execution) {
  const model::Device& device = snapshot.choices.device;
  if (!asked_for_times_ && recordings_)
    for (const auto& [name, kept] : recordings_->by_name)
      if (kept.gpu.name == device.title) chosen_ = name;
  const pipeline::Options options = with_edited(options_, snapshot.choices);
  const auto made_of = [&](const recordings::Recording& times, Provenance provenance) {
    return bandwidth_of(times, provenance, *snapshot.choices.lesson, snapshot.choices.settings,
                        snapshot.choices.language, options, keys_, execution);
  };
  const auto is_of_device = [&](const plot::Bandwidth& bandwidth) { return bandwidth.gpu == device.title; };
  auto measured = made_of(measured_, Provenance::Measured);
  if (measured && (asked_for_times_ || is_of_device(*measured))) return measured;
  const recordings::Recording* kept = recording();
  auto recorded = kept != nullptr ? made_of(*kept, Provenance::Recorded) : std::nullopt;
  if (recorded && (asked_for_times_ || is_of_device(*recorded))) return recorded;
  if (device.timing) return {};
  return measured ? measured : recorded;
}

void BandwidthSelection::publish(Snapshot& snapshot, std::optional<plot::Bandwidth> bandwidth) {
  snapshot.timings.generation = ++generation_;
  snapshot.timings.bandwidth = nullptr;
  snapshot.timings.modelling = modelled_.progress();
  if (!bandwidth) return;
  if (bandwidth->gpu != snapshot.choices.device.title) bandwidth->chosen_gpu = snapshot.choices.device.title;
  if (snapshot.run && snapshot.run->trace->is_complete && bandwidth->provenance != Provenance::Modelled &&
      bandwidth->run_size.empty())
    for (plot::Bandwidth::Bar& bar : bandwidth->bars)
      if (bar.current) bar.emulated = recordings::emulated_counts(*snapshot.run->trace);
  snapshot.timings.bandwidth = std::make_shared<const plot::Bandwidth>(*std::move(bandwidth));
}

void BandwidthSelection::show(Snapshot& snapshot, pipeline::Execution& execution) {
  modelled_.cancel();
  if (!snapshot.choices.lesson) return publish(snapshot, {});
  if (!snapshot.timings.recordings) list(snapshot);
  auto bandwidth = find(snapshot, execution);
  const bool is_modelled = !bandwidth && snapshot.choices.device.timing.has_value();
  if (is_modelled && snapshot.run && !snapshot.failed) modelled_.begin(snapshot.choices);
  const recordings::Recording* const kept = recording();
  list(snapshot, bandwidth || is_modelled || kept == nullptr
                     ? std::vector<uint32_t>()
                     : sizes_of(*kept, *snapshot.choices.lesson, snapshot.choices.settings,
                                with_edited(options_, snapshot.choices), keys_, execution));
  publish(snapshot, std::move(bandwidth));
}

void BandwidthSelection::show_device(Snapshot& snapshot, pipeline::Execution& execution) {
  asked_for_times_ = false;
  show(snapshot, execution);
}

void BandwidthSelection::model(Snapshot& snapshot, pipeline::Execution& execution,
                               const std::stop_token& stop) {
  const auto done = modelled_.advance(execution, stop);
  if (!done && done.error().kind == ErrorKind::Cancelled) return;  // to be tried again
  if (!done) modelled_.cancel();
  publish(snapshot, modelled_.made());
}

void BandwidthSelection::end_modelling(Snapshot& snapshot) {
  modelled_.cancel();
  publish(snapshot, {});
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
  asked_for_times_ = true;
  list(snapshot);
  show(snapshot, execution);
  return {};
}

Result<void> BandwidthSelection::measure(Snapshot& snapshot, pipeline::Execution& execution,
                                         const std::stop_token& stop,
                                         const std::function<void(const Snapshot&)>& progress) {
  TRY(const auto gpu, gpu_.gpu());
  asked_for_times_ = true;
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
