#include "export/cache_text.h"

#include "base/number.h"
#include "caches/known_devices.h"
#include "caches/line_accesses.h"
#include "caches/savings.h"
#include "export/columns.h"
#include "export/model_report.h"
#include "model/sectors.h"
#include "plot/wording.h"
#include "trace/traffic.h"

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
using model::kLineBytes;
using model::kSectorBytes;

std::string count(uint64_t value) { return number(Language::English, value); }
uint64_t bytes_of(uint64_t sectors) { return sectors * kSectorBytes; }

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
    add("DRAM to L2", report.l2.dram_read, report.has_band() ? "*" : "");
    add("L2 to DRAM", report.l2.dram_written, "");
  }
  return columns.text();
}

/// Lines of the source that access other memory than shared, those that the DRAM serves most first.
std::vector<caches::LineAccesses> costliest_lines(const trace::Trace& trace, const CacheReport& report) {
  std::vector<caches::LineAccesses> lines = caches::line_accesses(trace, report);
  std::erase_if(lines, [](const caches::LineAccesses& line) { return line.caches.l1.requests == 0; });
  std::ranges::stable_sort(lines, std::ranges::greater(), [](const caches::LineAccesses& line) {
    return std::pair(line.caches.from_dram, line.caches.from_l2);
  });
  return lines;
}

std::string table_of_lines(const trace::Trace& trace, const CacheReport& report) {
  Columns columns(
      {Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  columns.add({"line", "access", "sectors", "L1", "L2", "DRAM", "source"});
  constexpr size_t kMost = 12;
  for (const auto& [site, counts, totals] : costliest_lines(trace, report)) {
    if (columns.size() > kMost) break;
    const bool loads = trace::direction_of(site->operation) == trace::Kind::Load;
    const auto share = [&](uint64_t part) {
      return loads ? percent(part, counts.l1.sectors) : std::string("-");
    };
    columns.add({site->source.line == 0 ? "-" : std::to_string(site->source.line),
                 plot::operation_name(site->operation), count(counts.l1.sectors), share(counts.l1.hits),
                 share(counts.from_l2), share(counts.from_dram), site->source_text});
  }
  return columns.text();
}

std::string microseconds(double seconds) { return fmt::format("{:.1f} us", seconds * 1e6); }

/// "1.9 times faster", or which level decides as well as before.
std::string gain_of(const caches::Saving& saving, const model::BoundTerms& bound) {
  if (saving.is_gain(bound)) return fmt::format("{:.2f} times faster", saving.factor(bound));
  return fmt::format("nothing: {} decides", model::name_of(saving.without.limit));
}

std::string table_of_levels(const model::BoundTerms& bound) {
  Columns columns({Align::Left, Align::Right, Align::Left});
  for (size_t n = 0; n < model::kLevels; ++n) {
    const auto level = static_cast<model::Level>(n);
    columns.add({std::string(model::name_of(level)), microseconds(bound.level_seconds[n]),
                 level == bound.limit ? "<- decides" : ""});
  }
  return columns.text();
}

/// Time that the launch needs at least, and what the excess of each line costs of it.
std::string savings_text(const trace::Trace& trace, const CacheReport& report, const model::Device& device) {
  const auto savings = caches::savings_of(trace, report, device);
  if (!savings) return fmt::format("\n{}\n", savings.error().message);
  std::string text = fmt::format("\ntime (MODEL, a lower bound): {}: {} for the start and the slowest of\n{}",
                                 microseconds(savings->bound.seconds()),
                                 microseconds(savings->bound.start_seconds), table_of_levels(savings->bound));
  if (savings->without_sharing)
    text += fmt::format("\n{} if no multiprocessor finds in the L2 what another has read\n",
                        microseconds(savings->without_sharing->seconds()));
  if (savings->with_all_multiprocessors)
    text += fmt::format("\n{} of {} multiprocessors have a block; with all of them: {}\n", volume(trace.grid),
                        device.multiprocessors, gain_of(*savings->with_all_multiprocessors, savings->bound));
  if (savings->under_way)
    text += "\n" + caches::sentence_of(*savings->under_way, savings->bound) +
            "; more warps, or more independent loads of a thread\n";
  if (savings->lines.empty()) return text + "\nno line has bank conflicts or excess sectors\n";
  Columns columns({Align::Right, Align::Left, Align::Left});
  columns.add({"line", "without its", "worth (MODEL)"});
  constexpr size_t kMost = 12;
  for (const caches::Saving& saving : savings->lines) {
    if (columns.size() > kMost) break;
    const trace::Site& site = *saving.site;
    columns.add(
        {site.source.line == 0 ? "-" : std::to_string(site.source.line),
         fmt::format("{} of {}",
                     site.operation.space == trace::Space::Shared ? "bank conflicts" : "excess sectors",
                     plot::operation_name(site.operation)),
         gain_of(saving, savings->bound)});
  }
  if (savings->all) columns.add({"all", "", gain_of(*savings->all, savings->bound)});
  return text + "\n" + columns.text();
}

Json savings_json(const caches::Savings& savings) {
  Json json{{"bound", bound_json(savings.bound)}, {"savings", Json::array()}};
  for (const caches::Saving& saving : savings.lines)
    json["savings"].push_back({{"site", saving.site->id.value},
                               {"line", saving.site->source.line},
                               {"factor", saving.factor(savings.bound)},
                               {"limit", model::name_of(saving.without.limit)}});
  if (savings.without_sharing) json["without_sharing"] = bound_json(*savings.without_sharing);
  if (savings.with_all_multiprocessors)
    json["with_all_multiprocessors_factor"] = savings.with_all_multiprocessors->factor(savings.bound);
  if (savings.under_way)
    json["under_way"] = {{"bytes", savings.under_way->bytes},
                         {"needed_bytes", savings.under_way->needed},
                         {"factor", savings.under_way->enough.factor(savings.bound)}};
  if (savings.all) json["all_savings_factor"] = savings.all->factor(savings.bound);
  return json;
}

}  // namespace

std::string cache_text(const trace::Trace& trace, const CacheReport& report, const model::Device& device) {
  std::string text = fmt::format("\ncaches (MODEL, {}; {}): L1 of {} KiB beside {} KiB of shared memory\n",
                                 caches::origin_of_rules(device), device.title,
                                 report.l1_lines * kLineBytes / 1024, report.carve_out_kib);
  if (!trace.is_complete) text += "the kernel was stopped: counts are of what ran before\n";
  if (!report.is_whole())
    text += fmt::format(
        "of {} of {} multiprocessors ({} of {} blocks), since the launch is large: counts are theirs, the L2 "
        "and the DRAM need all (--cache-memory), and the time takes the others to be like them\n",
        report.multiprocessors, report.all_multiprocessors, count(report.blocks), count(report.all_blocks));
  std::string band;
  if (report.has_band())
    band = fmt::format(
        "* from {} to {} sectors: the launch is at the edge of the L2, whose sets are not known\n",
        count(report.dram_read_low), count(report.dram_read_high));
  return text + table_of_kinds(report) + "\n" + table_of_paths(report) + band + "\n" +
         table_of_lines(trace, report) + savings_text(trace, report, device);
}

Json cache_json(const trace::Trace& trace, const CacheReport& report, const model::Device& device) {
  const auto sectors_json = [](const Sectors& sectors) {
    return Json{{"requests", sectors.requests}, {"sectors", sectors.sectors}, {"hits", sectors.hits}};
  };
  Json json{{"provenance", "modelled"},
            {"complete", trace.is_complete},
            {"multiprocessors", report.multiprocessors},
            {"of_multiprocessors", report.all_multiprocessors},
            {"blocks", report.blocks},
            {"carve_out_kib", report.carve_out_kib},
            {"l1_bytes", report.l1_lines * kLineBytes}};
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
    json["dram"] = {{"read_sectors", report.l2.dram_read},
                    {"read_sectors_low", report.dram_read_low},
                    {"read_sectors_high", report.dram_read_high},
                    {"written_sectors", report.l2.dram_written}};
  }
  Json sites = Json::array();
  for (const trace::Site& site : trace.sites) {
    const caches::SiteCaches& counts = report.sites[site.id.value];
    if (counts.l1.requests == 0) continue;
    sites.push_back({{"site", site.id.value},
                     {"line", site.source.line},
                     {"sectors", counts.l1.sectors},
                     {"l1_hits", counts.l1.hits},
                     {"from_l2", counts.from_l2},
                     {"from_dram", counts.from_dram}});
  }
  json["sites"] = std::move(sites);
  if (const auto savings = caches::savings_of(trace, report, device)) json["time"] = savings_json(*savings);
  return json;
}

}  // namespace lanescope::exporting
