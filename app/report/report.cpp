#include "report/report.h"

#include "trace/hazard.h"

#include <algorithm>
#include <string_view>

namespace lanescope::report {

std::vector<std::string> finding_kinds() {
  std::vector<std::string> kinds{"excess_sectors", "unaligned_start", "bank_conflicts",
                                 "idle_multiprocessors", "few_bytes_under_way"};
  for (auto kind = trace::HazardKind::OutOfBounds; kind <= trace::HazardKind::WrongImage;
       kind = static_cast<trace::HazardKind>(static_cast<uint8_t>(kind) + 1))
    kinds.emplace_back(trace::name_of(kind));
  return kinds;
}

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::Sectors:
      return "sectors";
    case Unit::Wavefronts:
      return "wavefronts";
    case Unit::None:
      break;
  }
  return "";
}

std::vector<KernelCost> kernel_costs(const Report& report) {
  std::vector<KernelCost> costs;
  for (const LaunchReport& launch : report.launches) {
    auto cost = std::ranges::find(costs, launch.kernel, &KernelCost::kernel);
    if (cost == costs.end()) cost = costs.insert(cost, {.kernel = launch.kernel, .cost = {}});
    cost->launches += launch.times;
    cost->cost += launch.all;
    for (const Finding& finding : launch.findings)
      if (finding.is_hazard && !finding.suppressed) ++cost->hazards;
  }
  return costs;
}

bool counts_machine_code(const Report& report) {
  return std::ranges::any_of(report.launches, [](const LaunchReport& launch) {
    return launch.level == trace::CountLevel::MachineCode;
  });
}

bool is_failure(const Report& report, const Finding& finding) {
  if (finding.suppressed) return false;
  return report.comparison ? finding.novelty == Novelty::New : finding.is_hazard;
}

int exit_status(const Report& report) {
  if (report.has_failed) return 1;
  if (report.comparison && report.comparison->is_worse) return 1;
  for (const LaunchReport& launch : report.launches)
    for (const Finding& finding : launch.findings)
      if (is_failure(report, finding)) return 1;
  return 0;
}

}  // namespace lanescope::report
