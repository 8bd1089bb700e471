#include "export/model_report.h"

#include "export/json.h"

namespace lanescope::exporting {
namespace {

Json partitions_of(const model::TimingReport& timing) {
  Json json = Json::array();
  for (const model::PartitionTiming& partition : timing.partitions)
    json.push_back({{"reads", partition.reads},
                    {"writes", partition.writes},
                    {"bytes", partition.read_bytes + partition.written_bytes},
                    {"busy_share", partition.busy_share},
                    {"mean_queue", partition.mean_queue}});
  return json;
}

/// [window][partition] as three matrices, so that a script can draw them.
Json windows_of(const model::TimingReport& timing) {
  Json read = Json::array(), written = Json::array(), queue = Json::array(), effective = Json::array();
  const size_t partitions = timing.partitions.size();
  for (size_t first = 0; partitions != 0 && first < timing.windows.size(); first += partitions) {
    Json reads = Json::array(), writes = Json::array(), queues = Json::array();
    for (size_t n = first; n < first + partitions; ++n) {
      reads.push_back(timing.windows[n].read_bytes);
      writes.push_back(timing.windows[n].written_bytes);
      queues.push_back(timing.windows[n].mean_queue);
    }
    const auto row = std::span(timing.windows).subspan(first, partitions);
    effective.push_back(model::imbalance_of(row, partitions, model::Traffic::Both).effective);
    read.push_back(std::move(reads));
    written.push_back(std::move(writes));
    queue.push_back(std::move(queues));
  }
  return {{"seconds", timing.window_seconds},
          {"effective_partitions", std::move(effective)},
          {"read_bytes", std::move(read)},
          {"written_bytes", std::move(written)},
          {"mean_queue", std::move(queue)}};
}

Json imbalance_of(const model::TimingReport& timing, model::Traffic traffic) {
  const model::Imbalance imbalance = timing.imbalance(traffic);
  return {{"effective_partitions", imbalance.effective}, {"busiest_share", imbalance.busiest_share}};
}

}  // namespace

Json bound_json(const model::BoundTerms& terms) {
  Json json{{"start_seconds", terms.start_seconds}, {"limit", name_of(terms.limit)}};
  for (size_t n = 0; n < model::kLevels; ++n)
    json["level_seconds"][std::string(name_of(static_cast<model::Level>(n)))] = terms.level_seconds[n];
  return json;
}

std::string model_report(const trace::Trace& trace, const model::Device& device,
                         const model::TimingReport& timing, const ModelHeader& header) {
  Json json{{"lanescope", LANESCOPE_VERSION},
            {"kernel", trace.kernel},
            {"file", header.file},
            {"device", device.name},
            {"launch",
             {{"grid", extent(trace.grid)},
              {"block", extent(trace.block)},
              {"shared_bytes", header.dynamic_shared_bytes}}},
            {"provenance", "modelled"},
            {"method", header.method},
            {"without", header.without},
            {"seconds", timing.seconds},
            {"useful_bytes", timing.useful_bytes},
            {"gib_per_second", timing.gib_per_second()},
            {"gb_per_second", timing.bytes_per_second() / 1e9}};
  if (device.memory_bytes_per_second)
    json["percent_of_peak"] = 100 * timing.bytes_per_second() / *device.memory_bytes_per_second;
  json["transactions"] = timing.transactions;
  json["bytes_moved"] = timing.bytes_moved;
  json["blocks"] = timing.blocks;
  json["blocks_missing"] = timing.blocks_missing;
  json["blocks_in_flight"] = timing.blocks_in_flight;
  if (header.seed_high > 0) json["gib_per_second_range"] = {header.seed_low, header.seed_high};
  if (header.cheap_divisions > 0)
    json["gib_per_second_by_division_cost"] = {{"half", header.cheap_divisions},
                                               {"double", header.dear_divisions}};
  json["partitions"] = partitions_of(timing);
  if (!timing.windows.empty()) {
    json["mean_effective_partitions"] = timing.imbalance(model::Traffic::Both).effective;
    json["imbalance"] = {{"read", imbalance_of(timing, model::Traffic::Read)},
                         {"written", imbalance_of(timing, model::Traffic::Written)}};
    json["windows"] = windows_of(timing);
  }
  if (header.bound) {
    json["bound"] = bound_json(*header.bound);
    json["bound"]["bytes"] = header.by_caches ? "caches" : "useful";
  }
  if (header.recorded_seconds > 0)
    json["recorded"] = {{"on", header.recorded_on},
                        {"seconds", header.recorded_seconds},
                        {"error", timing.seconds / header.recorded_seconds - 1}};
  json["model_seconds"] = header.model_seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanescope::exporting
