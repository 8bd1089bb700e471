#include "export/cache_text.h"

#include "base/number.h"
#include "export/columns.h"
#include "plot/wording.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using caches::CacheReport;
using caches::Sectors;

std::string count(uint64_t value) { return number(Language::English, value); }
uint64_t bytes_of(uint64_t sectors) { return sectors * caches::kSectorBytes; }

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

struct Kind {
  const char* name;
  const char* key;
  const Sectors CacheReport::* sectors;
};
constexpr std::array kKinds{Kind{"global loads", "global_loads", &CacheReport::global_loads},
                            Kind{"global stores", "global_stores", &CacheReport::global_stores},
                            Kind{"local loads", "local_loads", &CacheReport::local_loads},
                            Kind{"local stores", "local_stores", &CacheReport::local_stores},
                            Kind{"atomics", "atomics", &CacheReport::atomics}};

/// Sites whose sectors come from the DRAM, those with most first.
std::vector<const trace::Site*> costliest(const trace::Trace& trace, const CacheReport& report) {
  std::vector<const trace::Site*> sites;
  for (const trace::Site& site : trace.sites)
    if (report.sites[site.id.value].l1.sectors != 0 && report.sites[site.id.value].l1.requests != 0)
      sites.push_back(&site);
  std::ranges::stable_sort(sites, std::ranges::greater(), [&](const trace::Site* site) {
    const caches::SiteCaches& counts = report.sites[site->id.value];
    return std::pair(counts.from_dram, counts.from_l2);
  });
  return sites;
}

std::string table_of_kinds(const CacheReport& report) {
  Columns columns({Align::Left, Align::Right, Align::Right, Align::Right});
  columns.add({"L1", "requests", "sectors", "hit"});
  for (const Kind& kind : kKinds) {
    const Sectors& sectors = report.*kind.sectors;
    if (sectors.requests == 0) continue;
    const bool is_atomic = kind.sectors == &CacheReport::atomics;
    columns.add({kind.name, count(sectors.requests), count(sectors.sectors),
                 is_atomic ? "-" : percent(sectors.hits, sectors.sectors)});
  }
  return columns.text();
}

std::string table_of_paths(const CacheReport& report) {
  Columns columns({Align::Left, Align::Right, Align::Right, Align::Right});
  columns.add({"path", "sectors", "bytes", "hit"});
  const auto add = [&](const char* name, uint64_t sectors, std::string hit) {
    columns.add({name, count(sectors), count(bytes_of(sectors)), std::move(hit)});
  };
  add("L2 to L1", report.l2_to_l1,
      report.is_whole() ? percent(report.l2.read_hits + report.l2.from_home, report.l2.read) : "");
  add("L1 to L2", report.l1_to_l2, "");
  if (report.is_whole()) {
    add("DRAM to L2", report.l2.dram_read, "");
    add("L2 to DRAM", report.l2.dram_written, "");
  }
  return columns.text();
}

/// Accesses of one kind of a source line.
struct Row {
  const trace::Site* site = nullptr;  // the first of them
  caches::SiteCaches counts;
};

/// The sites by line and kind, in the order of the costliest.
std::vector<Row> rows_of(const trace::Trace& trace, const CacheReport& report) {
  std::vector<Row> rows;
  for (const trace::Site* site : costliest(trace, report)) {
    const auto is_like = [&](const Row& row) {
      return row.site->source == site->source && row.site->operation.kind == site->operation.kind &&
             row.site->operation.space == site->operation.space;
    };
    auto found = std::ranges::find_if(rows, is_like);
    if (found == rows.end()) found = rows.insert(rows.end(), {site, {}});
    const caches::SiteCaches& counts = report.sites[site->id.value];
    found->counts.l1 += counts.l1;
    found->counts.from_l2 += counts.from_l2;
    found->counts.from_dram += counts.from_dram;
  }
  return rows;
}

std::string table_of_lines(const trace::Trace& trace, const CacheReport& report) {
  Columns columns(
      {Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  columns.add({"line", "access", "sectors", "L1", "L2", "DRAM", "source"});
  constexpr size_t kMost = 12;
  for (const auto& [site, counts] : rows_of(trace, report)) {
    if (columns.size() > kMost) break;
    const bool loads =
        site->operation.kind == trace::Kind::Load || site->operation.kind == trace::Kind::AsyncCopy;
    const auto share = [&](uint64_t part) {
      return loads ? percent(part, counts.l1.sectors) : std::string("-");
    };
    columns.add({site->source.line == 0 ? "-" : std::to_string(site->source.line),
                 plot::operation_name(site->operation), count(counts.l1.sectors), share(counts.l1.hits),
                 share(counts.from_l2), share(counts.from_dram), site->source_text});
  }
  return columns.text();
}

}  // namespace

std::string cache_text(const trace::Trace& trace, const CacheReport& report, const model::Device& device) {
  std::string text = fmt::format(
      "\ncaches (MODEL, rules measured on an H100 and an H200; {}): L1 of {} KiB beside {} KiB of "
      "shared memory\n",
      device.title, report.l1_lines * caches::kLineBytes / 1024, report.carve_out_kib);
  if (!trace.is_complete) text += "the kernel was stopped: counts are of what ran before\n";
  if (!report.is_whole())
    text += fmt::format(
        "of {} of {} multiprocessors ({} of {} blocks), since the launch is large: counts are theirs, the L2 "
        "and "
        "the DRAM need all\n",
        report.multiprocessors, report.all_multiprocessors, count(report.blocks), count(report.all_blocks));
  return text + table_of_kinds(report) + "\n" + table_of_paths(report) + "\n" + table_of_lines(trace, report);
}

Json cache_json(const trace::Trace& trace, const CacheReport& report) {
  const auto sectors_json = [](const Sectors& sectors) {
    return Json{{"requests", sectors.requests}, {"sectors", sectors.sectors}, {"hits", sectors.hits}};
  };
  Json json{{"provenance", "modelled"},
            {"complete", trace.is_complete},
            {"multiprocessors", report.multiprocessors},
            {"of_multiprocessors", report.all_multiprocessors},
            {"blocks", report.blocks},
            {"carve_out_kib", report.carve_out_kib},
            {"l1_bytes", report.l1_lines * caches::kLineBytes}};
  Json l1 = Json::object();
  for (const Kind& kind : kKinds) l1[kind.key] = sectors_json(report.*kind.sectors);
  json["l1"] = std::move(l1);
  json["l2_to_l1_sectors"] = report.l2_to_l1;
  json["l1_to_l2_sectors"] = report.l1_to_l2;
  if (report.is_whole()) {
    json["l2"] = {{"read_sectors", report.l2.read},
                  {"read_hits", report.l2.read_hits},
                  {"read_from_other_partition", report.l2.from_home},
                  {"written_sectors", report.l2.written}};
    json["dram"] = {{"read_sectors", report.l2.dram_read}, {"written_sectors", report.l2.dram_written}};
  }
  Json sites = Json::array();
  for (const trace::Site* site : costliest(trace, report)) {
    const caches::SiteCaches& counts = report.sites[site->id.value];
    sites.push_back({{"site", site->id.value},
                     {"line", site->source.line},
                     {"sectors", counts.l1.sectors},
                     {"l1_hits", counts.l1.hits},
                     {"from_l2", counts.from_l2},
                     {"from_dram", counts.from_dram}});
  }
  json["sites"] = std::move(sites);
  return json;
}

}  // namespace lanescope::exporting
