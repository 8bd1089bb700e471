#include "report/wording.h"

#include "base/number.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

/// "1 launch", "2 launches".
std::string counted(uint64_t number_of, const char* one, const char* many) {
  return fmt::format("{} {}", count(number_of), number_of == 1 ? one : many);
}

uint64_t measures_of(const Comparison& comparison, Change::Verdict verdict) {
  return static_cast<uint64_t>(std::ranges::count(comparison.changes, verdict, &Change::verdict));
}

}  // namespace

std::string count(uint64_t value) { return number(Language::English, value); }

std::string cost_words(uint64_t cost, Unit unit) {
  if (unit == Unit::None) return {};
  std::string_view name = name_of(unit);
  if (cost == 1) name.remove_suffix(1);
  return fmt::format("{} {}", count(cost), name);
}

std::string extent_words(Dim3 extent) {
  if (extent.z > 1) return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
  if (extent.y > 1) return fmt::format("{} x {}", extent.x, extent.y);
  return fmt::to_string(extent.x);
}

std::string duration_words(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.2f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

std::string bound_words(const Bound& bound) {
  std::string words =
      fmt::format("It takes at least {}, which {} decides", duration_words(bound.seconds), bound.limit);
  if (bound.without_all)
    words += fmt::format("; without the excess of all lines {:.2f} times faster", *bound.without_all);
  return words;
}

std::string place_words(const Location& where) {
  return where.line == 0 ? "" : fmt::format("{}:{}", where.file, where.line);
}

std::string gain_words(const Finding& finding) {
  constexpr double kLeastGain = 1.005;
  if (!finding.factor) return {};
  if (*finding.factor < kLeastGain) return fmt::format("no gain: {} decides", finding.without);
  return fmt::format("about {:.2f} times faster", *finding.factor);
}

std::string change_words(const Change& change) {
  const std::string share =
      change.before == 0
          ? ""
          : fmt::format(" ({:+.1f} %)",
                        100 * (static_cast<double>(change.after) / static_cast<double>(change.before) - 1));
  return fmt::format("{} -> {} {}{}", count(change.before), count(change.after), change.measure, share);
}

std::string summary_of(const Report& report) {
  uint64_t launches = 0, findings = 0, hazards = 0;
  for (const LaunchReport& launch : report.launches) {
    launches += launch.times;
    for (const Finding& finding : launch.findings)
      if (!finding.suppressed) ++(finding.is_hazard ? hazards : findings);
  }
  std::string summary = fmt::format(
      "{} of {}; {}, {}", counted(launches, "launch", "launches"),
      counted(kernel_costs(report).size(), "kernel", "kernels"), counted(hazards, "hazard", "hazards"),
      counted(findings, "line or launch to improve", "lines or launches to improve"));
  if (report.suppressed != 0)
    summary += fmt::format("; {} suppressed", counted(report.suppressed, "finding is", "findings are"));
  return summary + ".";
}

std::string verdict_of(const Comparison& comparison) {
  const uint64_t worse = measures_of(comparison, Change::Verdict::Worse);
  const uint64_t better = measures_of(comparison, Change::Verdict::Better);
  return fmt::format("{} {}: {} worse by more than {:g} %, {} better; {}, {}.",
                     comparison.is_worse ? "Worse than" : "Not worse than", comparison.with,
                     counted(worse, "count is", "counts are"), comparison.tolerance_percent, count(better),
                     counted(comparison.new_findings, "new finding", "new findings"),
                     counted(comparison.gone_findings, "finding is gone", "findings are gone"));
}

std::string method_of(const Report& report) {
  std::string text =
      "Requests, sectors and wavefronts are counted from the addresses of every lane (emulated, or traced on "
      "a "
      "GPU, as each launch says); they are exact for the PTX and say nothing about time by themselves. A "
      "sector is an aligned 32 bytes of global or local memory, a wavefront is one pass of the shared-memory "
      "pipe; ideal is the least that the same lanes and widths allow. ";
  if (!report.device.empty())
    text += fmt::format(
        "Times and gains are modelled (modelled caches of {}, a lower bound of the time): a gain compares "
        "that "
        "bound with and without a line's excess, and a level that does not decide costs nothing. Measure "
        "before you believe one.",
        report.device);
  return text;
}

}  // namespace lanescope::report
