#include "export/trace_report.h"

#include "export/history_report.h"
#include "export/json.h"
#include "model/device_counts.h"
#include "trace/traffic.h"

#include <array>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

bool counts_wavefronts(trace::Space space) { return space == trace::Space::Shared; }

void add_costs(Json& json, trace::Space space, const trace::Totals& totals) {
  if (!has_addresses(space)) return;
  if (counts_wavefronts(space)) {
    json["wavefronts"] = totals.wavefronts;
    json["ideal_wavefronts"] = totals.ideal_wavefronts;
  } else {
    json["sectors"] = totals.sectors;
    json["ideal_sectors"] = totals.ideal_sectors;
    json["lines"] = totals.lines;
  }
}

Json totals_of(const trace::Trace& trace) {
  using trace::Space;
  using trace::Traffic;
  struct Row {
    Space space;
    Traffic traffic;
  };
  static constexpr std::array kRows{
      Row{Space::Global, Traffic::Load},       Row{Space::Global, Traffic::Store},
      Row{Space::Global, Traffic::Atomic},     Row{Space::Global, Traffic::Reduction},
      Row{Space::Global, Traffic::AsyncCopy},  Row{Space::Global, Traffic::BulkLoad},
      Row{Space::Global, Traffic::BulkStore},  Row{Space::Global, Traffic::BulkReduce},
      Row{Space::Local, Traffic::Load},        Row{Space::Local, Traffic::Store},
      Row{Space::Shared, Traffic::Load},       Row{Space::Shared, Traffic::Store},
      Row{Space::Shared, Traffic::Atomic},     Row{Space::Shared, Traffic::AsyncCopy},
      Row{Space::Shared, Traffic::BulkLoad},   Row{Space::Shared, Traffic::BulkStore},
      Row{Space::Shared, Traffic::TensorLoad}, Row{Space::Texture, Traffic::Load},
      Row{Space::Surface, Traffic::Load},      Row{Space::Surface, Traffic::Store}};
  Json json;
  for (const auto& [space, traffic] : kRows) {
    trace::Totals totals = trace::total_of(trace, space, traffic);
    // For shared memory the contract has one number for atomics, whether their result is used or not.
    if (space == Space::Shared && traffic == Traffic::Atomic)
      totals += trace::total_of(trace, Space::Shared, Traffic::Reduction);
    Json entry{{"requests", totals.requests}, {"lanes", totals.lanes}};
    // What a read of a texture fetches depends on its texels and its filter.
    if (space != Space::Texture) entry["bytes"] = totals.bytes;
    add_costs(entry, space, totals);
    json[fmt::format("{}_{}", name_of(space), name_of(traffic))] = std::move(entry);
  }
  return json;
}

Json callers_of(const trace::Site& site) {
  Json json = Json::array();
  for (const Location& call : site.called_from) json.push_back({{"file", call.file}, {"line", call.line}});
  return json;
}

Json sites_of(const trace::Trace& trace) {
  Json json = Json::array();
  for (const trace::Site& site : trace.sites) {
    const trace::Totals& totals = trace.totals[site.id.value];
    Json entry{{"file", site.source.file},
               {"line", site.source.line},
               {"called_from", callers_of(site)},
               {"text", site.source_text},
               {"ptx", site.ptx_text},
               {"space", name_of(site.operation.space)},
               {"kind", name_of(trace::traffic_of(site.operation))},
               {"bytes_per_lane", site.operation.bytes_per_lane},
               {"requests", totals.requests},
               {"lanes", totals.lanes}};
    if (site.depends_on_order) entry["depends_on_order"] = true;
    add_costs(entry, site.operation.space, totals);
    json.push_back(std::move(entry));
  }
  return json;
}

Json hazards_of(const std::vector<trace::Hazard>& hazards) {
  Json json = Json::array();
  for (const trace::Hazard& hazard : hazards) {
    Json entry{{"kind", name_of(hazard.kind)},  {"file", hazard.where.file},
               {"line", hazard.where.line},     {"message", hazard.message},
               {"block", extent(hazard.block)}, {"thread", extent(hazard.thread)},
               {"count", hazard.count}};
    if (hazard.other)
      entry["other"] = {{"file", hazard.other->where.file},
                        {"line", hazard.other->where.line},
                        {"block", extent(hazard.other->block)},
                        {"thread", extent(hazard.other->thread)}};
    json.push_back(std::move(entry));
  }
  return json;
}

Json transactions(const model::TransactionTotals& totals) {
  return {{"requests", totals.requests},
          {"transactions", totals.transactions},
          {"bytes_moved", totals.bytes_moved},
          {"bytes_used", totals.bytes_used},
          {"efficiency", totals.efficiency()}};
}
Json passes(const model::DeviceCounts::Shared& shared) {
  return {{"requests", shared.requests}, {"passes", shared.passes}, {"ideal_passes", shared.ideal_passes}};
}

/// Null where nothing counted: a kernel executes at least one instruction.
Json counted(uint64_t instructions) { return instructions == 0 ? Json() : Json(instructions); }

/// The quantities of the device; the requests of global memory are of `unit`.
Json device_counts_of(const trace::Trace& trace, const model::Device& device) {
  const model::DeviceCounts counts = model::count_for_device(trace, device);
  return {{"unit", name_of(model::request_unit(device.compute_capability))},
          {"blocks", counts.blocks},
          {"global_load", transactions(counts.global_load)},
          {"global_store", transactions(counts.global_store)},
          {"global_atomic", transactions(counts.global_atomic)},
          {"shared_load", passes(counts.shared_load)},
          {"shared_store", passes(counts.shared_store)},
          {"shared_atomic", passes(counts.shared_atomic)}};
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
      {"launch",
       {{"grid", extent(trace.grid)},
        {"block", extent(trace.block)},
        {"shared_bytes", header.dynamic_shared_bytes}}},
      {"totals", totals_of(trace)},
      {"sites", sites_of(trace)},
      {"instructions",
       {{"warp", counted(trace.warp_instructions)}, {"lane", counted(trace.lane_instructions)}}},
      {"hazards", hazards_of(trace.hazards)},
      {"notes", hazards_of(trace.notes)},
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
