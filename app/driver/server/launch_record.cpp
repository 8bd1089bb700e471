#include "driver/server/launch_record.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

nlohmann::json json_of(Dim3 extent) { return {extent.x, extent.y, extent.z}; }

/// Totals as JSON: loads, stores and atomics of global and shared memory, and other rows that are not zero.
nlohmann::json totals_of(const LaunchRecord& record) {
  std::vector<exporting::TrafficTotals> rows;
  for (const trace::Space space : {trace::Space::Global, trace::Space::Shared})
    for (const trace::Traffic traffic : {trace::Traffic::Load, trace::Traffic::Store, trace::Traffic::Atomic})
      rows.push_back({space, traffic, {}});
  for (const exporting::TrafficTotals& known : record.totals) {
    const auto same = std::ranges::find_if(rows, [&](const exporting::TrafficTotals& row) {
      return row.space == known.space && row.traffic == known.traffic;
    });
    if (same == rows.end())
      rows.push_back(known);
    else
      *same = known;
  }
  return exporting::totals_json(rows);
}

}  // namespace

nlohmann::json to_json(const LaunchRecord& record) {
  nlohmann::json json{{"number", record.number},
                      {"process", record.process},
                      {"kernel", record.kernel},
                      {"entry", record.entry},
                      {"grid", json_of(record.grid)},
                      {"block", json_of(record.block)},
                      {"dynamic_shared_bytes", record.dynamic_shared_bytes},
                      {"launch",
                       {{"grid", json_of(record.grid)},
                        {"block", json_of(record.block)},
                        {"shared_bytes", record.dynamic_shared_bytes}}},
                      {"checked", record.was_checked},
                      {"findings", record.findings},
                      {"hazards", nlohmann::json(exporting::hazards_json(record.hazards))},
                      {"kept", record.file.empty() ? nlohmann::json() : nlohmann::json(record.file)}};
  if (!record.program.empty()) json["program"] = record.program;
  if (record.module != 0) json["module"] = record.module;
  if (record.measured_seconds) json["measured_seconds"] = *record.measured_seconds;
  if (record.was_emulated)
    json.update({{"emulated_seconds", record.seconds},
                 {"seconds", record.seconds},
                 {"totals", totals_of(record)},
                 {"requests", record.cost.requests},
                 {"sectors", record.cost.sectors},
                 {"ideal_sectors", record.cost.ideal_sectors},
                 {"wavefronts", record.cost.wavefronts},
                 {"ideal_wavefronts", record.cost.ideal_wavefronts},
                 {"warp_instructions", record.warp_instructions}});
  if (record.was_emulated) json["level"] = record.machine ? "sass" : "ptx";
  if (record.machine)
    json["machine_code"] = {{"arch", record.machine->arch},
                            {"registers", record.machine->registers},
                            {"matched_requests", record.machine->matched},
                            {"requests", record.machine->all},
                            {"differences", record.machine->differences}};
  if (record.caches) json["caches"] = to_json(*record.caches);
  if (record.sampled_blocks != 0)
    json["sampled"] = {{"blocks", record.sampled_blocks}, {"of", volume(record.grid)}};
  if (record.has_incomplete_inputs) json["incomplete_inputs"] = true;
  if (!record.notes.empty()) json["notes"] = record.notes;
  if (!record.error.empty()) {
    json["error"] = record.error;
    json["stopped"] = true;  // its counts are of what had run by then
  }
  if (!record.file.empty()) json["file"] = record.file;
  if (!record.inputs.empty()) json["inputs"] = record.inputs;
  if (!record.without_inputs.empty()) json["without_inputs"] = record.without_inputs;
  if (record.repeats) json["repeats"] = *record.repeats;
  if (record.comparison) json["memory_after"] = to_json(*record.comparison);
  return json;
}

}  // namespace lanescope::driver
