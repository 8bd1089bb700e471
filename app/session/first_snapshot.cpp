#include "session/first_snapshot.h"

#include "lesson/exercise.h"
#include "lesson/lecture.h"
#include "lesson/table_reader.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

namespace lanescope::session {
namespace {

/// A file that cannot be read is listed by its name; choosing it says what is wrong.
Available::DeviceName name_of(const pipeline::Options& options, const std::string& name) {
  const auto device = model::find_device(options.assets / "devices", name);
  if (!device) return {.name = name, .title = std::filesystem::path(name).stem().string()};
  return {.name = name,
          .title = device->title,
          .compute_capability = device->compute_capability,
          .has_partition_map = device->partitions.hash == model::PartitionMap::Hash::Linear};
}

/// The title in the file of a lesson or a lecture; `name` where there is none to read.
lesson::Words title_of(const std::filesystem::path& file, const std::string& name) {
  const auto root = lesson::read_toml(file);
  if (!root) return {name, name};
  const auto in = [&](const char* language) { return (*root)["title"][language].value_or(name); };
  return {in("english"), in("french")};
}

/// How many kernels the lesson's file lists.
size_t kernels_in(const std::filesystem::path& file) {
  const auto root = lesson::read_toml(file);
  const toml::array* const kernels = root ? (*root)["kernels"].as_array() : nullptr;
  return kernels == nullptr ? 0 : kernels->size();
}

}  // namespace

FirstSnapshot first_snapshot(const pipeline::Options& options, bool has_gpu) {
  FirstSnapshot first;
  Snapshot& snapshot = first.snapshot;
  snapshot.choices.language = options.language;
  snapshot.choices.checks = options.checks;
  snapshot.choices.producer = options.producer;
  snapshot.available.has_gpu = has_gpu;
  snapshot.available.lessons = lesson::lesson_names(options.assets / "lessons");
  for (const std::string& name : snapshot.available.lessons) {
    const std::filesystem::path folder = options.assets / "lessons" / name;
    snapshot.available.lesson_titles.push_back(title_of(folder / lesson::kLessonFile, name));
    snapshot.available.lesson_sizes.push_back(
        {kernels_in(folder / lesson::kLessonFile), lesson::exercise_folders(folder).size()});
  }
  for (const std::string& name : snapshot.available.lessons) {
    const std::filesystem::path lecture = options.assets / "lessons" / name / lesson::kLectureFile;
    std::error_code ignored;
    if (!std::filesystem::exists(lecture, ignored)) continue;
    snapshot.available.lectures.push_back(name);
    snapshot.available.lecture_titles.push_back(title_of(lecture, name));
  }
  for (const std::string& name : model::device_names(options.assets / "devices"))
    list_device(snapshot, options, name);
  for (const std::string& name : model::device_names(options.own_devices))
    list_device(snapshot, options, (options.own_devices / (name + ".toml")).string());
  if (options.device.ends_with(".toml")) list_device(snapshot, options, options.device);
  if (auto device = model::find_device(options.assets / "devices", options.device))
    snapshot.choices.device = *std::move(device);
  else
    first.error = device.error();
  return first;
}

void list_device(Snapshot& snapshot, const pipeline::Options& options, const std::string& name) {
  auto& devices = snapshot.available.devices;
  if (std::ranges::find(devices, name, &Available::DeviceName::name) != devices.end()) return;
  devices.push_back(name_of(options, name));
  std::ranges::sort(devices, {}, [](const Available::DeviceName& device) {
    return std::tuple(device.compute_capability, device.title, device.name);
  });
}

}  // namespace lanescope::session
