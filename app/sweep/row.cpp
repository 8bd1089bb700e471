#include "sweep/row.h"

#include "model/sectors.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::sweep {
namespace {

using nlohmann::json;

std::string extent(Dim3 value) { return fmt::format("{},{},{}", value.x, value.y, value.z); }

/// The number that goes with the name, 0 at first.
template <class Value>
Value& entry(std::vector<std::pair<std::string, Value>>& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &std::pair<std::string, Value>::first);
  return found != entries.end() ? found->second : entries.emplace_back(std::string(name), Value{}).second;
}

void add_run_totals(Row& row, const pipeline::Run& run) {
  using enum trace::Space;
  for (const trace::Space space : {Global, Local, Shared, Texture, Surface})
    for (const trace::Traffic traffic : trace::kAllTraffic)
      add_totals(row, space, traffic, trace::total_of(*run.trace, pipeline::totals_of(run), space, traffic));
}

/// The L2 and the DRAM are known where all multiprocessors were modelled.
void add_caches(Row& row, const caches::CacheReport& report) {
  if (!report.is_whole()) return;
  CacheCounts& counts = row.caches ? *row.caches : row.caches.emplace();
  counts.l1_load_sectors += report.global_loads.sectors;
  counts.l1_load_sectors_hit += report.global_loads.hits;
  counts.l2_read_sectors += report.l2.read;
  counts.l2_read_sectors_hit += report.l2.read_hits;
  counts.dram_read_bytes += report.l2.dram_read * model::kSectorBytes;
}

}  // namespace

trace::Totals Row::sum() const {
  trace::Totals sum;
  for (const auto& [name, one] : totals) sum += one;
  return sum;
}

uint64_t Row::finding_count() const {
  uint64_t count = 0;
  for (const auto& [kind, one] : findings) count += one;
  return count;
}

void add_totals(Row& row, trace::Space space, trace::Traffic traffic, const trace::Totals& totals) {
  if (totals.requests == 0) return;
  // As in the report of trace: atomics of shared memory are one kind, whether their result is used or not.
  if (space == trace::Space::Shared && traffic == trace::Traffic::Reduction) traffic = trace::Traffic::Atomic;
  entry(row.totals, fmt::format("{}_{}", name_of(space), name_of(traffic))) += totals;
}

void add_finding(Row& row, trace::HazardKind kind) { ++entry(row.findings, name_of(kind)); }

bool agree(const Row& one, const Row& other) {
  const auto sorted = [](Row row) {
    row.seconds = 0;
    std::ranges::sort(row.totals, {}, &std::pair<std::string, trace::Totals>::first);
    std::ranges::sort(row.findings);
    return line_of(row);
  };
  return sorted(one) == sorted(other);
}

Row row_of(std::span<const std::shared_ptr<const pipeline::Run>> runs) {
  Row row;
  for (const auto& run : runs) {
    const trace::Trace& trace = *run->trace;
    add_run_totals(row, *run);
    for (const trace::Hazard& hazard : trace.hazards)
      if (!hazard.is_question) add_finding(row, hazard.kind);
    if (run->caches) add_caches(row, *run->caches);
    row.warp_instructions += trace.warp_instructions;
    row.lane_instructions += trace.lane_instructions;
    row.kernel = run->kernel;
    row.grid = extent(trace.grid);
    row.block = extent(trace.block);
    row.shared_bytes = trace.shared_bytes;
    row.provenance = name_of(trace.provenance);
    if (run->output_correct) row.output_correct = run->output_correct;
    ++row.launches;
  }
  return row;
}

std::string line_of(const Row& row) {
  json totals = json::object();
  for (const auto& [name, one] : row.totals)
    for (const auto& [count, member] : kCounts) totals[name][std::string(count)] = one.*member;
  json findings = json::object();
  for (const auto& [kind, count] : row.findings) findings[kind] = count;
  json caches;
  if (row.caches)
    for (const auto& [name, member] : kCacheCounts) caches[name] = (*row.caches).*member;
  json line{{"number", row.number},
            {"problem", row.problem},
            {"note", row.note},
            {"kernel", row.kernel},
            {"grid", row.grid},
            {"block", row.block},
            {"shared_bytes", row.shared_bytes},
            {"launches", row.launches},
            {"provenance", row.provenance},
            {"warp_instructions", row.warp_instructions},
            {"lane_instructions", row.lane_instructions},
            {"totals", std::move(totals)},
            {"findings", std::move(findings)},
            {"caches", std::move(caches)},
            {"seconds", row.seconds}};
  if (row.output_correct) line["output_correct"] = *row.output_correct;
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Row> row_of_line(std::string_view line) {
  Row row;
  try {
    const json all = json::parse(line);
    all.at("number").get_to(row.number);
    all.at("problem").get_to(row.problem);
    all.at("note").get_to(row.note);
    all.at("kernel").get_to(row.kernel);
    all.at("grid").get_to(row.grid);
    all.at("block").get_to(row.block);
    all.at("shared_bytes").get_to(row.shared_bytes);
    all.at("launches").get_to(row.launches);
    all.at("provenance").get_to(row.provenance);
    all.at("warp_instructions").get_to(row.warp_instructions);
    all.at("lane_instructions").get_to(row.lane_instructions);
    for (const auto& [name, counts] : all.at("totals").items()) {
      trace::Totals& totals = entry(row.totals, name);
      for (const auto& [count, member] : kCounts) counts.at(std::string(count)).get_to(totals.*member);
    }
    for (const auto& [kind, count] : all.at("findings").items()) entry(row.findings, kind) = count;
    if (const json& caches = all.at("caches"); !caches.is_null()) {
      row.caches.emplace();
      for (const auto& [name, member] : kCacheCounts) caches.at(name).get_to((*row.caches).*member);
    }
    if (all.contains("output_correct")) row.output_correct = all["output_correct"].get<bool>();
    all.at("seconds").get_to(row.seconds);
  } catch (const json::exception& problem) {
    return fail(ErrorKind::Syntax, fmt::format("a row of a sweep is damaged: {}", problem.what()));
  }
  return row;
}

}  // namespace lanescope::sweep
