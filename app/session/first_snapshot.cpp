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

/// What a menu says of a lesson or a lecture.
struct Listed {
  lesson::Words title;
  size_t kernels = 0;  // of a lesson
};

/// As the file of a lesson or a lecture has it; the title is `name` where there is none to read.
Listed listed_in(const std::filesystem::path& file, const std::string& name) {
  const auto root = lesson::read_toml(file);
  if (!root) return {.title = {name, name}};
  const auto in = [&](const char* language) { return (*root)["title"][language].value_or(name); };
  const toml::array* const kernels = (*root)["kernels"].as_array();
  return {{in("english"), in("french")}, kernels == nullptr ? 0 : kernels->size()};
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
    const Listed listed = listed_in(folder / lesson::kLessonFile, name);
    snapshot.available.lesson_titles.push_back(listed.title);
    snapshot.available.lesson_sizes.push_back({listed.kernels, lesson::exercise_folders(folder).size()});
  }
  for (const std::string& name : snapshot.available.lessons) {
    const std::filesystem::path lecture = options.assets / "lessons" / name / lesson::kLectureFile;
    std::error_code ignored;
    if (!std::filesystem::exists(lecture, ignored)) continue;
    snapshot.available.lectures.push_back(name);
    snapshot.available.lecture_titles.push_back(listed_in(lecture, name).title);
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
