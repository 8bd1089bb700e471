#include "export/cost_rows.h"

#include "base/escape.h"
#include "base/lines.h"
#include "model/sectors.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using model::kSectorBytes;

using trace::Space;
using trace::Totals;

/// A line of the kernel's file, or of another one whose caller is not known.
struct Place {
  std::string line;
  std::string source;
  Location where;
};

std::string_view base_name(std::string_view file) { return file.substr(file.rfind('/') + 1); }

/// The line of the kernel's file that a site is in, or from which its function is called.
Place place_of_site(const trace::Site& site, const std::string& file,
                    const std::vector<std::string_view>& lines) {
  if (site.source.line == 0 || site.source.file == file)
    return {fmt::to_string(site.source.line), site.source_text, site.source};
  for (const Location& call : site.called_from) {
    if (call.file != file) continue;
    const auto number = static_cast<size_t>(call.line);
    std::string_view text = number >= 1 && number <= lines.size() ? lines[number - 1] : std::string_view();
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return {fmt::to_string(call.line), fmt::format("{} (in {})", text, base_name(site.source.file)), call};
  }
  return {fmt::format("{}:{}", base_name(site.source.file), site.source.line), site.source_text, site.source};
}

/// Where in a sector the first neighbors begin that do not begin with it: of the accesses that are stored.
std::optional<uint32_t> start_in_sector(const trace::Trace& trace, const CostRow& row) {
  for (const trace::StoredBlock& block : trace.blocks)
    for (const trace::StoredAccess& stored : block.accesses) {
      if (std::ranges::find(row.sites, stored.site) == row.sites.end()) continue;
      const trace::WarpAccess access = trace::view(trace, block, stored);
      if (!access.addresses.affine()) continue;
      const uint64_t start = access.addresses.at(0, std::countr_zero(access.active.bits)) % kSectorBytes;
      if (start != 0) return static_cast<uint32_t>(start);
    }
  return std::nullopt;
}

}  // namespace

uint64_t cost_of(const CostRow& row) { return row.is_shared ? row.totals.wavefronts : row.totals.sectors; }
uint64_t ideal_of(const CostRow& row) {
  return row.is_shared ? row.totals.ideal_wavefronts : row.totals.ideal_sectors;
}
uint64_t waste_of(const CostRow& row) {
  const uint64_t cost = cost_of(row), ideal = ideal_of(row);
  return cost > ideal ? (cost - ideal) * (row.is_shared ? 128 : 32) : 0;
}

std::string traffic_name(Space space, trace::Traffic traffic) {
  std::string name = fmt::format("{} {}", name_of(space), name_of(traffic));
  std::ranges::replace(name, '_', ' ');
  return name;
}

bool is_unaligned(const CostRow& row) {
  const uint64_t filled = row.totals.bytes + row.totals.bytes / 8;  // the last warp may have a rest
  return !row.is_shared && waste_of(row) != 0 && cost_of(row) - ideal_of(row) <= row.totals.requests &&
         ideal_of(row) * kSectorBytes <= filled;
}

std::vector<CostRow> cost_rows(const trace::Trace& trace, const TableSource& source, TableRows kind) {
  const std::vector<std::string_view> lines = lines_of(source.text);
  const bool has_lines =
      std::ranges::any_of(trace.sites, [](const trace::Site& site) { return site.source.line != 0; });
  std::vector<CostRow> rows;
  std::map<std::pair<std::string, std::string>, size_t> known;  // [line, access]
  for (const trace::Site& site : trace.sites) {
    const Totals& totals = trace.totals[site.id.value];
    if (totals.requests == 0) continue;
    const Space space = site.operation.space;
    const bool is_merged = has_lines && site.source.line == 0;
    const Place place =
        is_merged ? Place{"-", "(merged from several lines)", {}} : place_of_site(site, source.file, lines);
    CostRow row{.line = without_control_characters(place.line),
                .access = kind == TableRows::Sites ? without_control_characters(site.ptx_text)
                                                   : traffic_name(space, trace::traffic_of(site.operation)),
                .source = without_control_characters(place.source),
                .where = place.where,
                .is_shared = space == Space::Shared,
                .has_cost = has_addresses(space),
                .totals = totals,
                .sites = {site.id}};
    if (kind == TableRows::Lines) {
      const auto [same, is_new] = known.try_emplace({row.line, row.access}, rows.size());
      if (!is_new) {
        rows[same->second].totals += totals;
        rows[same->second].sites.push_back(site.id);
        continue;
      }
    }
    rows.push_back(std::move(row));
  }
  for (CostRow& row : rows)
    if (is_unaligned(row)) row.start = start_in_sector(trace, row);
  if (kind == TableRows::Lines) std::ranges::stable_sort(rows, std::ranges::greater(), waste_of);
  return rows;
}

std::string verdict_of(const CostRow& row) {
  if (waste_of(row) == 0) return "ideal";
  const double times = static_cast<double>(cost_of(row)) / static_cast<double>(ideal_of(row));
  if (row.start) return fmt::format("{:.3g}x: starts {} bytes into a sector", times, *row.start);
  if (is_unaligned(row)) return fmt::format("{:.3g}x: starts within a sector", times);
  return fmt::format("{:.3g}x {}", times, row.is_shared ? "bank conflicts" : "uncoalesced");
}

}  // namespace lanescope::exporting
