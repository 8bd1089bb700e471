#include "pipeline/saved_trace.h"

#include "pipeline/partition_report.h"

#include <utility>

namespace lanescope::pipeline {

std::shared_ptr<const Run> run_of_trace(trace::Trace trace, const model::Device& device) {
  auto run = std::make_shared<Run>();
  auto launch = std::make_shared<launch::Launch>();
  launch->grid = trace.grid;
  launch->block = trace.block;
  run->launch = std::move(launch);
  run->kernel = trace.kernel;
  run->trace = std::make_shared<const trace::Trace>(std::move(trace));
  run->tiles = std::make_shared<const std::vector<model::TileMap>>(model::map_tiles(*run->trace));
  add_partitions(*run, device);
  return run;
}

bool is_saved_trace(const Run& run) { return run.ptx_text.empty(); }

}  // namespace lanescope::pipeline
