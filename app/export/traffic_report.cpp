#include "export/traffic_report.h"

#include <array>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

Json place(const Location& where) { return {{"file", where.file}, {"line", where.line}}; }

}  // namespace

void add_costs(Json& json, trace::Space space, const trace::Totals& totals) {
  if (!has_addresses(space)) return;
  if (space == trace::Space::Shared) {
    json["wavefronts"] = totals.wavefronts;
    json["ideal_wavefronts"] = totals.ideal_wavefronts;
  } else {
    json["sectors"] = totals.sectors;
    json["ideal_sectors"] = totals.ideal_sectors;
    json["lines"] = totals.lines;
  }
}

std::vector<TrafficTotals> traffic_totals(const trace::Trace& trace) {
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
  std::vector<TrafficTotals> all;
  for (const auto& [space, traffic] : kRows) {
    trace::Totals totals = trace::total_of(trace, space, traffic);
    // For shared memory the contract has one number for atomics, whether their result is used or not.
    if (space == Space::Shared && traffic == Traffic::Atomic)
      totals += trace::total_of(trace, Space::Shared, Traffic::Reduction);
    all.push_back({space, traffic, totals});
  }
  return all;
}

Json totals_json(const std::vector<TrafficTotals>& totals) {
  Json json;
  for (const TrafficTotals& row : totals) {
    Json entry{{"requests", row.totals.requests}, {"lanes", row.totals.lanes}};
    // What a read of a texture fetches depends on its texels and its filter.
    if (row.space != trace::Space::Texture) entry["bytes"] = row.totals.bytes;
    add_costs(entry, row.space, row.totals);
    json[fmt::format("{}_{}", name_of(row.space), name_of(row.traffic))] = std::move(entry);
  }
  return json;
}

Json callers_json(const std::vector<Location>& called_from) {
  Json json = Json::array();
  for (const Location& call : called_from) json.push_back(place(call));
  return json;
}

Json hazards_json(const std::vector<trace::Hazard>& hazards) {
  Json json = Json::array();
  for (const trace::Hazard& hazard : hazards) {
    Json entry{{"kind", name_of(hazard.kind)},    {"file", hazard.where.file},
               {"line", hazard.where.line},       {"called_from", callers_json(hazard.called_from)},
               {"message", hazard.message},       {"block", extent(hazard.block)},
               {"thread", extent(hazard.thread)}, {"count", hazard.count}};
    if (!hazard.element.empty()) entry["element"] = hazard.element;
    if (hazard.is_question) entry["is_question"] = true;
    if (hazard.in_header) entry["in_header"] = place(*hazard.in_header);
    if (const auto& other = hazard.other) {
      entry["other"] = {{"file", other->where.file},
                        {"line", other->where.line},
                        {"called_from", callers_json(other->called_from)},
                        {"block", extent(other->block)},
                        {"thread", extent(other->thread)}};
      if (other->in_header) entry["other"]["in_header"] = place(*other->in_header);
    }
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace lanescope::exporting
