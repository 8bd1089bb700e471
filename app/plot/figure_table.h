// The figures of one run or one recording by name: what `plot --figure` draws. A row for each; to add one,
// write its function (figures.h) and its row. Figures of models are listed in study/study_request.h. Tests:
// tests/unit/plot/figure_table_test.cpp

#pragma once

#include "base/error.h"
#include "plot/figures.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::plot {

/// What figures are drawn from. A pointer is null where there is nothing to point to; a figure that needs it
/// then is an error that says why.
struct FigureData {
  const trace::Trace* trace = nullptr;    // never null for a figure of a run
  const model::Device* device = nullptr;  // nor this
  const model::PartitionReport* partitions = nullptr;
  std::string partitions_reason = {};  // why there are none
  const std::vector<model::TileMap>* tiles = nullptr;
  uint32_t wave = 0;                                            // of blocks in flight
  const std::vector<model::TimelineEntry>* timeline = nullptr;  // of the selected warp
  const model::TracedAccess* access = nullptr;                  // the selected one
  const model::BankReport* banks = nullptr;                     // of the selected access
  const model::SectorReport* sectors = nullptr;                 // of the selected access
  const std::vector<model::ValueMap>* values = nullptr;         // of the buffers
  const Bandwidth* bandwidth = nullptr;
  const Camping* camping = nullptr;
  const caches::CacheReport* caches = nullptr;         // of the run
  std::span<const caches::SectorOrigin> origins = {};  // of the selected access; empty: not known
};

struct FigureRow {
  /// What must be computed, or read, before it can be drawn.
  enum class Needs : uint8_t {
    Run,            // trace, device, partitions, tiles
    Caches,         // a run with modelled caches
    SharedAccess,   // a run, and an access of one warp; by default its most expensive to shared memory
    GlobalAccess,   // the same for global memory
    RecordedTimes,  // bandwidth
    RecordedSlices  // camping
  };
  /// Which device a run is shown on by default.
  enum class Shows : uint8_t { AnyDevice, MappedDevice /* one with a published map of its partitions */ };

  std::string_view name;  // "banks": also the figure's name
  Needs needs;
  Shows shows;
  Result<Figure> (*draw)(const FigureData&, const Frame&);
};

/// In the order in which they are listed.
std::span<const FigureRow> figure_rows();
/// Null: there is no such figure.
const FigureRow* find_figure(std::string_view name);

}  // namespace lanescope::plot
