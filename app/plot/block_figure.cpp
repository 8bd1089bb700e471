// Blocks and tiles: for each matrix that the kernel reads or writes, which block works on which part.
// Numbers are launch order; the color is the partition in which the tile starts (the order itself where the
// partitions are not known). The blocks of one wave are in full color, and below each map is how much of
// their reads or writes every partition takes. Tests: tests/unit/plot/block_figure_test.cpp,
// tests/golden/figures

#include "base/counted_phrase.h"
#include "plot/cell_grid.h"
#include "plot/figures.h"
#include "plot/legend.h"
#include "plot/text_width.h"
#include "plot/tile_grid.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr float kStretch = 1.7f;  // a tile may be drawn this much longer than wide to use the room

/// Rooms for `count` maps in `area`, side by side or one above the other, whichever gives larger tiles.
std::vector<Box> share_out(const Box& area, const std::vector<model::TileMap>& maps, float title, float gap) {
  const auto rooms = [&](bool side_by_side) {
    const auto count = static_cast<float>(maps.size());
    std::vector<Box> boxes;
    for (size_t n = 0; n < maps.size(); ++n) {
      const float at = static_cast<float>(n);
      const float width = side_by_side ? (area.width - gap * (count - 1)) / count : area.width;
      const float height = side_by_side ? area.height : (area.height - gap * (count - 1)) / count;
      const float x = area.x + (side_by_side ? at * (width + gap) : 0);
      const float y = area.y + (side_by_side ? 0 : at * (height + gap));
      boxes.push_back({x, y, width, height});
    }
    return boxes;
  };
  const auto area_used = [&](const std::vector<Box>& boxes) {
    float sum = 0;
    for (size_t n = 0; n < maps.size(); ++n) {
      const Box room{boxes[n].x, boxes[n].y + title, boxes[n].width, boxes[n].height - title};
      if (room.height <= 0) return 0.0f;
      const Box used = fit_matrix(room, maps[n], kStretch);
      sum += used.width * used.height;
    }
    return sum;
  };
  const std::vector<Box> beside = rooms(true);
  const std::vector<Box> above = rooms(false);
  return area_used(beside) >= area_used(above) ? beside : above;
}

std::string title_of(const model::TileMap& map, const TileScene& scene) {
  return traffic_name(scene.language, map.kind, scene.trace.buffers[map.buffer].name);
}

void add_map_title(Sheet& sheet, const model::TileMap& map, const TileScene& scene, const Box& room,
                   float y) {
  const float size = sheet.type().small;
  std::string title = title_of(map, scene);
  if (text_width(title, size, Label::Face::Strong) > room.width) {
    title = shorten(scene.trace.buffers[map.buffer].name, room.width, size, Label::Face::Strong);
  }
  sheet.place({.x = room.x,
               .y = y,
               .text = title,
               .size = size,
               .color = Color::of(Role::Ink),
               .face = Label::Face::Strong});
  const float end = room.x + text_width(title, size, Label::Face::Strong) + 0.7f * size;
  const std::string tiles = phrase(scene.language, Text::figure_tile_size, map.tile_rows, map.tile_columns);
  if (end + text_width(tiles, size, Label::Face::Regular) > room.right()) return;
  sheet.place({.x = end, .y = y, .text = tiles, .size = size, .color = Color::of(Role::Dim)});
}

/// What the wave does to the partitions, for the map's kind of access.
struct MapTraffic {
  const std::vector<uint64_t>* bytes = nullptr;  // [partition]
  double effective = 0, busiest = 0;
};
MapTraffic traffic_of_map(const model::TileMap& map, const model::WaveTraffic& traffic) {
  if (map.kind == trace::Kind::Load)
    return {&traffic.read_bytes, traffic.read_effective, traffic.read_busiest};
  return {&traffic.written_bytes, traffic.written_effective, traffic.written_busiest};
}

/// The most bytes that a partition reads, and that one writes.
Scale scale_of(const model::WaveTraffic& traffic) {
  const auto most = [](const std::vector<uint64_t>& bytes) {
    return bytes.empty() ? 0 : static_cast<double>(std::ranges::max(bytes));
  };
  return {{most(traffic.read_bytes), most(traffic.written_bytes)}};
}
double end_of(const model::TileMap& map, const Scale& scale) {
  return scale.ends[map.kind == trace::Kind::Load ? 0 : 1];
}

/// A column for each partition, as high as its share of the busiest one's bytes.
void add_partition_columns(Sheet& sheet, const Box& box, const MapTraffic& traffic, double end,
                           const TileScene& scene) {
  const auto count = static_cast<uint32_t>(traffic.bytes->size());
  if (count == 0 || traffic.busiest == 0) return;
  const auto most = static_cast<double>(std::ranges::max(*traffic.bytes));
  const double largest = std::max(end, most);  // of this figure and of the one beside it
  const CellGrid grid = grid_in(box, 1, count);
  for (uint32_t n = 0; n < count; ++n) {
    const Box cell = grid.cell(0, n);
    const double relative = static_cast<double>((*traffic.bytes)[n]) / most;
    const size_t pick = sheet.add(Pick{.tip = phrase(scene.language, Text::figure_wave_partition, n,
                                                     percent(scene.language, relative * traffic.busiest))});
    sheet.add(Rect{.x = cell.x,
                   .y = cell.y,
                   .width = cell.width,
                   .height = cell.height,
                   .fill = Color::of(Role::Sunken),
                   .pick = pick});
    const double shown = relative * most / largest;
    const float height = cell.height * static_cast<float>(shown);
    const Color fill = Color::of_kind(n);
    sheet.add(Rect{.x = cell.x,
                   .y = cell.bottom() - height,
                   .width = cell.width,
                   .height = height,
                   .fill = fill,
                   .pick = pick});
    sheet.inscribe(fmt::format("P{}", n), cell, sheet.type().least,
                   shown > 0.8 ? Color::on(fill) : Color::of(shown > 0.2 ? Role::Ink : Role::Dim));
  }
}

void add_legend(Sheet& sheet, const TileScene& scene, float y) {
  if (!has_partitions(scene.device)) {
    const uint64_t blocks = volume(scene.trace.grid);
    add_scale_legend(sheet, 0, sheet.width(), y,
                     {.first = phrase(scene.language, Text::figure_partition_block, 0),
                      .last = number(scene.language, std::max<uint64_t>(blocks, 1) - 1),
                      .steps = 64});
    return;
  }
  std::vector<Swatch> swatches;
  const uint32_t count = scene.device.partitions.count;
  for (uint32_t partition = 0; partition < std::min(count, 8u); ++partition) {
    // With more partitions than colors, partitions share a color.
    std::string name = fmt::format("P{}", partition);
    if (partition + 8 < count)
      name += fmt::format(", {}{}", partition + 8, partition + 16 < count ? ", …" : "");
    swatches.push_back({Color::of_kind(partition), std::move(name)});
  }
  add_swatches(sheet, 0, sheet.width(), y, swatches);
}

/// How the maps differ, by the first two blocks: where the reads go right the writes may go down.
std::string explain(const std::vector<model::TileMap>& maps, const TileScene& scene) {
  std::string moves;
  for (const model::TileMap& map : maps) {
    if (map.tiles.size() < 2) return {};
    const model::TileUse& from = map.tiles[0];
    const model::TileUse& to = map.tiles[1];
    if (!moves.empty()) moves += ", ";
    moves += phrase(scene.language, Text::figure_tiles_move, title_of(map, scene),
                    static_cast<int64_t>(to.row) - static_cast<int64_t>(from.row),
                    static_cast<int64_t>(to.column) - static_cast<int64_t>(from.column));
  }
  if (moves.empty()) return {};
  const auto& first = maps.front().tiles;
  return phrase(scene.language, Text::figure_tiles_step, first[0].cta.value, first[1].cta.value, moves);
}

Table table_of(const std::vector<model::TileMap>& maps, const TileScene& scene) {
  Table table{.columns = {{"buffer", ""},
                          {"kind", ""},
                          {"block", ""},
                          {"row", "elements"},
                          {"column", "elements"},
                          {"rows", "elements"},
                          {"columns", "elements"},
                          {"partition", ""},
                          {"in_wave", ""}},
              .rows = {}};
  for (const model::TileMap& map : maps) {
    for (const model::TileUse& tile : map.tiles) {
      table.rows.push_back({scene.trace.buffers[map.buffer].name, std::string(trace::name_of(map.kind)),
                            int64_t{tile.cta.value}, static_cast<int64_t>(tile.row),
                            static_cast<int64_t>(tile.column), static_cast<int64_t>(tile.rows),
                            static_cast<int64_t>(tile.columns),
                            has_partitions(scene.device) ? TableValue(int64_t{partition_of(scene, map, tile)})
                                                         : TableValue(std::string("unknown")),
                            int64_t{scene.wave.holds(tile.cta) ? 1 : 0}});
    }
  }
  return table;
}

std::vector<ZoomArea> draw(Sheet& sheet, const std::vector<model::TileMap>& maps, const TileScene& scene,
                           const model::WaveTraffic& traffic, const Scale& scale) {
  const float row = 1.35f * sheet.type().small;
  const bool with_columns = !traffic.read_bytes.empty() && sheet.height() > 9 * row;
  const bool with_legend = !with_columns && sheet.height() > 9 * row;
  const float title = sheet.height() > 4 * row ? row : 0;
  const float below = with_columns ? 1.5f * row : 0;
  // The selected block's outline reaches over its tile: keep it on the sheet.
  constexpr float kMargin = 3.5f;
  const Box area{kMargin, 0, sheet.width() - 2 * kMargin,
                 sheet.height() - (with_legend ? row + 2 : 0) - kMargin};
  const std::vector<Box> rooms = share_out(area, maps, title + below, 1.2f * sheet.type().text);
  std::vector<ZoomArea> areas;
  for (size_t n = 0; n < maps.size(); ++n) {
    const Box& room = rooms[n];
    if (title > 0) add_map_title(sheet, maps[n], scene, room, room.y + title / 2 - 1);
    const float top = std::max(title, kMargin);
    const Box box =
        fit_matrix({room.x, room.y + top, room.width, room.height - top - below}, maps[n], kStretch);
    areas.push_back(add_tiles(sheet, box, maps[n], scene));
    if (with_columns)
      add_partition_columns(sheet, {box.x, box.bottom() + 0.35f * row, box.width, 1.1f * row},
                            traffic_of_map(maps[n], traffic), end_of(maps[n], scale), scene);
  }
  if (with_legend) add_legend(sheet, scene, sheet.height() - row / 2);
  return areas;
}

/// "Wave 2 of 12: the reads keep 7.9 of 8 partitions busy, the writes 1."
std::string explain_wave(const TileScene& scene, const model::WaveTraffic& traffic, uint32_t waves) {
  if (traffic.read_bytes.empty()) return {};
  return phrase(scene.language, Text::figure_wave_explained, scene.wave.number + 1, waves,
                decimal(scene.language, traffic.read_effective), traffic.read_bytes.size(),
                decimal(scene.language, traffic.written_effective));
}

}  // namespace

Figure block_figure(const trace::Trace& trace, const std::vector<model::TileMap>& maps,
                    const model::Device& device, const BlockView& view, const Frame& frame) {
  const Language language = frame.language;
  const model::Residency residency = model::residency_of(trace, device);
  const uint64_t blocks = volume(trace.grid);
  const TileScene scene{.trace = trace,
                        .device = device,
                        .wave = model::wave_of(blocks, residency.in_flight, view.wave),
                        .selected = view.selected,
                        .language = language,
                        .part = frame.part};
  const model::WaveTraffic traffic =
      view.partitions != nullptr ? model::traffic_of(*view.partitions, scene.wave) : model::WaveTraffic{};
  const uint32_t waves = model::wave_count(blocks, residency.in_flight);
  Figure figure = begin_figure("blocks", Text::blocks, Provenance::Modelled, frame);
  figure.subtitle = fmt::format("{} · {}", device.title,
                                counted_phrase(language, Text::figure_wave, scene.wave.number + 1, waves,
                                               number(language, scene.wave.end - scene.wave.first)));
  figure.source =
      phrase(language, has_partitions(device) ? Text::figure_tiles_source : Text::figure_tiles_source_order,
             trace.kernel, device.title) +
      " " +
      phrase(language, Text::figure_residency, residency.per_multiprocessor,
             limit_name(language, residency.limit, trace.level));
  figure.explanation = explain_wave(scene, traffic, waves);
  if (figure.explanation.empty()) figure.explanation = explain(maps, scene);
  figure.table = table_of(maps, scene);
  Sheet sheet(figure, frame);
  figure.scale = scale_of(traffic);
  if (!maps.empty()) figure.zoom_areas = draw(sheet, maps, scene, traffic, common(figure.scale, frame.scale));
  return figure;
}

}  // namespace lanescope::plot
