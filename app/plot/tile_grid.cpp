#include "plot/tile_grid.h"

#include "plot/cell_grid.h"
#include "plot/heat_map.h"
#include "plot/map_part.h"
#include "plot/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

constexpr uint64_t kMostTiles = 64 * 64;  // beyond, an image
constexpr float kFaded = 0.25f;           // not yet started
constexpr float kDone = 0.5f;

float share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<float>(static_cast<double>(part) / static_cast<double>(whole));
}

/// The part of a map that is drawn, as ranges of tiles, and the place for it.
struct Shown {
  Box box;
  const model::TileMap& map;
  CellRange rows, columns;  // of tiles

  uint64_t first_row() const { return rows.first * map.tile_rows; }  // of elements
  uint64_t first_column() const { return columns.first * map.tile_columns; }
  uint64_t end_row() const { return std::min(rows.end() * map.tile_rows, map.matrix_rows); }
  uint64_t end_column() const { return std::min(columns.end() * map.tile_columns, map.matrix_columns); }
  bool holds(const model::TileUse& tile) const {
    return tile.row >= first_row() && tile.row < end_row() && tile.column >= first_column() &&
           tile.column < end_column();
  }
  Box box_of(const model::TileUse& tile) const {
    const uint64_t height = end_row() - first_row(), width = end_column() - first_column();
    return {box.x + share(tile.column - first_column(), width) * box.width,
            box.y + share(tile.row - first_row(), height) * box.height,
            share(std::min(tile.columns, end_column() - tile.column), width) * box.width,
            share(std::min(tile.rows, end_row() - tile.row), height) * box.height};
  }
};

/// `box` without `margin` on each side, down to nothing.
Box shrink(const Box& box, float margin) {
  const float x = std::min(margin, box.width / 2);
  const float y = std::min(margin, box.height / 2);
  return {box.x + x, box.y + y, box.width - 2 * x, box.height - 2 * y};
}

Color color_of_tile(const TileScene& scene, const model::TileMap& map, const model::TileUse& tile) {
  if (has_partitions(scene.device)) return Color::of_kind(partition_of(scene, map, tile));
  const uint64_t blocks = volume(scene.trace.grid);
  return Color::of_amount(share(tile.cta.value, std::max<uint64_t>(blocks, 2) - 1));
}

std::string tip_of(const TileScene& scene, const model::TileMap& map, const model::TileUse& tile) {
  std::string tip =
      phrase(scene.language, Text::figure_tile_tip, block_name(tile.cta, scene.trace.grid), tile.cta.value,
             traffic_name(scene.language, map.kind, scene.trace.buffers[map.buffer].name), tile.row,
             tile.row + std::max<uint64_t>(tile.rows, 1) - 1, tile.column,
             tile.column + std::max<uint64_t>(tile.columns, 1) - 1);
  if (has_partitions(scene.device)) {
    tip += "; " + phrase(scene.language, Text::figure_tile_partition, partition_of(scene, map, tile));
  }
  return tip;
}

/// Too many tiles for a rectangle each: a cell per tile, under a veil that fades all of them. The tiles of
/// the wave are drawn on top.
void add_image(Sheet& sheet, const Shown& shown, const TileScene& scene) {
  const model::TileMap& map = shown.map;
  const Box& box = shown.box;
  Cells cells{.x = box.x,
              .y = box.y,
              .width = box.width,
              .height = box.height,
              .rows = shown.rows.count,
              .columns = shown.columns.count,
              .value = std::vector<uint32_t>(size_t{shown.rows.count} * shown.columns.count),
              .maximum = static_cast<uint32_t>(volume(scene.trace.grid)),
              .scale = has_partitions(scene.device) ? Cells::Scale::Kind : Cells::Scale::Amount};
  for (const model::TileUse& tile : map.tiles) {
    if (!shown.holds(tile)) continue;
    const auto row = static_cast<size_t>(tile.row / map.tile_rows - shown.rows.first);
    const auto column = static_cast<size_t>(tile.column / map.tile_columns - shown.columns.first);
    cells.value[row * shown.columns.count + column] =
        1 + (has_partitions(scene.device) ? partition_of(scene, map, tile) : tile.cta.value);
  }
  sheet.add(std::move(cells));
  sheet.add(Rect{.x = box.x,
                 .y = box.y,
                 .width = box.width,
                 .height = box.height,
                 .fill = Color::of(Role::Surface, 1 - kFaded)});
}

/// Two rings, so that the accent stands out from a tile of about its own color.
void add_outline(Sheet& sheet, const Box& box) {
  const float width = std::clamp(std::min(box.width, box.height) / 10, 2.0f, 3.5f);
  const Box outer = shrink(box, -width / 2);
  const Box inner = shrink(box, width / 2);
  sheet.add(Rect{.x = inner.x,
                 .y = inner.y,
                 .width = inner.width,
                 .height = inner.height,
                 .radius = corner_of(box),
                 .stroke = Color::of(Role::Surface),
                 .stroke_width = width / 2});
  sheet.add(Rect{.x = outer.x,
                 .y = outer.y,
                 .width = outer.width,
                 .height = outer.height,
                 .radius = corner_of(box) + width / 2,
                 .stroke = Color::of(Role::Accent),
                 .stroke_width = width});
}

}  // namespace

uint64_t tile_columns(const model::TileMap& map) {
  return map.tile_columns == 0 ? 0 : (map.matrix_columns + map.tile_columns - 1) / map.tile_columns;
}

uint64_t tile_rows(const model::TileMap& map) {
  return map.tile_rows == 0 ? 0 : (map.matrix_rows + map.tile_rows - 1) / map.tile_rows;
}

bool has_partitions(const model::Device& device) {
  return device.partitions.hash == model::PartitionMap::Hash::Linear;
}

uint32_t partition_of(const TileScene& scene, const model::TileMap& map, const model::TileUse& tile) {
  const trace::BufferInfo& buffer = scene.trace.buffers[map.buffer];
  const uint64_t element = tile.row * buffer.row_elements + tile.column;
  return model::partition_of(trace::global_address(map.buffer, element * buffer.element_bytes),
                             scene.device.partitions);
}

Box fit_matrix(const Box& room, const model::TileMap& map, float stretch) {
  const float columns = static_cast<float>(std::max<uint64_t>(tile_columns(map), 1));
  const float rows = static_cast<float>(std::max<uint64_t>(tile_rows(map), 1));
  const float tile = std::min(room.width / columns, room.height / rows);
  return {room.x, room.y, std::min(room.width, tile * stretch * columns),
          std::min(room.height, tile * stretch * rows)};
}

ZoomArea add_tiles(Sheet& sheet, const Box& box, const model::TileMap& map, const TileScene& scene) {
  if (map.tiles.empty() || map.tile_rows == 0 || map.tile_columns == 0) return {};
  const Type& type = sheet.type();
  const auto rows = static_cast<uint32_t>(tile_rows(map)), columns = static_cast<uint32_t>(tile_columns(map));
  const Shown shown{.box = box,
                    .map = map,
                    .rows = shown_cells(scene.part.y, scene.part.zoom, rows),
                    .columns = shown_cells(scene.part.x, scene.part.zoom, columns)};
  const bool as_image = uint64_t{shown.rows.count} * shown.columns.count > kMostTiles;
  const Box usual =
      shown.box_of({{}, shown.first_row(), shown.first_column(), map.tile_rows, map.tile_columns});
  const float side = std::min(usual.width, usual.height);
  const float margin = side < 4 ? 0 : std::min(1.0f, side / 16);
  const std::string widest = fmt::to_string(map.tiles.back().cta.value);
  const float size = fitting_size(widest, usual.width - 2 * margin, 0.8f * (usual.height - 2 * margin),
                                  type.least, 1.25f * type.text);
  if (as_image) add_image(sheet, shown, scene);
  for (const model::TileUse& tile : map.tiles) {
    if (!shown.holds(tile)) continue;
    const Box cell = shrink(shown.box_of(tile), margin);
    const size_t pick = sheet.add(Pick{.tip = tip_of(scene, map, tile), .block = tile.cta});
    const bool in_flight = scene.wave.holds(tile.cta);
    if (as_image && !in_flight) {
      add_hit_area(sheet, cell, pick);
      continue;
    }
    Color fill = color_of_tile(scene, map, tile);
    const Color ink = in_flight ? Color::on(fill) : Color::of(Role::Ink);
    if (!in_flight) fill.opacity = tile.cta.value < scene.wave.first ? kDone : kFaded;
    add_cell(sheet, cell, fill, pick);
    if (size > 0) sheet.inscribe(fmt::to_string(tile.cta.value), cell, size, ink);
  }
  const ZoomArea area = zoom_area(box, columns, rows);
  if (!scene.selected) return area;
  const auto selected = std::ranges::find(map.tiles, *scene.selected, &model::TileUse::cta);
  if (selected != map.tiles.end() && shown.holds(*selected)) add_outline(sheet, shown.box_of(*selected));
  return area;
}

}  // namespace lanescope::plot
