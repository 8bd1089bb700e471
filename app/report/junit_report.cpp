// JUnit's XML, as Jenkins, GitLab and others read it. Tests: tests/unit/report/written_reports_test.cpp

#include "base/utf8.h"
#include "export/svg.h"
#include "report/ci_reports.h"
#include "report/wording.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

/// Text for an element of XML, or an attribute in double quotation marks.
std::string xml_text(std::string_view text) { return exporting::escaped_in_quotes(valid_utf8(text)); }

struct TestCase {
  std::string name;
  std::string failure = {};  // its first line; empty: it passed
  std::string details = {};
};

std::string line_of(const Finding& finding) {
  const std::string place = place_words(finding.source.where);
  std::string line = fmt::format("{}{}{}", place, place.empty() ? "" : ": ", finding.sentence);
  if (!finding.advice.empty()) line += " " + finding.advice;
  if (finding.suppressed) line += fmt::format(" (suppressed: {})", finding.suppressed->reason);
  return line + "\n";
}

/// The findings of a kernel that are hazards, or that are not; those that fail first.
TestCase case_of(const Report& report, const KernelCost& kernel, bool of_hazards) {
  TestCase test{.name = of_hazards ? "hazards" : "memory costs"};
  std::string others;
  for (const LaunchReport& launch : report.launches) {
    if (launch.kernel != kernel.kernel) continue;
    for (const Finding& finding : launch.findings) {
      if (finding.is_hazard != of_hazards) continue;
      const bool fails = is_failure(report, finding);
      (fails ? test.details : others) += line_of(finding);
      if (fails && test.failure.empty()) test.failure = heading_of(report.language, finding.kind);
    }
  }
  if (report.comparison)
    for (const Change& change : report.comparison->changes) {
      if (change.kernel != kernel.kernel || (change.measure == "hazards") != of_hazards) continue;
      if (change.verdict == Change::Verdict::Same) continue;
      const bool fails = change.verdict == Change::Verdict::Worse;
      (fails ? test.details : others) += change_words(report.language, change) + "\n";
      if (fails && test.failure.empty()) test.failure = "worse: " + change_words(report.language, change);
    }
  test.details += others;
  return test;
}

std::string case_text(const std::string& of, const TestCase& test) {
  std::string text =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\">", xml_text(of), xml_text(test.name));
  if (!test.failure.empty())
    text +=
        fmt::format("<failure message=\"{}\">{}</failure>", xml_text(test.failure), xml_text(test.details));
  else if (!test.details.empty())
    text += fmt::format("<system-out>{}</system-out>", xml_text(test.details));
  return text + "</testcase>\n";
}

}  // namespace

std::string junit_report(const Report& report) {
  TestCase program{.name = "runs to its end"};
  for (const Note& problem : report.problems) program.details += problem.text + "\n";
  if (report.has_failed)
    program.failure = report.problems.empty() ? "it failed" : report.problems.front().text;
  std::string cases = case_text(report.title, program);
  size_t tests = 1, failures = program.failure.empty() ? 0 : 1;
  for (const KernelCost& kernel : kernel_costs(report))
    for (const bool of_hazards : {true, false}) {
      const TestCase test = case_of(report, kernel, of_hazards);
      ++tests;
      failures += test.failure.empty() ? 0 : 1;
      cases += case_text(kernel.kernel, test);
    }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"0\">\n{}</testsuite>\n</testsuites>\n",
      xml_text("lanescope report: " + report.title), tests, failures, cases);
}

}  // namespace lanescope::report
