#include "pipeline/line_costs.h"

namespace lanescope::pipeline {

std::vector<LineCost> cost_of_lines(const trace::Trace& trace, std::string_view source_name, size_t lines) {
  std::vector<LineCost> costs(lines);
  for (const trace::Site& site : trace.sites) {
    const auto line = static_cast<size_t>(site.source.line);
    if (line == 0 || line > lines || site.source.file != source_name) continue;
    LineCost& cost = costs[line - 1];
    const trace::Totals& totals = trace.totals[site.id.value];
    (site.operation.space == trace::Space::Shared ? cost.shared : cost.global) += totals;
  }
  return costs;
}

}  // namespace lanescope::pipeline
