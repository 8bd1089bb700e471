#include "study/study_store.h"

#include "base/file.h"
#include "compile/content_key.h"

#include <fstream>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::study {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Changes with each build: another program may model otherwise.
std::string program() {
  std::error_code error;
  const fs::path file = fs::read_symlink("/proc/self/exe", error);
  const auto size = fs::file_size(file, error);
  const auto written = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}", file.string(), size, written);
}

/// Calls f(name, number) for each number of a report but those of its partitions and windows.
template <class Timing, class F>
void for_each_number(Timing& timing, const F& f)
  requires std::is_same_v<std::remove_const_t<Timing>, model::TimingReport>
{
  f("seconds", timing.seconds);
  f("useful_bytes", timing.useful_bytes);
  f("transactions", timing.transactions);
  f("bytes_moved", timing.bytes_moved);
  f("blocks", timing.blocks);
  f("blocks_missing", timing.blocks_missing);
  f("blocks_in_flight", timing.blocks_in_flight);
  f("window_seconds", timing.window_seconds);
}
template <class Partition, class F>
void for_each_number(Partition& partition, const F& f)
  requires std::is_same_v<std::remove_const_t<Partition>, model::PartitionTiming>
{
  f("reads", partition.reads);
  f("writes", partition.writes);
  f("read_bytes", partition.read_bytes);
  f("written_bytes", partition.written_bytes);
  f("busy_share", partition.busy_share);
  f("mean_queue", partition.mean_queue);
}
template <class Work, class F>
void for_each_number(Work& work, const F& f)
  requires std::is_same_v<std::remove_const_t<Work>, model::Work>
{
  f("memory_bytes", work.memory_bytes);
  f("l2_bytes", work.l2_bytes);
  f("path_lines", work.path_lines);
  f("wavefronts", work.wavefronts);
  f("blocks", work.blocks);
  f("blocks_in_flight", work.blocks_in_flight);
}

template <class T>
Json json_of(const T& numbers) {
  Json json;
  for_each_number(numbers, [&](const char* name, const auto& number) { json[name] = number; });
  return json;
}

template <class T>
T numbers_of(const Json& json) {
  T numbers;
  for_each_number(numbers, [&](const char* name, auto& number) { json.at(name).get_to(number); });
  return numbers;
}

}  // namespace

bool is_kept(const StudyRun& run) {
  return run.most_blocks != 0 && run.variants.empty() && !run.done && run.device.timing;
}

std::string name_of_outcome(const StudyRun& run, const pipeline::Job& job, const std::string& shapes) {
  std::string rest = fmt::format("{}\n{}\n{}\n{}\n", program(), job.kernel, shapes, run.most_blocks);
  // The shapes of a launch are those of any size.
  for (const auto& [name, value] : run.toggles) rest += fmt::format("{} = {}\n", name, value);
  rest += fmt::format("{} {}\n", run.device.name, run.device.compute_capability);
  for (const model::NumberSource& number : run.device.sources)
    rest += fmt::format("{} = {}\n", number.number, number.value);
  return compile::content_key(job.source, job.options, {}, rest);
}

std::shared_ptr<const StudyOutcome> read_outcome(const fs::path& folder, const std::string& name) {
  std::ifstream file(folder / (name + ".json"));
  if (!file) return nullptr;
  try {
    const Json json = Json::parse(file);
    StudyOutcome outcome;
    outcome.timing = numbers_of<model::TimingReport>(json.at("timing"));
    for (const Json& partition : json.at("partitions"))
      outcome.timing.partitions.push_back(numbers_of<model::PartitionTiming>(partition));
    outcome.work = numbers_of<model::Work>(json.at("work"));
    json.at("key").get_to(outcome.key);
    return std::make_shared<const StudyOutcome>(std::move(outcome));
  } catch (const Json::exception&) {
    return nullptr;  // a file that was cut or changed counts as none
  }
}

void write_outcome(const fs::path& folder, const std::string& name, const StudyOutcome& outcome) {
  Json partitions = Json::array();
  for (const model::PartitionTiming& partition : outcome.timing.partitions)
    partitions.push_back(json_of(partition));
  const Json json{{"timing", json_of(outcome.timing)},
                  {"partitions", std::move(partitions)},
                  {"work", json_of(outcome.work)},
                  {"key", outcome.key}};
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  (void)write_file(folder / (name + ".json"), json.dump());
}

}  // namespace lanescope::study
