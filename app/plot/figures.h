// The figures of a run, one pure function each; figure_table.h lists them by name.
// Tests: tests/unit/plot/*_figure_test.cpp, golden files in tests/golden/figures

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "caches/cache_report.h"
#include "model/banks.h"
#include "model/block_costs.h"
#include "model/block_timeline.h"
#include "model/partitions.h"
#include "model/sectors.h"
#include "model/tiles.h"
#include "model/value_map.h"
#include "model/warp_timeline.h"
#include "plot/figure.h"
#include "trace/hardware_counts.h"
#include "trace/trace.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::plot {

/// What every figure needs besides its data.
struct Frame {
  Size size{640, 360};
  Language language = Language::English;
  float text = 13;   // height of ordinary text in points; labels scale with it. A projector needs 16 or more.
  Scale scale = {};  // of the figure beside it: axes reach at least so far
  MapPart part = {};  // of a figure with zoom areas: what they show
};

/// Shared memory: one column per bank, one row per wavefront, color by lane.
Figure bank_figure(const model::TracedAccess& place, const model::BankReport& report, const Frame& frame);
/// Global memory: lanes above, the lines and sectors that they touch below, joined by lines.
/// `origins`: where the sectors of the access came from, by the modelled caches; empty: not known.
Figure sector_figure(const model::TracedAccess& place, const model::SectorReport& report, const Frame& frame,
                     std::span<const caches::SectorOrigin> origins = {});
/// Color of the bars for what came from this level of the memory.
Color color_of_level(caches::CacheLevel level);
/// Blocks in launch order by partition, reads and writes separately: which partitions queue.
Figure partition_figure(const trace::Trace& trace, const model::PartitionReport& report,
                        const model::Device& device, const Frame& frame);
/// What of the blocks is shown: the wave that is in flight, and what it moves at each partition.
struct BlockView {
  std::optional<CtaId> selected = std::nullopt;
  uint32_t wave = 0;
  const model::PartitionReport* partitions = nullptr;  // null: not known, or not to be shown
};
/// The tile grids of the input and the output with block numbers, colored by partition (of the tile's first
/// byte), the blocks in flight in full color; below each how much of its traffic every partition takes.
Figure block_figure(const trace::Trace& trace, const std::vector<model::TileMap>& maps,
                    const model::Device& device, const BlockView& view, const Frame& frame);
/// What the accesses of a run cost by the rules of a device.
struct RunTotals {
  const trace::Trace& trace;
  const std::vector<trace::Totals>& totals;  // [site]
  model::CostUnits units = model::CostUnits::Sectors;
};
/// Sectors or transactions and wavefronts or passes of each site, ideal and excess, as bars with numbers.
/// With the totals of another run, each number says how it compares with that run's.
Figure totals_figure(const RunTotals& run, const Frame& frame, const RunTotals* against = nullptr);
/// The same in sectors and wavefronts.
Figure totals_figure(const trace::Trace& trace, const Frame& frame, const trace::Trace* against = nullptr);
/// Kernel, L1 and shared memory, L2 and DRAM with what goes between them, by the modelled caches.
Figure memory_chart_figure(const trace::Trace& trace, const caches::CacheReport& report,
                           const model::Device& device, const Frame& frame);
/// Operations of the kernel for each byte of the DRAM, the L2, the L1 and shared memory, below the roofs of
/// the device. Errors: Unsupported if the bound is not known, or nothing is computed.
Result<Figure> kernel_roofline_figure(const trace::Trace& trace, const caches::CacheReport& report,
                                      const model::Device& device, const Frame& frame);
/// Resident warps along the size of a block, its registers and its shared memory.
Figure occupancy_figure(const trace::Trace& trace, const model::Device& device, const Frame& frame);
/// How the timeline is shown.
struct TimelineView {
  uint32_t current = 0;
  model::CostUnits units = model::CostUnits::Sectors;
  bool with_costs = true;  // without them nothing says what an access costs
};
/// The accesses of the selected warp along its steps, each with its cost: the timeline for stepping.
Figure timeline_figure(const std::vector<model::TimelineEntry>& entries, const TimelineView& view,
                       Provenance provenance, const Frame& frame);
/// What of a block's warps is outlined.
struct WarpsView {
  WarpId warp;
  uint32_t access = 0;     // of that warp
  bool with_costs = true;  // without them nothing says what an access costs
};
/// All warps of a block: a row each, the accesses and waits of each in its order. Zooms across.
Figure warps_figure(const trace::Trace& trace, const model::BlockTimeline& timeline, const WarpsView& view,
                    const Frame& frame);
/// Which cost of a block is shown.
enum class BlockMeasure : uint8_t { Sectors, Wavefronts };
/// Those that the blocks have at all; Sectors where they have none.
std::vector<BlockMeasure> measures_of(const model::BlockCosts& costs);
/// What it is called by the rules of a device: "sectors", "passes".
Text unit_of(BlockMeasure measure, model::CostUnits units);
/// The whole grid, a cell for each block, colored by what it costs. Zooms.
Figure grid_figure(const trace::Trace& trace, const model::BlockCosts& costs, BlockMeasure measure,
                   std::optional<CtaId> selected, const Frame& frame);
/// A step of a warp and the lanes that execute it.
struct LaneStep {
  LaneMask active;
  int line = 0;  // of the source; 0: not known
  std::string text;
};
/// Steps are accesses of the warp, which can be selected, or instructions of its history.
struct LaneSteps {
  enum class Kind : uint8_t { Accesses, Instructions } kind = Kind::Accesses;
  std::vector<LaneStep> steps;
  uint32_t current = 0;
  LaneMask warp = kAllLanes;  // the lanes that have a thread
};
/// The lanes of the warp that have a thread.
LaneMask lanes_of_warp(const trace::Trace& trace, WarpId warp);
/// The accesses as steps.
LaneSteps lane_steps(const std::vector<model::TimelineEntry>& entries, uint32_t current, LaneMask warp);
/// Which lanes are active at each step: a column per step, a row per lane, the current step framed.
Figure lane_figure(const LaneSteps& steps, Provenance provenance, const Frame& frame);
/// Measured, recorded or modelled bandwidth of a lesson's kernels, next to that of a plain copy on the same
/// GPU. bandwidth_figure() draws those of them that can be compared with the current one.
struct Bandwidth {
  struct Bar {
    std::string kernel;                                            // translated
    double gb_per_second = 0;                                      // decimal, of the median
    double lowest = 0;                                             // of the upper quartile of the seconds
    double highest = 0;                                            // of the lower quartile
    double share_of_copy = 0;                                      // of a copy of as many bytes
    bool current = false;                                          // the kernel that the other panels show
    uint64_t bytes = 0;                                            // read and written, by definition
    double operations = 0;                                         // floating-point; 0: none to speak of
    size_t work = 0;                                               // equal where kernels must write the same
    std::optional<trace::HardwareCounts> counts = std::nullopt;    // of one launch, with a cold L2
    std::optional<trace::HardwareCounts> emulated = std::nullopt;  // the same as the emulator counts it
  };
  std::vector<Bar> bars;
  double copy_gb_per_second = 0;  // of a copy of as many bytes as the current kernel's; 0: none
  Provenance provenance = Provenance::Recorded;
  std::string gpu;  // "NVIDIA H200"
  std::string driver, cuda, date;
  unsigned repetitions = 0;
  std::string size;             // "8192 × 8192, 4 B"; empty where the current kernel has no size
  std::string run_size = {};    // of the run in the other panels, where it is another
  size_t without_times = 0;     // kernels of the lesson that have no bar
  std::string chosen_gpu = {};  // the one that the other panels show, where it is another
};
/// Whether one copy is right for both.
bool moves_as_much(const Bandwidth::Bar& one, const Bandwidth::Bar& other);
Figure bandwidth_figure(const Bandwidth& bandwidth, const Frame& frame);
/// As many lines read from one pair of slices of the L2 as from all of them; decimal GB/s, and the share of
/// the requests that the busiest slice served.
struct CampedReads {
  uint32_t lines = 0;
  double one_slice = 0, all_slices = 0;
  double one_slice_share = 0, all_slices_share = 0;
};
/// What camping costs on a GPU of today, with the list of addresses made from its measured map.
struct Camping {
  CampedReads l2, dram;
  Provenance provenance = Provenance::Recorded;
  std::string gpu, driver, cuda, date;
};
Figure camping_figure(const Camping& camping, const Frame& frame);
/// Buffers as images, side by side: what the kernel read and what it wrote.
Figure values_figure(const std::vector<model::ValueMap>& maps, Provenance provenance, const Frame& frame);
/// A whole matrix: which block touched each element (Cells; may be millions).
Figure element_figure(const trace::Trace& trace, const model::ElementMap& map, const Frame& frame);

}  // namespace lanescope::plot
