#include "pipeline/layout_run.h"

#include "launch/contents.h"
#include "model/cost.h"
#include "model/device.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

using layout::AccessCost;

constexpr std::string_view kMark = "// @access";

Result<std::shared_ptr<const launch::Launch>> launch_of(const layout::Report& report) {
  // Bytes, so that floating-point types get every pattern of bits, too.
  const std::vector<uint64_t> shape{uint64_t{report.placed.lines} * report.placed.line_elements *
                                    report.placed.element_bytes};
  launch::Launch launch{.grid = {1, 1, 1},
                        .block = {32, 1, 1},
                        .dynamic_shared_bytes = report.placed.size_bytes,
                        .buffers = {},
                        .arguments = {launch::BufferArgument{0}, launch::BufferArgument{1}},
                        .variables = {}};
  TRY(const launch::Contents in, launch::make_contents(launch::ElementType::U8, shape, "random(1)"));
  TRY(const launch::Contents out, launch::make_contents(launch::ElementType::U8, shape, "zeros"));
  launch.buffers.push_back({"in", launch::ElementType::U8, shape, in});
  launch.buffers.push_back({"out", launch::ElementType::U8, shape, out, false});
  return std::make_shared<const launch::Launch>(std::move(launch));
}

/// Of the accesses to shared memory on the marked line.
AccessCost cost_of_mark(const trace::Trace& trace) {
  AccessCost sum;
  for (const trace::StoredBlock& block : trace.blocks) {
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::WarpAccess access = trace::view(trace, block, stored);
      const trace::Site& site = trace.sites[access.site.value];
      if (access.operation.space != trace::Space::Shared || !site.source_text.ends_with(kMark)) continue;
      const trace::Cost cost = model::cost_of(access);
      ++sum.requests;
      sum.wavefronts += cost.wavefronts;
      sum.ideal += cost.ideal_wavefronts;
      sum.most = std::max<uint32_t>(sum.most, cost.wavefronts);
    }
  }
  return sum;
}

Result<void> check(const Run& run, const layout::AccessRow& row, const AccessCost& counted) {
  if (!run.trace->hazards.empty())
    return fail(ErrorKind::Internal, fmt::format("the kernel of {} has a hazard: {}", row.access.name,
                                                 run.trace->hazards.front().message));
  if (*run.buffers[1] != *run.buffers[0])
    return fail(
        ErrorKind::Internal,
        fmt::format("the kernel of {} did not find every element where the layout says", row.access.name));
  if (counted != row.cost.value())
    return fail(ErrorKind::Internal,
                fmt::format("the kernel of {} takes {} wavefronts in {} requests, and {} in {} were computed",
                            row.access.name, counted.wavefronts, counted.requests, row.cost->wavefronts,
                            row.cost->requests));
  return {};
}

}  // namespace

Result<std::vector<AccessCost>> run_layout(const layout::Report& report, Execution& execution,
                                           const Options& options) {
  TRY(const model::Device device, model::find_device(options.assets / "devices", "h200"));
  Job job;
  job.source = {"layout.cu", layout::kernel_text(report), {}};
  job.options.cache_directory = options.cache;
  TRY(job.launch, launch_of(report));
  std::vector<AccessCost> costs;
  for (const layout::AccessRow& row : report.rows) {
    job.kernel = layout::kernel_name(row.access);
    TRY(const auto run, execution.run(job, device, {}));
    const AccessCost counted = cost_of_mark(*run->trace);
    TRY_VOID(check(*run, row, counted));
    costs.push_back(counted);
  }
  return costs;
}

}  // namespace lanescope::pipeline
