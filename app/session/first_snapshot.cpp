#include "session/first_snapshot.h"

#include <algorithm>

namespace lanescope::session {

FirstSnapshot first_snapshot(const pipeline::Options& options, bool has_gpu) {
  FirstSnapshot first;
  Snapshot& snapshot = first.snapshot;
  snapshot.choices.language = options.language;
  snapshot.choices.checks = options.checks;
  snapshot.choices.producer = options.producer;
  snapshot.available.has_gpu = has_gpu;
  snapshot.available.lessons = lesson::lesson_names(options.assets / "lessons");
  snapshot.available.devices = model::device_names(options.assets / "devices");
  for (const std::string& name : model::device_names(options.own_devices))
    snapshot.available.devices.push_back((options.own_devices / (name + ".toml")).string());
  list_device(snapshot, options.device);
  if (auto device = model::find_device(options.assets / "devices", options.device))
    snapshot.choices.device = *std::move(device);
  else
    first.error = device.error();
  return first;
}

void list_device(Snapshot& snapshot, const std::string& name) {
  if (name.ends_with(".toml") &&
      std::ranges::find(snapshot.available.devices, name) == snapshot.available.devices.end())
    snapshot.available.devices.push_back(name);
}

}  // namespace lanescope::session
