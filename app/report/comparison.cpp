#include "report/comparison.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

using Verdict = Change::Verdict;

bool is_more(uint64_t before, uint64_t after, double tolerance_percent) {
  return static_cast<double>(after) > static_cast<double>(before) * (1 + tolerance_percent / 100);
}

Change change_of(const std::string& kernel, std::string measure, uint64_t before, uint64_t after,
                 double tolerance_percent) {
  Change change{.kernel = kernel, .measure = std::move(measure), .before = before, .after = after};
  if (is_more(before, after, tolerance_percent)) change.verdict = Verdict::Worse;
  if (is_more(after, before, tolerance_percent)) change.verdict = Verdict::Better;
  return change;
}

void add_changes(Comparison& comparison, const KernelCost& before, const KernelCost& after) {
  const double tolerance = comparison.tolerance_percent;
  const auto add = [&](const char* measure, uint64_t one, uint64_t other, double percent) {
    if (one == 0 && other == 0) return;
    comparison.changes.push_back(change_of(after.kernel, measure, one, other, percent));
  };
  add("sectors", before.cost.sectors, after.cost.sectors, tolerance);
  add("wavefronts", before.cost.wavefronts, after.cost.wavefronts, tolerance);
  add("hazards", before.hazards, after.hazards, 0);
}

/// Takes the first finding that `is_same` from those that are left.
bool take(std::vector<KnownFinding>& left, const std::function<bool(const KnownFinding&)>& is_same) {
  const auto found = std::ranges::find_if(left, is_same);
  if (found == left.end()) return false;
  left.erase(found);
  return true;
}

/// Says of each finding whether the baseline has it. Returns how many of the baseline's are gone.
uint64_t mark_findings(Report& report, const Baseline& baseline, double tolerance) {
  std::vector<KnownFinding> left = baseline.findings;
  const auto is_like = [](const LaunchReport& launch, const Finding& finding, const KnownFinding& known) {
    return known.kernel == launch.kernel && known.kind == finding.kind && known.access == finding.access;
  };
  for (LaunchReport& launch : report.launches)
    for (Finding& finding : launch.findings) {
      const bool is_known = take(left, [&](const KnownFinding& known) {
        return is_like(launch, finding, known) && known.text == finding.source.text;
      });
      finding.novelty = is_known ? Novelty::Known : Novelty::New;
    }
  for (LaunchReport& launch : report.launches)
    for (Finding& finding : launch.findings) {
      if (finding.novelty == Novelty::Known) continue;
      const bool was_edited = take(left, [&](const KnownFinding& known) {
        return is_like(launch, finding, known) && !is_more(known.cost, finding.cost, tolerance);
      });
      if (was_edited) finding.novelty = Novelty::Known;
    }
  return left.size();
}

}  // namespace

Baseline baseline_of(const Report& report, std::string name) {
  Baseline baseline{.name = std::move(name),
                    .kernels = kernel_costs(report),
                    .findings = {},
                    .is_of_machine_code = counts_machine_code(report)};
  for (const LaunchReport& launch : report.launches)
    for (const Finding& finding : launch.findings)
      baseline.findings.push_back(
          {launch.kernel, finding.kind, finding.access, finding.source.text, finding.cost});
  return baseline;
}

Result<void> require_same_level(const Report& report, const Baseline& baseline) {
  const auto name = [](bool is_of_machine_code) {
    return is_of_machine_code ? "the machine code" : "the PTX";
  };
  const bool is_of_machine_code = counts_machine_code(report);
  if (is_of_machine_code == baseline.is_of_machine_code || report.launches.empty()) return {};
  return fail(ErrorKind::Usage,
              fmt::format("{} counts {}, and this report {}: compare reports with the same --level",
                          baseline.name, name(baseline.is_of_machine_code), name(is_of_machine_code)));
}

void compare(Report& report, const Baseline& baseline, double tolerance_percent) {
  Comparison comparison{.with = baseline.name, .tolerance_percent = tolerance_percent};
  const std::vector<KernelCost> kernels = kernel_costs(report);
  for (const KernelCost& kernel : kernels) {
    const auto before = std::ranges::find(baseline.kernels, kernel.kernel, &KernelCost::kernel);
    if (before == baseline.kernels.end())
      comparison.new_kernels.push_back(kernel.kernel);
    else
      add_changes(comparison, *before, kernel);
  }
  for (const KernelCost& kernel : baseline.kernels)
    if (std::ranges::find(kernels, kernel.kernel, &KernelCost::kernel) == kernels.end())
      comparison.gone_kernels.push_back(kernel.kernel);
  std::ranges::stable_sort(comparison.changes, std::ranges::greater(), &Change::verdict);
  comparison.gone_findings = mark_findings(report, baseline, tolerance_percent);
  for (const LaunchReport& launch : report.launches)
    comparison.new_findings += static_cast<uint64_t>(std::ranges::count_if(
        launch.findings, [](const Finding& one) { return one.novelty == Novelty::New && !one.suppressed; }));
  comparison.is_worse = comparison.new_findings != 0 ||
                        std::ranges::any_of(comparison.changes,
                                            [](const Change& one) { return one.verdict == Verdict::Worse; });
  report.comparison = std::move(comparison);
}

}  // namespace lanescope::report
