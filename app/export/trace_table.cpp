#include "export/trace_table.h"

#include "base/escape.h"
#include "base/lines.h"
#include "export/columns.h"
#include "model/device_counts.h"
#include "plot/wording.h"
#include "trace/traffic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/color.h>
#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using trace::Space;
using trace::Totals;

/// Of one source line and kind of access, or of one site.
struct Row {
  std::string line;  // "17", "tools.h:17"
  std::string access;
  std::string source;
  bool is_shared = false;
  bool has_cost = true;  // not of textures and surfaces, which have no addresses
  Totals totals;
  std::vector<SiteId> sites = {};      // that it sums up
  std::optional<uint32_t> start = {};  // start_in_sector()
};

uint64_t cost_of(const Row& row) { return row.is_shared ? row.totals.wavefronts : row.totals.sectors; }
uint64_t ideal_of(const Row& row) {
  return row.is_shared ? row.totals.ideal_wavefronts : row.totals.ideal_sectors;
}
/// Bytes that are transferred beyond the ideal.
uint64_t waste_of(const Row& row) {
  const uint64_t cost = cost_of(row), ideal = ideal_of(row);
  return cost > ideal ? (cost - ideal) * (row.is_shared ? 128 : 32) : 0;
}

/// A line of the kernel's file, or of another one whose caller is not known.
struct Place {
  std::string line;    // "17", "tools.h:17"; "-": the compiler merged several lines
  std::string source;  // the line's text; after that of a caller, "(in tools.h)"
};

std::string_view base_name(std::string_view file) { return file.substr(file.rfind('/') + 1); }

/// The line of the kernel's file that a site is in, or from which its function is called.
Place place_of(const trace::Site& site, const std::string& file, const std::vector<std::string_view>& lines) {
  if (site.source.line == 0 || site.source.file == file)
    return {fmt::to_string(site.source.line), site.source_text};
  for (const Location& call : site.called_from) {
    if (call.file != file) continue;
    const auto number = static_cast<size_t>(call.line);
    std::string_view text = number >= 1 && number <= lines.size() ? lines[number - 1] : std::string_view();
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return {fmt::to_string(call.line), fmt::format("{} (in {})", text, base_name(site.source.file))};
  }
  return {fmt::format("{}:{}", base_name(site.source.file), site.source.line), site.source_text};
}

std::string traffic_name(Space space, trace::Traffic traffic) {
  std::string name = fmt::format("{} {}", name_of(space), name_of(traffic));
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// Neighbors that begin within a sector take one sector too many, of sectors that they fill.
bool may_be_misaligned(const Row& row) {
  constexpr uint64_t kSectorBytes = 32;
  const uint64_t filled = row.totals.bytes + row.totals.bytes / 8;  // the last warp may have a rest
  return !row.is_shared && waste_of(row) != 0 && cost_of(row) - ideal_of(row) <= row.totals.requests &&
         ideal_of(row) * kSectorBytes <= filled;
}

/// Where in a sector the first neighbors begin that do not begin with it: of the accesses that are stored.
std::optional<uint32_t> start_in_sector(const trace::Trace& trace, const Row& row) {
  constexpr uint64_t kSectorBytes = 32;
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

std::vector<Row> rows_of(const trace::Trace& trace, const TableSource& source, TableRows kind) {
  const std::vector<std::string_view> lines = lines_of(source.text);
  const bool has_lines =
      std::ranges::any_of(trace.sites, [](const trace::Site& site) { return site.source.line != 0; });
  std::vector<Row> rows;
  std::map<std::pair<std::string, std::string>, size_t> known;  // [line, access]
  for (const trace::Site& site : trace.sites) {
    const Totals& totals = trace.totals[site.id.value];
    if (totals.requests == 0) continue;
    const Space space = site.operation.space;
    const bool is_merged = has_lines && site.source.line == 0;
    const Place place =
        is_merged ? Place{"-", "(merged from several lines)"} : place_of(site, source.file, lines);
    Row row{.line = without_control_characters(place.line),
            .access = kind == TableRows::Sites ? without_control_characters(site.ptx_text)
                                               : traffic_name(space, trace::traffic_of(site.operation)),
            .source = without_control_characters(place.source),
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
  for (Row& row : rows)
    if (may_be_misaligned(row)) row.start = start_in_sector(trace, row);
  if (kind == TableRows::Lines) std::ranges::stable_sort(rows, std::ranges::greater(), waste_of);
  return rows;
}

std::string count(uint64_t value) { return number(Language::English, value); }

/// How a row compares with its ideal: "ideal", "8x uncoalesced", "1.25x: starts 4 bytes into a sector".
std::string verdict_of(const Row& row) {
  if (waste_of(row) == 0) return "ideal";
  const double times = static_cast<double>(cost_of(row)) / static_cast<double>(ideal_of(row));
  if (row.start) return fmt::format("{:.3g}x: starts {} bytes into a sector", times, *row.start);
  if (may_be_misaligned(row)) return fmt::format("{:.3g}x: starts within a sector", times);
  return fmt::format("{:.3g}x {}", times, row.is_shared ? "bank conflicts" : "uncoalesced");
}

constexpr size_t kBarCells = 8;

/// A bar for a share of 1, in eighths of a cell.
std::string bar_of(double share) {
  constexpr std::array kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<size_t>(std::ceil(share * kBarCells * 8));
  std::string bar;
  for (size_t cell = 0; cell < eighths / 8; ++cell) bar += "█";
  return bar + kEighths[eighths % 8];
}

std::string totals_text(const trace::Trace& trace) {
  Columns columns({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
  columns.add({"", "requests", "bytes", "sectors", "wavefronts", "ideal"});
  for (const Space space :
       {Space::Global, Space::Local, Space::Shared, Space::Constant, Space::Texture, Space::Surface})
    for (const trace::Traffic traffic : trace::kAllTraffic) {
      const Totals totals = trace::total_of(trace, space, traffic);
      if (totals.requests == 0) continue;
      const bool shared = space == Space::Shared;
      const bool has_sectors = !shared && has_addresses(space);
      columns.add({traffic_name(space, traffic), count(totals.requests),
                   space == Space::Texture ? "-" : count(totals.bytes),
                   has_sectors ? count(totals.sectors) : "-", shared ? count(totals.wavefronts) : "-",
                   shared        ? count(totals.ideal_wavefronts)
                   : has_sectors ? count(totals.ideal_sectors)
                                 : "-"});
    }
  return columns.text([](size_t, size_t, const std::string& cell) { return cell; });
}

std::string rows_text(const std::vector<Row>& rows, const TableStyle& style) {
  const uint64_t all_waste =
      std::accumulate(rows.begin(), rows.end(), uint64_t{0},
                      [](uint64_t sum, const Row& row) { return sum + waste_of(row); });
  const bool by_line = style.rows == TableRows::Lines;
  Columns columns({Align::Right, Align::Left, Align::Right, Align::Right, Align::Left, Align::Right,
                   Align::Left, Align::Left, Align::Left});
  columns.add(
      {"line", by_line ? "access" : "instruction", "requests", "cost", "", "ideal", "waste", "", "source"});
  for (const Row& row : rows) {
    const double share =
        all_waste == 0 ? 0 : static_cast<double>(waste_of(row)) / static_cast<double>(all_waste);
    if (!row.has_cost) {
      columns.add({row.line, row.access, count(row.totals.requests), "-", "", "-", "", "", row.source});
      continue;
    }
    columns.add({row.line, row.access, count(row.totals.requests), count(cost_of(row)),
                 row.is_shared ? "wavefronts" : "sectors", count(ideal_of(row)), bar_of(share),
                 verdict_of(row), row.source});
  }
  constexpr size_t kBar = 6, kVerdict = 7;
  return columns.text([&](size_t line, size_t column, const std::string& cell) {
    if (!style.colored || cell.empty() || line == 0 || (column != kBar && column != kVerdict)) return cell;
    const bool is_ideal = waste_of(rows[line - 1]) == 0;
    return fmt::format(fg(is_ideal ? fmt::terminal_color::green : fmt::terminal_color::yellow), "{}", cell);
  });
}

}  // namespace

std::string trace_table(const trace::Trace& trace, const TableSource& source, const TableStyle& style) {
  std::string text =
      fmt::format("{}  grid {} x {} x {}  block {} x {} x {}  ({})\n\n",
                  without_control_characters(trace.kernel), trace.grid.x, trace.grid.y, trace.grid.z,
                  trace.block.x, trace.block.y, trace.block.z, name_of(trace.provenance));
  text += totals_text(trace);
  if (const auto rows = rows_of(trace, source, style.rows); !rows.empty())
    text += "\n" + rows_text(rows, style);
  if (trace.warp_instructions != 0)
    text += fmt::format("\n{} warp instructions, {} lane instructions\n", count(trace.warp_instructions),
                        count(trace.lane_instructions));
  if (std::ranges::any_of(trace.sites, [](const auto& site) { return !has_addresses(site.operation.space); }))
    text +=
        "textures and surfaces have no sectors here: where their texels lie in memory is not documented\n";
  if (trace.dropped != 0)
    text += fmt::format("{} accesses were counted but not stored, for lack of room\n", count(trace.dropped));
  return text;
}

std::string device_table(const trace::Trace& trace, const model::Device& device) {
  if (device.compute_capability >= 50 || trace.blocks.empty()) return {};
  const model::DeviceCounts counts = model::count_for_device(trace, device);
  Columns columns({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
  columns.add({"", "requests", "transactions", "bytes moved", "bytes used"});
  Columns shared({Align::Left, Align::Right, Align::Right, Align::Right});
  shared.add({"", "requests", "passes", "ideal"});
  bool has_shared = false;
  model::for_each_kind(counts, [&]<class Kind>(std::string name, const Kind& kind) {
    if (kind.requests == 0) return;
    std::ranges::replace(name, '_', ' ');
    if constexpr (std::is_same_v<Kind, model::DeviceCounts::Shared>) {
      has_shared = true;
      shared.add({name, count(kind.requests), count(kind.passes), count(kind.ideal_passes)});
    } else {
      columns.add({name, count(kind.requests), count(kind.transactions), count(kind.bytes_moved),
                   count(kind.bytes_used)});
    }
  });
  const uint64_t blocks = volume(trace.grid);
  const std::string part =
      counts.blocks == blocks ? "" : fmt::format(", {} of {} blocks", count(counts.blocks), count(blocks));
  return fmt::format("\nby the rules of {} (modelled{}); a request of global memory is of a {}\n{}{}",
                     device.title, part, name_of(model::request_unit(device.compute_capability)),
                     columns.text(), has_shared ? "\n" + shared.text() : "");
}

}  // namespace lanescope::exporting
