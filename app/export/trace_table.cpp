#include "export/trace_table.h"

#include "base/escape.h"
#include "export/columns.h"
#include "model/device_counts.h"
#include "plot/wording.h"
#include "trace/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

#include <fmt/color.h>
#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using trace::Space;
using trace::Totals;

std::string count(uint64_t value) { return number(Language::English, value); }

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

std::string rows_text(const std::vector<CostRow>& rows, const TableStyle& style) {
  const uint64_t all_waste =
      std::accumulate(rows.begin(), rows.end(), uint64_t{0},
                      [](uint64_t sum, const CostRow& row) { return sum + waste_of(row); });
  const bool by_line = style.rows == TableRows::Lines;
  Columns columns({Align::Right, Align::Left, Align::Right, Align::Right, Align::Left, Align::Right,
                   Align::Left, Align::Left, Align::Left});
  columns.add(
      {"line", by_line ? "access" : "instruction", "requests", "cost", "", "ideal", "waste", "", "source"});
  for (const CostRow& row : rows) {
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
  if (const auto rows = cost_rows(trace, source, style.rows); !rows.empty())
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
