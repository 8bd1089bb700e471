#include "plot/figure_table.h"

#include "model/residency.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

Result<Figure> draw_banks(const FigureData& data, const Frame& frame) {
  if (data.access == nullptr || data.banks == nullptr)
    return fail(ErrorKind::Unsupported,
                "this access is not to shared memory, so it uses no banks; choose another with --access, "
                "or --figure sectors");
  return bank_figure(*data.access, *data.banks, frame);
}

Result<Figure> draw_sectors(const FigureData& data, const Frame& frame) {
  if (data.access == nullptr || data.sectors == nullptr)
    return fail(ErrorKind::Unsupported,
                "this access is to shared memory, so it has no sectors; choose another with --access, or "
                "--figure banks");
  return sector_figure(*data.access, *data.sectors, frame, data.origins);
}

Result<Figure> draw_partitions(const FigureData& data, const Frame& frame) {
  if (data.partitions == nullptr)
    return fail(
        ErrorKind::Unsupported,
        fmt::format("there is no partition map to draw: {}; try --device gt200", data.partitions_reason));
  return partition_figure(*data.trace, *data.partitions, *data.device, frame);
}

Result<Figure> draw_blocks(const FigureData& data, const Frame& frame) {
  const uint32_t in_flight = model::residency_of(*data.trace, *data.device).in_flight;
  const uint32_t waves = model::wave_count(volume(data.trace->grid), in_flight);
  if (data.wave >= waves)
    return fail(ErrorKind::Usage,
                fmt::format("--wave {}: the grid runs in {} waves, counted from 0", data.wave, waves));
  if (data.tiles == nullptr || data.tiles->empty())
    return fail(ErrorKind::Unsupported,
                "the kernel accesses no buffer that has rows and columns, so its blocks have no tiles; this "
                "figure needs one, for example f32[64x32]:iota");
  return block_figure(*data.trace, *data.tiles, *data.device,
                      {.wave = data.wave, .partitions = data.partitions}, frame);
}

Result<Figure> draw_totals(const FigureData& data, const Frame& frame) {
  return totals_figure(*data.trace, frame);
}

Result<void> require_caches(const FigureData& data) {
  if (data.caches != nullptr) return {};
  return fail(
      ErrorKind::Unsupported,
      "a saved trace does not have all accesses, which the model of the caches needs; give the source");
}

Result<Figure> draw_kernel_roofline(const FigureData& data, const Frame& frame) {
  TRY_VOID(require_caches(data));
  return kernel_roofline_figure(*data.trace, *data.caches, *data.device, frame);
}

Result<Figure> draw_memory_chart(const FigureData& data, const Frame& frame) {
  TRY_VOID(require_caches(data));
  return memory_chart_figure(*data.trace, *data.caches, *data.device, frame);
}

Result<Figure> draw_occupancy(const FigureData& data, const Frame& frame) {
  return occupancy_figure(*data.trace, *data.device, frame);
}

Result<Figure> draw_timeline(const FigureData& data, const Frame& frame) {
  static const std::vector<model::TimelineEntry> kNoAccesses;
  return timeline_figure(data.timeline != nullptr ? *data.timeline : kNoAccesses,
                         {.current = data.access != nullptr ? data.access->index : 0,
                          .units = model::units_of(data.device->compute_capability)},
                         data.trace->provenance, frame);
}

Result<Figure> draw_lanes(const FigureData& data, const Frame& frame) {
  if (data.timeline == nullptr || data.timeline->empty())
    return fail(ErrorKind::Unsupported, "this warp makes no access that was stored; choose another --warp");
  const LaneMask lanes =
      data.access != nullptr ? lanes_of_warp(*data.trace, data.access->access.warp) : kAllLanes;
  return lane_figure(lane_steps(*data.timeline, data.access != nullptr ? data.access->index : 0, lanes),
                     data.trace->provenance, frame);
}

Result<Figure> draw_warps(const FigureData& data, const Frame& frame) {
  const trace::StoredBlock* const block =
      data.access != nullptr ? trace::find_block(*data.trace, data.access->access.cta) : nullptr;
  if (block == nullptr)
    return fail(ErrorKind::Unsupported, "this block makes no access that was stored; choose another --cta");
  return warps_figure(*data.trace,
                      model::block_timeline(*data.trace, *block, data.device->compute_capability),
                      {.warp = data.access->access.warp, .access = data.access->index}, frame);
}

Result<Figure> draw_grid(const FigureData& data, const Frame& frame) {
  const model::BlockCosts costs = model::block_costs(*data.trace, data.device->compute_capability);
  if (costs.blocks.empty())
    return fail(ErrorKind::Unsupported, "no accesses of this run are stored, so no block has a known cost");
  return grid_figure(*data.trace, costs, measures_of(costs).front(), {}, frame);
}

Result<Figure> draw_elements(const FigureData& data, const Frame& frame) {
  const auto map = model::map_elements(*data.trace, 0, trace::Kind::Load);
  if (!map)
    return fail(ErrorKind::Unsupported,
                "the first buffer is not a matrix that the kernel reads; this figure needs one");
  return element_figure(*data.trace, *map, frame);
}

Result<Figure> draw_values(const FigureData& data, const Frame& frame) {
  if (data.values == nullptr || data.values->empty())
    return fail(ErrorKind::Unsupported,
                "no buffer has rows and columns; this figure needs one, for example f32[64x32]:iota");
  return values_figure(*data.values, data.trace->provenance, frame);
}

Result<Figure> draw_bandwidth(const FigureData& data, const Frame& frame) {
  if (data.bandwidth == nullptr) return fail(ErrorKind::Unsupported, "there are no recorded times to draw");
  return bandwidth_figure(*data.bandwidth, frame);
}

Result<Figure> draw_camping(const FigureData& data, const Frame& frame) {
  if (data.camping == nullptr) return fail(ErrorKind::Unsupported, "there is no recording of slices to draw");
  return camping_figure(*data.camping, frame);
}

}  // namespace

std::span<const FigureRow> figure_rows() {
  using enum FigureRow::Needs;
  using enum FigureRow::Shows;
  static constexpr auto kRows = std::to_array<FigureRow>({
      {"banks", SharedAccess, AnyDevice, draw_banks},
      {"sectors", GlobalAccess, AnyDevice, draw_sectors},
      {"partitions", Run, MappedDevice, draw_partitions},
      {"blocks", Run, MappedDevice, draw_blocks},
      {"totals", Run, AnyDevice, draw_totals},
      {"memory_chart", Caches, AnyDevice, draw_memory_chart},
      {"kernel_roofline", Caches, AnyDevice, draw_kernel_roofline},
      {"occupancy", Run, AnyDevice, draw_occupancy},
      {"timeline", GlobalAccess, AnyDevice, draw_timeline},
      {"lanes", GlobalAccess, AnyDevice, draw_lanes},
      {"warps", GlobalAccess, AnyDevice, draw_warps},
      {"grid", Run, AnyDevice, draw_grid},
      {"elements", Run, AnyDevice, draw_elements},
      {"values", Run, AnyDevice, draw_values},
      {"bandwidth", RecordedTimes, AnyDevice, draw_bandwidth},
      {"camping", RecordedSlices, AnyDevice, draw_camping},
  });
  return kRows;
}

const FigureRow* find_figure(std::string_view name) {
  const auto found = std::ranges::find(figure_rows(), name, &FigureRow::name);
  return found == figure_rows().end() ? nullptr : &*found;
}

}  // namespace lanescope::plot
