// Figures of the models on small data written by hand (support/figure_cases.h has them all).

#pragma once

#include "plot/model_figures.h"
#include "support/run_cases.h"

namespace lanescope::tests {

/// `count` windows of 2 us on eight partitions: reads everywhere, writes at partition `window % 8` alone, or
/// everywhere.
enum class Writes { Camped, Spread };
inline plot::TimedRun timed_run(std::string name, Writes writes, size_t count) {
  plot::TimedRun run{.name = std::move(name), .report = {}};
  run.report.seconds = static_cast<double>(count) * 2e-6;
  run.report.window_seconds = 2e-6;
  run.report.useful_bytes = 1 << 20;
  run.report.blocks_in_flight = 90;
  run.report.partitions.resize(8);
  for (size_t window = 0; window < count; ++window) {
    for (size_t partition = 0; partition < 8; ++partition) {
      const bool here = writes == Writes::Spread || partition == window % 8;
      run.report.windows.push_back(
          {.read_bytes = 2048, .written_bytes = here ? 16384u : 0u, .mean_queue = here ? 40.0 : 1.0});
    }
  }
  return run;
}

inline plot::BoundTable bound_table() {
  using plot::BoundCell;
  return {.kernels = {"Copy", "Naive"},
          .sizes = {1024, 2048},
          .cells = {{BoundCell{.predicted_seconds = 9e-6, .recorded_seconds = 10e-6}, std::nullopt},
                    {BoundCell{.predicted_seconds = 300e-6,
                               .recorded_seconds = 200e-6,
                               .limit = model::Level::Lines,
                               .origin = BoundCell::Origin::Fitted},
                     BoundCell{.predicted_seconds = 95e-6, .recorded_seconds = 100e-6}}},
          .gpu = "NVIDIA H200",
          .origin = "driver 1, CUDA 2"};
}

inline plot::AssumptionTable assumption_table() {
  plot::AssumptionTable table{
      .kernels = {"Copy", "Padded"}, .published = {96.9, 16.6}, .with_all = {100, 20}, .without = {}};
  table.without.resize(2);
  table.without[0].fill(100);
  table.without[1].fill(20);
  table.without[1][0] = 80;  // without the plain map
  table.without[0][10] = 99;
  return table;
}

inline plot::Roofline recorded_points() {
  return {.device = "NVIDIA H200",
          .place = "8192 x 8192",
          .provenance = Provenance::Recorded,
          .peak_gb_per_second = 4800,
          .points = {
              {.kernel = "Naive", .wanted_share = 8.0 / 36, .gb_per_second = 476},
              {.kernel = "Tiled", .wanted_share = 1, .gb_per_second = 1631, .shared_gb_per_second = 1800},
              {.kernel = "Padded", .wanted_share = 1, .gb_per_second = 3560, .shared_gb_per_second = 40000},
              {.kernel = "Diagonal", .wanted_share = 1, .gb_per_second = 3453}}};
}
inline plot::Roofline modelled_points() {
  plot::Roofline roofline = recorded_points();
  roofline.device = "GTX 280";
  roofline.provenance = Provenance::Modelled;
  roofline.peak_gb_per_second = 141.7;
  for (plot::RooflinePoint& point : roofline.points) {
    point.gb_per_second /= 50;
    point.shared_gb_per_second.reset();
  }
  return roofline;
}

inline void for_each_model_case(const FigureVisitor& visit) {
  using plot::Frame;
  visit("strides", [](const Frame& frame) {
    return plot::stride_figure(*model::find_address_map("gt200"), *model::find_address_map("h200"), 128,
                               frame);
  });
  visit("published", [](const Frame& frame) {
    const auto fitted = plot::PublishedRow::Origin::Fitted;
    return plot::published_figure({{.kernel = "Copy", .published = 96.9, .modelled = 94.8, .origin = fitted},
                                   {.kernel = "Diagonal",
                                    .published = 69.5,
                                    .modelled = 74.4,
                                    .modelled_low = 72,
                                    .modelled_high = 76}},
                                  4, gt200(), frame);
  });
  visit("device", [](const Frame& frame) { return plot::device_figure(gt200(), frame); });
  visit("assumptions",
        [](const Frame& frame) { return plot::assumption_figure(assumption_table(), gt200(), frame); });
  visit("widths", [](const Frame& frame) {
    return plot::width_figure({.widths = {1024, 1040, 1056, 1072},
                               .kernels = {"Padded", "Diagonal"},
                               .gb_per_second = {{20, 60, 40, 62}, {70, 72, 71, 70}},
                               .blocks = 1024},
                              gt200(), frame);
  });
  visit("queues", [](const Frame& frame) {
    return plot::queue_figure(
        {timed_run("Padded", Writes::Camped, 24), timed_run("Diagonal", Writes::Spread, 8)}, gt200(), frame);
  });
  visit("traffic", [](const Frame& frame) {
    return plot::traffic_figure(timed_run("padded", Writes::Camped, 24), gt200(), frame);
  });
  visit("remedies", [](const Frame& frame) {
    return plot::remedy_figure(
        {timed_run("by rows", Writes::Camped, 24), timed_run("diagonal", Writes::Spread, 8)}, gt200(), frame);
  });
  visit("bound", [](const Frame& frame) { return plot::bound_figure(bound_table(), frame); });
  visit("roofline", [](const Frame& frame) {
    return plot::roofline_figure(recorded_points(), modelled_points(), frame);
  });
  visit("blocks-wave",
        [trace_of = LazyTrace({.width = 512, .height = 512, .padding = 1})](const Frame& frame) {
          const trace::Trace& trace = trace_of();
          const model::PartitionReport report = model::map_partitions(trace, gt200());
          return plot::block_figure(trace, model::map_tiles(trace), gt200(),
                                    {.selected = CtaId{100}, .wave = 1, .partitions = &report}, frame);
        });
}

}  // namespace lanescope::tests
