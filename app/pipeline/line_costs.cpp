#include "pipeline/line_costs.h"

#include "base/lines.h"
#include "model/device_totals.h"
#include "trace/traffic.h"

#include <utility>

namespace lanescope::pipeline {

std::vector<LineCost> cost_of_lines(const trace::Trace& trace, const std::vector<trace::Totals>& totals,
                                    std::string_view source_name, size_t lines) {
  std::vector<LineCost> costs(lines);
  for (const trace::Site& site : trace.sites) {
    const auto line = static_cast<size_t>(site.source.line);
    if (line == 0 || line > lines || site.source.file != source_name) continue;
    LineCost& cost = costs[line - 1];
    (site.operation.space == trace::Space::Shared ? cost.shared : cost.global) += totals[site.id.value];
  }
  return costs;
}

namespace {

void add_caches(Run& run) {
  for (const trace::Site& site : run.trace->sites) {
    const auto line = static_cast<size_t>(site.source.line);
    const bool is_load = trace::direction_of(site.operation) == trace::Kind::Load;
    if (!is_load || line == 0 || line > run.lines.size() || site.source.file != run.source_name) continue;
    run.lines[line - 1].caches += run.caches->sites[site.id.value];
  }
}

void add_lines(Run& run) {
  if (!run.source_name.empty())
    run.lines = cost_of_lines(*run.trace, totals_of(run), run.source_name, lines_of(run.source_text).size());
  if (run.caches) add_caches(run);
}

}  // namespace

void set_totals(Run& run, std::vector<trace::Totals> totals) {
  run.device_totals = std::make_shared<const std::vector<trace::Totals>>(std::move(totals));
  add_lines(run);
}

void add_costs(Run& run, const model::Device& device) {
  run.device_totals.reset();
  if (auto totals = model::device_totals(*run.trace, device.compute_capability))
    return set_totals(run, *std::move(totals));
  add_lines(run);
}

}  // namespace lanescope::pipeline
