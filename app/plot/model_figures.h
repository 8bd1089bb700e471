// Figures of models that need several runs or none: strides on two maps of addresses, the
// published table next to the timing model, bandwidth by the width of a matrix, traffic of the partitions
// over time. Tests: tests/unit/plot/model_figures_test.cpp, traffic_figure_test.cpp

#pragma once

#include "model/address_maps.h"
#include "model/bound.h"
#include "model/device.h"
#include "model/timing.h"
#include "plot/figures.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::plot {

/// Share of the accesses at the busiest partition, by stride (256 bytes to 1 MiB), on two maps.
Figure stride_figure(const model::AddressMap& left, const model::AddressMap& right, uint32_t count,
                     const Frame& frame);

/// One kernel of a table: what was published, what the model says.
struct PublishedRow {
  std::string kernel;
  double published = 0;  // GB/s
  double modelled = 0;
  double modelled_low = 0, modelled_high = 0;  // with random starts too; equal: none
  enum class Origin : uint8_t { Fitted, Predicted } origin = Origin::Predicted;
};
/// `seeds`: how many random starts the rows' ranges are of.
Figure published_figure(const std::vector<PublishedRow>& rows, size_t seeds, const model::Device& device,
                        const Frame& frame);

/// Every number of a device's file with its value and source; the model's assumptions and numbers without a
/// source are marked.
Figure device_figure(const model::Device& device, const Frame& frame);

/// What each assumption of the timing model is worth to some kernels.
struct AssumptionTable {
  std::vector<std::string> kernels;                              // translated
  std::vector<double> published;                                 // [kernel], GB/s
  std::vector<double> with_all;                                  // [kernel], GB/s
  std::vector<std::array<double, model::kAssumptions>> without;  // [kernel][assumption], GB/s
};
Figure assumption_figure(const AssumptionTable& table, const model::Device& device, const Frame& frame);

/// Bandwidth of kernels by the width of a square matrix.
struct WidthSweep {
  std::vector<uint32_t> widths;
  std::vector<std::string> kernels;
  static constexpr double kNotYet = -1;            // a run that is still to come: it is not drawn
  std::vector<std::vector<double>> gb_per_second;  // [kernel][width]
  uint64_t blocks = 0;                             // modelled of each grid, at most
};
Figure width_figure(const WidthSweep& sweep, const model::Device& device, const Frame& frame);

/// What the timing model says of a run; `device` below is the one that it was timed on.
struct TimedRun {
  std::string name;  // translated
  model::TimingReport report;
};
/// The queues of the partitions over time, side by side, each on its own time axis.
Figure queue_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame);
/// Partitions by windows of time, reads and writes apart: how much of its bus each one uses.
Figure traffic_figure(const TimedRun& run, const model::Device& device, const Frame& frame);
/// The writes of several runs below each other, on one axis of time: what helps against camping.
Figure remedy_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame);

/// Times of kernels by size, bound and recorded.
struct BoundCell {
  double predicted_seconds = 0;
  double recorded_seconds = 0;
  model::Level limit = model::Level::Memory;
  enum class Origin : uint8_t { Fitted, Predicted } origin = Origin::Predicted;
  double error() const { return predicted_seconds / recorded_seconds - 1; }
};
struct BoundTable {
  std::vector<std::string> kernels;                          // translated
  std::vector<uint32_t> sizes;                               // sides of square matrices
  std::vector<std::vector<std::optional<BoundCell>>> cells;  // [kernel][size]; none: not recorded
  std::string gpu;                                           // "NVIDIA H200"
  std::string origin;                                        // "driver 580.159.04, CUDA 13.0, 2026-11-21"
};
Figure bound_figure(const BoundTable& table, const Frame& frame);

/// Kernels under the roof of one device.
struct RooflinePoint {
  std::string kernel;                                         // translated
  double wanted_share = 0;                                    // useful bytes over transferred bytes
  double gb_per_second = 0;                                   // useful bytes over the time
  std::optional<double> shared_gb_per_second = std::nullopt;  // what the pipe of shared memory would allow
};
struct Roofline {
  std::string device;                            // "NVIDIA H200"
  std::string place;                             // "8192 x 8192, recorded 2026-11-21"
  Provenance provenance = Provenance::Recorded;  // of the points
  double peak_gb_per_second = 0;
  std::vector<RooflinePoint> points;
};
/// Two devices side by side, the first recorded, the second modelled.
Figure roofline_figure(const Roofline& recorded, const Roofline& modelled, const Frame& frame);

}  // namespace lanescope::plot
