#include "plot/tile_grid.h"

#include "plot/cell_grid.h"
#include "plot/heat_map.h"
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

Box box_of_tile(const Box& box, const model::TileMap& map, const model::TileUse& tile) {
  return {box.x + share(tile.column, map.matrix_columns) * box.width,
          box.y + share(tile.row, map.matrix_rows) * box.height,
          share(tile.columns, map.matrix_columns) * box.width,
          share(tile.rows, map.matrix_rows) * box.height};
}

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
void add_image(Sheet& sheet, const Box& box, const model::TileMap& map, const TileScene& scene) {
  const uint64_t rows = tile_rows(map);
  const uint64_t columns = tile_columns(map);
  Cells cells{.x = box.x,
              .y = box.y,
              .width = box.width,
              .height = box.height,
              .rows = static_cast<uint32_t>(rows),
              .columns = static_cast<uint32_t>(columns),
              .value = std::vector<uint32_t>(rows * columns),
              .maximum = static_cast<uint32_t>(volume(scene.trace.grid)),
              .scale = has_partitions(scene.device) ? Cells::Scale::Kind : Cells::Scale::Amount};
  for (const model::TileUse& tile : map.tiles) {
    const uint64_t row = std::min(tile.row / map.tile_rows, rows - 1);
    const uint64_t column = std::min(tile.column / map.tile_columns, columns - 1);
    cells.value[row * columns + column] =
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

void add_tiles(Sheet& sheet, const Box& box, const model::TileMap& map, const TileScene& scene) {
  if (map.tiles.empty() || map.tile_rows == 0 || map.tile_columns == 0) return;
  const Type& type = sheet.type();
  const bool as_image = tile_rows(map) * tile_columns(map) > kMostTiles;
  const Box usual = box_of_tile(box, map, {{}, 0, 0, map.tile_rows, map.tile_columns});
  const float side = std::min(usual.width, usual.height);
  const float margin = side < 4 ? 0 : std::min(1.0f, side / 16);
  const std::string widest = fmt::to_string(map.tiles.back().cta.value);
  const float size = fitting_size(widest, usual.width - 2 * margin, 0.8f * (usual.height - 2 * margin),
                                  type.least, 1.25f * type.text);
  if (as_image) add_image(sheet, box, map, scene);
  for (const model::TileUse& tile : map.tiles) {
    const Box cell = shrink(box_of_tile(box, map, tile), margin);
    const size_t pick = sheet.add(Pick{.tip = tip_of(scene, map, tile), .block = tile.cta});
    const bool in_flight = scene.wave.holds(tile.cta);
    if (as_image && !in_flight) {
      add_hit_area(sheet, cell, pick);
      continue;
    }
    Color fill = color_of_tile(scene, map, tile);
    const Color ink = in_flight ? Color::on(fill) : Color::of(Role::Ink);
    if (!in_flight) fill.opacity = tile.cta.value < scene.wave.first ? kDone : kFaded;
    sheet.add(Rect{.x = cell.x,
                   .y = cell.y,
                   .width = cell.width,
                   .height = cell.height,
                   .radius = corner_of(cell),
                   .fill = fill,
                   .pick = pick});
    if (size > 0) sheet.inscribe(fmt::to_string(tile.cta.value), cell, size, ink);
  }
  if (!scene.selected) return;
  const auto selected = std::ranges::find(map.tiles, *scene.selected, &model::TileUse::cta);
  if (selected != map.tiles.end()) add_outline(sheet, box_of_tile(box, map, *selected));
}

}  // namespace lanescope::plot
