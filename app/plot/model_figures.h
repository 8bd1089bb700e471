// Figures of models that look at more than one run or at none: strides on two maps of addresses, the
// published table beside the timing model, bandwidth by the width of a matrix, traffic of the partitions over
// time. Tests: tests/unit/plot/model_figures_test.cpp, traffic_figure_test.cpp

#pragma once

#include "model/address_maps.h"
#include "model/device.h"
#include "model/timing.h"
#include "plot/figures.h"

#include <string>
#include <vector>

namespace lanescope::plot {

/// Share of the accesses at the busiest partition, by stride (256 bytes to 1 MiB), on two maps.
Figure stride_figure(const model::AddressMap& left, const model::AddressMap& right, uint32_t count,
                     const Frame& frame);

/// One kernel of a table: what was published, what the model says.
struct PublishedRow {
  std::string kernel;
  double published = 0;  // GiB/s
  double modelled = 0;
  double modelled_low = 0, modelled_high = 0;  // over seeds; 0: not asked for
  enum class Origin : uint8_t { Fitted, Predicted } origin = Origin::Predicted;
};
Figure published_figure(const std::vector<PublishedRow>& rows, const model::Device& device,
                        const Frame& frame);

/// Bandwidth of kernels by the width of a square matrix.
struct WidthSweep {
  std::vector<uint32_t> widths;
  std::vector<std::string> kernels;
  std::vector<std::vector<double>> gib_per_second;  // [kernel][width]
  uint64_t blocks = 0;                              // modelled of each grid, at most
};
Figure width_figure(const WidthSweep& sweep, const model::Device& device, const Frame& frame);

/// What the timing model says of a run; `device` below is the one that it was timed on.
struct TimedRun {
  std::string name;  // translated
  model::TimingReport report;
};
/// The queues of the partitions over time, one run beside the other, each on its own axis of time.
Figure queue_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame);
/// Partitions by windows of time, reads and writes apart: how much of its bus each one uses.
Figure traffic_figure(const TimedRun& run, const model::Device& device, const Frame& frame);
/// The writes of several runs below each other, on one axis of time: what helps against camping.
Figure remedy_figure(const std::vector<TimedRun>& runs, const model::Device& device, const Frame& frame);

}  // namespace lanescope::plot
