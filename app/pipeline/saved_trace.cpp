#include "pipeline/saved_trace.h"

#include "pipeline/line_costs.h"
#include "pipeline/partition_report.h"

#include <utility>

namespace lanescope::pipeline {

namespace {

/// The first site that has a source that is known.
void add_source(Run& run, const std::map<std::string, std::string>& sources) {
  for (const trace::Site& site : run.trace->sites) {
    const auto found = sources.find(site.source.file);
    if (found == sources.end()) continue;
    run.source_name = found->first;
    run.source_text = found->second;
    return;
  }
}

}  // namespace

std::shared_ptr<const Run> run_of_trace(trace::Trace trace, const model::Device& device,
                                        const std::map<std::string, std::string>& sources) {
  auto run = std::make_shared<Run>();
  auto launch = std::make_shared<launch::Launch>();
  launch->grid = trace.grid;
  launch->block = trace.block;
  run->launch = std::move(launch);
  run->kernel = trace.kernel;
  run->trace = std::make_shared<const trace::Trace>(std::move(trace));
  add_source(*run, sources);
  run->tiles = std::make_shared<const std::vector<model::TileMap>>(model::map_tiles(*run->trace));
  add_partitions(*run, device);
  add_costs(*run, device);
  return run;
}

bool is_saved_trace(const Run& run) { return run.ptx_text.empty(); }

}  // namespace lanescope::pipeline
