// Figures of hand-made traces, by name (support/figure_cases.h has them all).

#pragma once

#include "model/banks.h"
#include "model/cost.h"
#include "model/sectors.h"
#include "plot/figures.h"
#include "support/project.h"
#include "support/trace_builder.h"
#include "support/transpose_trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::tests {

using FigureMaker = std::function<plot::Figure(const plot::Frame&)>;
using FigureVisitor = std::function<void(std::string_view name, const FigureMaker& make)>;

/// A trace that is made when first asked for and then kept: some cases are large and drawn often.
class LazyTrace {
 public:
  explicit LazyTrace(TransposeShape shape) : shape_(shape) {}
  const trace::Trace& operator()() const {
    if (!*made_) *made_ = transpose_trace(shape_);
    return **made_;
  }

 private:
  TransposeShape shape_;
  std::shared_ptr<std::optional<trace::Trace>> made_ = std::make_shared<std::optional<trace::Trace>>();
};

/// The bank figure of one access whose lane l goes to offsets[l].
inline plot::Figure lone_bank_figure(trace::Operation operation, const std::vector<uint64_t>& offsets,
                                     LaneMask active, const plot::Frame& frame) {
  const trace::Trace trace = lone_trace(operation);
  const trace::WarpAccess access{.site = SiteId{0},
                                 .cta = CtaId{1},
                                 .warp = WarpId{0},
                                 .active = active,
                                 .operation = operation,
                                 .addresses = {.list = offsets.data()}};
  return plot::bank_figure({&trace, access, 0, 1}, model::count_banks(access), frame);
}

inline plot::Figure lone_sector_figure(trace::Operation operation, uint64_t base, int64_t stride,
                                       LaneMask active, const plot::Frame& frame) {
  const trace::Trace trace = lone_trace(operation);
  const trace::WarpAccess access{.site = SiteId{0},
                                 .cta = CtaId{1},
                                 .warp = WarpId{0},
                                 .active = active,
                                 .operation = operation,
                                 .addresses = {.base = trace::global_address(0, base), .stride = stride}};
  return plot::sector_figure({&trace, access, 0, 1}, model::count_sectors(access), frame);
}

template <class F>
std::vector<uint64_t> offsets_of(F&& offset_of_lane) {
  std::vector<uint64_t> offsets;
  for (int lane = 0; lane < kLanes; ++lane) offsets.push_back(static_cast<uint64_t>(offset_of_lane(lane)));
  return offsets;
}

inline void for_each_bank_case(const FigureVisitor& visit) {
  using plot::Figure;
  using plot::Frame;
  const auto of_transpose = [](uint32_t padding) {
    return [trace_of = LazyTrace({.width = 128, .height = 128, .padding = padding})](const Frame& frame) {
      const trace::Trace& trace = trace_of();
      const trace::WarpAccess access = access_at(trace, 7, 2, 8);
      return plot::bank_figure({&trace, access, 8, 16}, model::count_banks(access), frame);
    };
  };
  const trace::Operation load4{.space = trace::Space::Shared};
  visit("banks-unpadded", of_transpose(0));
  visit("banks-padded", of_transpose(1));
  visit("banks-padded-2", of_transpose(2));
  visit("banks-broadcast", [load4](const Frame& frame) {
    return lone_bank_figure(load4, offsets_of([](int) { return 20; }), kAllLanes, frame);
  });
  visit("banks-pairs", [load4](const Frame& frame) {
    return lone_bank_figure(load4, offsets_of([](int lane) { return lane / 2 * 8; }), kAllLanes, frame);
  });
  visit("banks-half-warp-8", [](const Frame& frame) {
    return lone_bank_figure({.space = trace::Space::Shared, .bytes_per_lane = 16},
                            offsets_of([](int lane) { return lane * 16; }), kAllLanes, frame);
  });
  visit("banks-swizzle-half", [load4](const Frame& frame) {
    return lone_bank_figure(load4, offsets_of([](int lane) { return (lane * 32 + (lane ^ 5)) * 4; }),
                            LaneMask{0x0000ffff}, frame);
  });
  visit("banks-cas", [](const Frame& frame) {
    return lone_bank_figure(
        {.space = trace::Space::Shared, .kind = trace::Kind::Atomic, .detail = trace::Detail::CompareAndSwap},
        offsets_of([](int) { return 0; }), kAllLanes, frame);
  });
}

inline void for_each_sector_case(const FigureVisitor& visit) {
  using plot::Frame;
  const auto of_transpose = [](Transpose variant, uint32_t step) {
    return [trace_of = LazyTrace({.width = 1024, .height = 1024, .variant = variant}),
            step](const Frame& frame) {
      const trace::Trace& trace = trace_of();
      const trace::WarpAccess access = access_at(trace, 101, 3, step);
      return plot::sector_figure({&trace, access, step, 8}, model::count_sectors(access), frame);
    };
  };
  visit("sectors-copy-load", of_transpose(Transpose::Copy, 2));
  visit("sectors-naive-store", of_transpose(Transpose::Naive, 3));
  visit("sectors-stride-2",
        [](const Frame& frame) { return lone_sector_figure({}, 64, 8, kAllLanes, frame); });
  visit("sectors-misaligned",
        [](const Frame& frame) { return lone_sector_figure({}, 4, 4, kAllLanes, frame); });
  visit("sectors-wide-16", [](const Frame& frame) {
    return lone_sector_figure({.bytes_per_lane = 16}, 4096, 16, kAllLanes, frame);
  });
  visit("sectors-bytes", [](const Frame& frame) {
    return lone_sector_figure({.bytes_per_lane = 1}, 40, 1, LaneMask{0x00ffff0f}, frame);
  });
  visit("sectors-broadcast",
        [](const Frame& frame) { return lone_sector_figure({}, 512, 0, kAllLanes, frame); });
  visit("sectors-eight-lines", [](const Frame& frame) {
    return lone_sector_figure({.bytes_per_lane = 8}, 0, 32, kAllLanes, frame);
  });
}

/// The card of "Optimizing Matrix Transpose in CUDA", as assets/devices/gt200.toml has it.
inline model::Device gt200() {
  model::Device device;
  device.name = "gt200";
  device.title = "GeForce GTX 280 (GT200)";
  device.compute_capability = 13;
  device.multiprocessors = 30;
  device.blocks_per_multiprocessor = 8;
  device.warps_per_multiprocessor = 32;
  device.shared_bytes_per_multiprocessor = 16384;
  device.shared_bytes_reserved_per_block = 16;
  return device;
}

inline model::Device device_without_map() {
  model::Device device = gt200();
  device.name = "h200";
  device.title = "NVIDIA H200";
  device.partitions.hash = model::PartitionMap::Hash::Unknown;
  return device;
}

inline void for_each_partition_case(const FigureVisitor& visit) {
  const auto of_transpose = [](uint32_t n, Transpose variant, const model::Device& device) {
    return [trace_of = LazyTrace({.width = n, .height = n, .padding = 1, .variant = variant}),
            device](const plot::Frame& frame) {
      const trace::Trace& trace = trace_of();
      return plot::partition_figure(trace, model::map_partitions(trace, device), device, frame);
    };
  };
  visit("partitions-128", of_transpose(128, Transpose::Tiled, gt200()));
  visit("partitions-256", of_transpose(256, Transpose::Tiled, gt200()));
  visit("partitions-1024", of_transpose(1024, Transpose::Tiled, gt200()));
  visit("partitions-1024-diagonal", of_transpose(1024, Transpose::Diagonal, gt200()));
  visit("partitions-unknown", of_transpose(128, Transpose::Tiled, device_without_map()));
}

inline void for_each_block_case(const FigureVisitor& visit) {
  const auto of_transpose = [](uint32_t n, Transpose variant, const model::Device& device) {
    return [trace_of = LazyTrace({.width = n, .height = n, .padding = 1, .variant = variant}), n,
            device](const plot::Frame& frame) {
      const trace::Trace& trace = trace_of();
      return plot::block_figure(trace, model::map_tiles(trace), device,
                                {.selected = CtaId{n == 128 ? 6u : 33u}}, frame);
    };
  };
  visit("blocks-128", of_transpose(128, Transpose::Tiled, gt200()));
  visit("blocks-128-diagonal", of_transpose(128, Transpose::Diagonal, gt200()));
  visit("blocks-512", of_transpose(512, Transpose::Tiled, gt200()));
  visit("blocks-1024", of_transpose(1024, Transpose::Tiled, gt200()));
  visit("blocks-unknown", of_transpose(512, Transpose::Diagonal, device_without_map()));
  visit("blocks-2560", of_transpose(2560, Transpose::Diagonal, gt200()));
}

inline void for_each_totals_case(const FigureVisitor& visit) {
  const auto of_transpose = [](Transpose variant, uint32_t padding) {
    return [trace_of = LazyTrace({.width = 256, .height = 256, .padding = padding, .variant = variant})](
               const plot::Frame& frame) { return plot::totals_figure(trace_of(), frame); };
  };
  visit("totals-tiled", of_transpose(Transpose::Tiled, 0));
  visit("totals-padded", of_transpose(Transpose::Tiled, 1));
  visit("totals-naive", of_transpose(Transpose::Naive, 0));
  visit("totals-many", [](const plot::Frame& frame) {
    trace::Trace trace = transpose_trace({.width = 64, .height = 64});
    for (uint32_t n = 4; n < 30; ++n) {
      trace.sites.push_back(trace.sites[n % 4]);
      trace.sites.back().id = SiteId{n};
      trace.sites.back().source.line = static_cast<int>(n) * 3;
      trace.totals.push_back(trace.totals[n % 4]);
    }
    return plot::totals_figure(trace, frame);
  });
}

/// The entries of one warp of a transpose, `repeat` times over.
inline std::vector<model::TimelineEntry> timeline_of(const trace::Trace& trace, uint32_t repeat) {
  std::vector<model::TimelineEntry> entries;
  const trace::StoredBlock& block = trace.blocks.front();
  for (uint32_t n = 0; n < repeat; ++n) {
    for (const trace::StoredAccess& stored : trace::accesses_of(block, WarpId{2})) {
      const trace::Site& site = trace.sites[stored.site.value];
      entries.push_back({site.operation, stored.site, site.source.line,
                         model::cost_of(trace::view(trace, block, stored)), stored.active});
    }
  }
  return entries;
}

inline void for_each_timeline_case(const FigureVisitor& visit) {
  visit("timeline-tiled", [](const plot::Frame& frame) {
    return plot::timeline_figure(timeline_of(transpose_trace({.width = 64, .height = 64}), 1), {.current = 8},
                                 Provenance::Emulated, frame);
  });
  visit("timeline-long", [](const plot::Frame& frame) {
    return plot::timeline_figure(timeline_of(transpose_trace({.width = 64, .height = 64}), 30),
                                 {.current = 311}, Provenance::Emulated, frame);
  });
  visit("timeline-naive", [](const plot::Frame& frame) {
    return plot::timeline_figure(
        timeline_of(transpose_trace({.width = 64, .height = 64, .variant = Transpose::Naive}), 1), {},
        Provenance::Emulated, frame);
  });
}

/// A warp whose lanes take both sides of two branches, one within the other.
inline plot::LaneSteps diverging_steps() {
  plot::LaneSteps steps{.kind = plot::LaneSteps::Kind::Instructions, .steps = {}, .current = 5};
  for (const uint32_t mask : {0xffffffffu, 0xffffffffu, 0x0000ffffu, 0x000000ffu, 0x0000ff00u, 0x0000ffffu,
                              0xffff0000u, 0xffff0000u, 0xffffffffu})
    steps.steps.push_back(
        {LaneMask{mask}, 7 + static_cast<int>(steps.steps.size()) / 2, "add.s32 %r1, %r1, 1"});
  return steps;
}

inline void for_each_lane_case(const FigureVisitor& visit) {
  visit("lanes-diverging", [](const plot::Frame& frame) {
    return plot::lane_figure(diverging_steps(), Provenance::Emulated, frame);
  });
  visit("lanes-long", [](const plot::Frame& frame) {
    plot::LaneSteps steps{.kind = plot::LaneSteps::Kind::Accesses, .steps = {}, .current = 700};
    for (uint32_t n = 0; n < 1000; ++n)
      steps.steps.push_back({LaneMask{0xffffffffu >> n % 32}, 3, "ld.global"});
    return plot::lane_figure(steps, Provenance::Emulated, frame);
  });
}

/// Block 0 of a transpose whose warps meet at a barrier between writing and reading the tile.
inline trace::Trace with_barrier(trace::Trace trace) {
  trace::StoredBlock& block = trace.blocks.front();
  block.knows_waits = true;
  for (uint32_t warp = 0; warp < volume(trace.block) / kLanes; ++warp)
    block.waits.push_back({.warp = {warp}, .step = 8, .meeting = 0, .lanes = kAllLanes, .line = 12});
  return trace;
}

/// Warp w of 8 makes w + 1 accesses before each of `rounds` barriers, the last one none.
inline trace::Trace uneven_block(uint32_t rounds) {
  TraceBuilder builder({1, 1, 1}, {256, 1, 1}, 4096);
  const uint32_t in = builder.buffer("in", 4096, 0);
  const SiteId load = builder.site({.space = trace::Space::Global}, 4);
  const SiteId shared = builder.site({.space = trace::Space::Shared}, 6);
  builder.block({0});
  std::vector<trace::Wait> waits;
  for (uint32_t warp = 0; warp < 8; ++warp) {
    uint32_t step = 0;
    for (uint32_t round = 0; round < rounds; ++round) {
      for (uint32_t n = 0; n < (warp == 7 ? 0 : warp + 1); ++n, ++step) {
        if (n % 2 == 0)
          builder.affine(load, {warp}, trace::global_address(in, 0), 4 << n);
        else
          builder.affine(shared, {warp}, 0, 4 << n);
      }
      if (warp == 3)
        waits.push_back(
            {.kind = trace::Wait::Kind::Copies, .warp = {warp}, .step = step, .lanes = kAllLanes, .line = 7});
      waits.push_back({.warp = {warp}, .step = step, .meeting = round, .lanes = kAllLanes, .line = 8});
    }
  }
  trace::Trace trace = builder.take();
  trace.blocks[0].waits = std::move(waits);
  trace.blocks[0].knows_waits = true;
  return trace;
}

inline void for_each_warps_case(const FigureVisitor& visit) {
  const auto of = [](trace::Trace made, plot::WarpsView view) {
    return [trace = std::make_shared<const trace::Trace>(std::move(made)), view](const plot::Frame& frame) {
      return plot::warps_figure(*trace, model::block_timeline(*trace, trace->blocks.front()), view, frame);
    };
  };
  visit("warps-tiled",
        of(with_barrier(transpose_trace({.width = 64, .height = 64})), {.warp = WarpId{2}, .access = 8}));
  visit("warps-uneven", of(uneven_block(2), {.warp = WarpId{3}, .access = 1}));
  visit("warps-long", of(uneven_block(60), {.warp = WarpId{0}, .access = 30}));
  visit("warps-unknown", of(transpose_trace({.width = 64, .height = 64}), {}));
}

/// Block (x, y) with x <= y reads x + y + 1 rows, with a stride that doubles with x; the others nothing.
inline trace::Trace triangular_grid(uint32_t side) {
  TraceBuilder builder({side, side, 1}, {32, 1, 1});
  const uint32_t in = builder.buffer("in", 65536, 0);
  const SiteId load = builder.site({.space = trace::Space::Global}, 4);
  for (uint32_t block = 0; block < side * side; ++block) {
    const uint32_t x = block % side, y = block / side;
    builder.block({block});
    for (uint32_t n = 0; x <= y && n < x + y + 1; ++n)
      builder.affine(load, {0}, trace::global_address(in, 0), 4 << x % 4);
  }
  return builder.take();
}

inline void for_each_grid_case(const FigureVisitor& visit) {
  const auto of = [](trace::Trace made, plot::BlockMeasure measure, std::optional<CtaId> selected) {
    return [trace = std::make_shared<const trace::Trace>(std::move(made)), measure,
            selected](const plot::Frame& frame) {
      return plot::grid_figure(*trace, model::block_costs(*trace), measure, selected, frame);
    };
  };
  using enum plot::BlockMeasure;
  visit("grid-equal", of(transpose_trace({.width = 128, .height = 128}), Wavefronts, CtaId{5}));
  visit("grid-uneven", of(triangular_grid(8), Sectors, CtaId{8}));
  visit("grid-many", of(triangular_grid(80), Sectors, {}));
  TraceBuilder row({200, 1, 1}, {32, 1, 1});
  const uint32_t in = row.buffer("in", 65536, 0);
  const SiteId load = row.site({.space = trace::Space::Global}, 4);
  for (uint32_t block = 0; block < 150; ++block) {
    row.block({block});
    row.affine(load, {0}, trace::global_address(in, 0), block % 8);
  }
  visit("grid-row", of(row.take(), Sectors, CtaId{70}));
}

/// Caches of the tiled transpose whose blocks load a line of the L1 twice: half of the sectors hit.
inline caches::CacheReport transpose_caches(const trace::Trace& trace) {
  caches::CacheReport report;
  report.multiprocessors = report.all_multiprocessors = 132;
  report.blocks = report.all_blocks = volume(trace.grid);
  report.carve_out_kib = 100;
  report.l1_lines = 1192;
  report.sites.resize(trace.sites.size());
  for (const trace::Site& site : trace.sites) {
    const trace::Totals& totals = trace.totals[site.id.value];
    if (site.operation.space != trace::Space::Global) continue;
    caches::SiteCaches& counts = report.sites[site.id.value];
    const bool loads = site.operation.kind == trace::Kind::Load;
    counts.l1 = {.requests = totals.requests,
                 .tag_cycles = totals.requests,
                 .data_cycles = totals.requests,
                 .sectors = totals.sectors,
                 .hits = loads ? totals.sectors / 2 : 0};
    (loads ? counts.packets_from_l2 : counts.packets_to_l2) =
        loads ? totals.sectors / 4 : totals.lines + totals.sectors;
    if (loads) counts.from_dram = totals.sectors / 2;
    (loads ? report.global_loads : report.global_stores) += counts.l1;
    (loads ? report.l2_to_l1 : report.l1_to_l2) += loads ? totals.sectors / 2 : totals.sectors;
  }
  report.l2.read = report.l2.dram_read = report.l2_to_l1;
  report.l2.written = report.l1_to_l2;
  return report;
}

inline model::Device h200() { return model::find_device(source_dir() / "assets/devices", "h200").value(); }

inline void for_each_cache_case(const FigureVisitor& visit) {
  const auto chart = [](const TransposeShape& shape, uint32_t multiprocessors) {
    return [trace_of = LazyTrace(shape), multiprocessors](const plot::Frame& frame) {
      const trace::Trace& trace = trace_of();
      caches::CacheReport report = transpose_caches(trace);
      report.multiprocessors = multiprocessors;
      return plot::memory_chart_figure(trace, report, h200(), frame);
    };
  };
  visit("memory_chart-tiled", chart({.width = 1024, .height = 1024}, 132));
  visit("memory_chart-naive", chart({.width = 1024, .height = 1024, .variant = Transpose::Naive}, 132));
  visit("memory_chart-sample", chart({.width = 1024, .height = 1024, .padding = 1}, 16));
  visit("kernel_roofline-tiled",
        [trace_of = LazyTrace({.width = 1024, .height = 1024})](const plot::Frame& frame) {
          trace::Trace trace = trace_of();
          trace.operations.fp32 = 1 << 24;
          return plot::kernel_roofline_figure(trace, transpose_caches(trace), h200(), frame).value();
        });
  visit("occupancy-tiled", [trace_of = LazyTrace({.width = 64, .height = 64})](const plot::Frame& frame) {
    return plot::occupancy_figure(trace_of(), h200(), frame);
  });
  visit("occupancy-registers", [](const plot::Frame& frame) {
    trace::Trace trace = transpose_trace({.width = 64, .height = 64});
    trace.registers_per_thread = 64;
    return plot::occupancy_figure(trace, h200(), frame);
  });
}

inline void for_each_element_case(const FigureVisitor& visit) {
  const auto of_transpose = [](uint32_t n, Transpose variant) {
    return [trace_of = LazyTrace({.width = n, .height = n, .variant = variant})](const plot::Frame& frame) {
      const trace::Trace& trace = trace_of();
      return plot::element_figure(trace, *model::map_elements(trace, 1, trace::Kind::Store), frame);
    };
  };
  visit("elements-128", of_transpose(128, Transpose::Tiled));
  visit("elements-1024-diagonal", of_transpose(1024, Transpose::Diagonal));
}

inline void for_each_values_case(const FigureVisitor& visit) {
  const auto ramp = [](std::string buffer, model::ValueMap::Time time, uint32_t rows, uint32_t columns) {
    model::ValueMap map{
        .buffer = std::move(buffer), .time = time, .rows = rows, .columns = columns, .level = {}};
    for (uint32_t n = 0; n < rows * columns; ++n) map.level.push_back(n % (model::ValueMap::kLevels + 1));
    map.highest = 255;
    return map;
  };
  using enum model::ValueMap::Time;
  visit("values-two", [=](const plot::Frame& frame) {
    return plot::values_figure({ramp("in", Before, 48, 64), ramp("out", After, 48, 64)}, Provenance::Emulated,
                               frame);
  });
  visit("values-wide", [=](const plot::Frame& frame) {
    return plot::values_figure(
        {ramp("in", Before, 2, 64), ramp("in", After, 2, 64), ramp("out", After, 64, 2)},
        Provenance::Emulated, frame);
  });
}

}  // namespace lanescope::tests
