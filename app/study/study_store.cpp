#include "study/study_store.h"

#include "compile/content_key.h"

#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

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

Json json_of(const model::PartitionTiming& partition) {
  return {partition.reads,         partition.writes,     partition.read_bytes,
          partition.written_bytes, partition.busy_share, partition.mean_queue};
}

Json json_of(const model::TimingReport& timing) {
  Json partitions = Json::array();
  for (const model::PartitionTiming& partition : timing.partitions) partitions.push_back(json_of(partition));
  return {{"seconds", timing.seconds},
          {"useful_bytes", timing.useful_bytes},
          {"transactions", timing.transactions},
          {"bytes_moved", timing.bytes_moved},
          {"blocks", timing.blocks},
          {"blocks_missing", timing.blocks_missing},
          {"blocks_in_flight", timing.blocks_in_flight},
          {"window_seconds", timing.window_seconds},
          {"partitions", std::move(partitions)}};
}

Json json_of(const model::Work& work) {
  return {{"wanted_bytes", work.wanted_bytes},
          {"sectors", work.sectors},
          {"lines", work.lines},
          {"wavefronts", work.wavefronts},
          {"blocks", work.blocks},
          {"blocks_in_flight", work.blocks_in_flight}};
}

model::TimingReport timing_of(const Json& json) {
  model::TimingReport timing;
  json.at("seconds").get_to(timing.seconds);
  json.at("useful_bytes").get_to(timing.useful_bytes);
  json.at("transactions").get_to(timing.transactions);
  json.at("bytes_moved").get_to(timing.bytes_moved);
  json.at("blocks").get_to(timing.blocks);
  json.at("blocks_missing").get_to(timing.blocks_missing);
  json.at("blocks_in_flight").get_to(timing.blocks_in_flight);
  json.at("window_seconds").get_to(timing.window_seconds);
  for (const Json& row : json.at("partitions")) {
    model::PartitionTiming partition;
    row.at(0).get_to(partition.reads);
    row.at(1).get_to(partition.writes);
    row.at(2).get_to(partition.read_bytes);
    row.at(3).get_to(partition.written_bytes);
    row.at(4).get_to(partition.busy_share);
    row.at(5).get_to(partition.mean_queue);
    timing.partitions.push_back(partition);
  }
  return timing;
}

model::Work work_of(const Json& json) {
  model::Work work;
  json.at("wanted_bytes").get_to(work.wanted_bytes);
  json.at("sectors").get_to(work.sectors);
  json.at("lines").get_to(work.lines);
  json.at("wavefronts").get_to(work.wavefronts);
  json.at("blocks").get_to(work.blocks);
  json.at("blocks_in_flight").get_to(work.blocks_in_flight);
  return work;
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
    outcome.timing = timing_of(json.at("timing"));
    outcome.work = work_of(json.at("work"));
    json.at("key").get_to(outcome.key);
    return std::make_shared<const StudyOutcome>(std::move(outcome));
  } catch (const Json::exception&) {
    return nullptr;  // a file that was cut or changed counts as none
  }
}

void write_outcome(const fs::path& folder, const std::string& name, const StudyOutcome& outcome) {
  std::error_code error;
  fs::create_directories(folder, error);
  // Written aside first: another process may read it.
  const fs::path aside = folder / fmt::format("{}.{}", name, getpid());
  {
    std::ofstream file(aside);
    file << Json{{"timing", json_of(outcome.timing)}, {"work", json_of(outcome.work)}, {"key", outcome.key}};
    if (!file.flush()) {
      fs::remove(aside, error);
      return;
    }
  }
  fs::rename(aside, folder / (name + ".json"), error);
}

}  // namespace lanescope::study
