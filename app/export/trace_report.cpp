#include "export/trace_report.h"

#include "export/cache_text.h"
#include "export/history_report.h"
#include "export/json.h"
#include "export/machine_report.h"
#include "export/traffic_report.h"
#include "model/device_counts.h"

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

Json sites_of(const trace::Trace& trace) {
  Json json = Json::array();
  for (const trace::Site& site : trace.sites) {
    const trace::Totals& totals = trace.totals[site.id.value];
    Json entry{{"file", site.source.file},
               {"line", site.source.line},
               {"called_from", callers_json(site.called_from)},
               {"text", site.source_text},
               {"ptx", site.ptx_text},
               {"space", name_of(site.operation.space)},
               {"kind", name_of(trace::traffic_of(site.operation))},
               {"bytes_per_lane", site.operation.bytes_per_lane},
               {"requests", totals.requests},
               {"lanes", totals.lanes}};
    if (site.depends_on_order) entry["depends_on_order"] = true;
    if (site.depends_on_warp_order) entry["depends_on_warp_order"] = true;
    add_costs(entry, site.operation.space, totals);
    json.push_back(std::move(entry));
  }
  return json;
}

Json json_of(const model::TransactionTotals& totals) {
  return {{"requests", totals.requests},
          {"transactions", totals.transactions},
          {"bytes_moved", totals.bytes_moved},
          {"bytes_used", totals.bytes_used},
          {"efficiency", totals.efficiency()}};
}
Json json_of(const model::DeviceCounts::Shared& shared) {
  return {{"requests", shared.requests}, {"passes", shared.passes}, {"ideal_passes", shared.ideal_passes}};
}

/// Null where nothing counted: a kernel executes at least one instruction.
Json counted(uint64_t instructions) { return instructions == 0 ? Json() : Json(instructions); }

/// The quantities of the device; the requests of global memory are of `unit`.
Json device_counts_of(const trace::Trace& trace, const model::Device& device) {
  const model::DeviceCounts counts = model::count_for_device(trace, device);
  Json json{{"unit", name_of(model::request_unit(device.compute_capability))}, {"blocks", counts.blocks}};
  model::for_each_kind(counts, [&](const char* name, const auto& kind) { json[name] = json_of(kind); });
  return json;
}

Json operations_json(const trace::Operations& operations) {
  return {{"fp16", operations.fp16},       {"fp32", operations.fp32},     {"fp64", operations.fp64},
          {"integer", operations.integer}, {"tensor", operations.tensor}, {"tensor8", operations.tensor8}};
}

}  // namespace

std::string trace_report(const trace::Trace& trace, const model::Device& device, const ReportHeader& header,
                         const trace::History* history) {
  Json json{
      {"lanescope", LANESCOPE_VERSION},
      {"kernel", trace.kernel},
      {"file", header.file},
      {"arch", header.arch},
      {"producer", header.producer},
      {"device", device.name},
      {"level", name_of(trace.level)},
      {"launch",
       {{"grid", extent(trace.grid)},
        {"block", extent(trace.block)},
        {"shared_bytes", header.dynamic_shared_bytes}}},
      {"totals", totals_json(traffic_totals(trace))},
      {"sites", sites_of(trace)},
      {"instructions",
       {{"warp", counted(trace.warp_instructions)}, {"lane", counted(trace.lane_instructions)}}},
      {"operations", operations_json(trace.operations)},
      {"hazards", hazards_json(trace.hazards)},
      {"notes", hazards_json(trace.notes)},
      {"unchecked", trace.unchecked},
      {"output", trace.output.text},
      {"output_cut", trace.output.is_cut},
      {"dropped", trace.dropped},
      {"seconds",
       {{"compile", header.compile_seconds}, {"run", header.run_seconds}, {"model", header.model_seconds}}}};
  if (device.compute_capability < 50)
    json["device_counts"] = device_counts_of(trace, device);
  else
    json["wavefront_rules"] =
        device.compute_capability == 90 ? "measured on an H200" : "measured on an H200, not on this device";
  if (header.machine != nullptr) json["machine_code"] = machine_json(trace, *header.machine, device);
  if (header.counters != nullptr) json["counters"] = comparison_json(*header.counters);
  if (header.caches != nullptr) json["caches"] = cache_json(trace, *header.caches, device);
  if (history != nullptr) json["history"] = history_json(*history, trace.grid);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string launches_report(const std::vector<std::string>& reports) {
  Json launches = Json::array();
  Json totals = Json::object();
  for (const std::string& report : reports) {
    launches.push_back(Json::parse(report));
    for (const auto& [name, counts] : launches.back().at("totals").items())
      for (const auto& [count, value] : counts.items())
        totals[name][count] =
            (totals[name].contains(count) ? totals[name][count].get<uint64_t>() : 0) + value.get<uint64_t>();
  }
  const Json all{
      {"lanescope", LANESCOPE_VERSION}, {"launches", std::move(launches)}, {"totals", std::move(totals)}};
  return all.dump(2) + "\n";
}

}  // namespace lanescope::exporting
