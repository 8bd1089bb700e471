// SARIF: the other files of CI are in junit_report.cpp. Source: Static Analysis Results Interchange Format
// (SARIF) Version 2.1.0, OASIS Standard. Tests: tests/unit/report/written_reports_test.cpp

#include "base/utf8.h"
#include "export/json.h"
#include "report/ci_reports.h"
#include "report/wording.h"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

using exporting::Json;

/// A path as a relative reference of RFC 3986: all but unreserved characters and slashes in percent.
std::string uri_of(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").contains(c);
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + uri : uri;
}

const char* level_of(const Report& report, const Finding& finding) {
  constexpr double kGain = 1.005;
  if (is_failure(report, finding) || finding.is_hazard) return "error";
  return finding.factor.value_or(kGain) >= kGain ? "warning" : "note";
}

Json rules_json(Language language) {
  Json rules = Json::array();
  for (const std::string& kind : finding_kinds())
    rules.push_back({{"id", kind},
                     {"shortDescription", {{"text", heading_of(language, kind)}}},
                     {"fullDescription", {{"text", meaning_of(language, kind)}}},
                     {"help", {{"text", meaning_of(language, kind)}}}});
  return rules;
}

std::string message_of(Language language, const LaunchReport& launch, const Finding& finding) {
  std::string message = fmt::format("{}: {}", launch.kernel, finding.sentence);
  if (!finding.advice.empty()) message += " " + finding.advice;
  if (const std::string gain = gain_words(language, finding); !gain.empty())
    message += fmt::format(" {} {}.", say(language, Words::modelled_gain_label), gain);
  return valid_utf8(message);
}

/// Where a finding is shown: in its line, or, of a launch as a whole, in the first line of the kernel's file
/// that accesses memory. Code reviews show no result without a place.
Location place_of(const LaunchReport& launch, const Finding& finding) {
  Location place = finding.source.where;
  if (place.line > 0 || launch.lines.empty()) return place;
  for (const LineCost& line : launch.lines) {
    const Location& where = line.source.where;
    if (where.line > 0 && (place.line <= 0 || (where.file == place.file && where.line < place.line)))
      place = where;
  }
  return place;
}

Json result_json(const Report& report, const LaunchReport& launch, const Finding& finding, int occurrence) {
  Json result{{"ruleId", finding.kind},
              {"level", level_of(report, finding)},
              {"message", {{"text", message_of(report.language, launch, finding)}}}};
  const Location where = place_of(launch, finding);
  if (!where.file.empty()) {
    Json location{{"artifactLocation", {{"uri", uri_of(where.file)}}}};
    if (where.line > 0) location["region"] = {{"startLine", where.line}};
    result["locations"] = Json::array({{{"physicalLocation", std::move(location)}}});
  }
  result["partialFingerprints"] = {
      {"lanescope/v1", valid_utf8(fmt::format("{}|{}|{}|{}|{}", launch.kernel, finding.kind, finding.access,
                                              finding.source.text, occurrence))}};
  if (finding.suppressed)
    result["suppressions"] = Json::array({{{"kind", finding.suppressed->in_source ? "inSource" : "external"},
                                           {"justification", valid_utf8(finding.suppressed->reason)}}});
  if (finding.novelty != Novelty::NotCompared)
    result["baselineState"] = finding.novelty == Novelty::New ? "new" : "unchanged";
  return result;
}

}  // namespace

std::string sarif_report(const Report& report) {
  Json results = Json::array();
  std::map<std::string, int> occurrences;  // [kernel, kind, access, text]
  for (const LaunchReport& launch : report.launches)
    for (const Finding& finding : launch.findings) {
      const std::string key =
          launch.kernel + '\n' + finding.kind + '\n' + finding.access + '\n' + finding.source.text;
      results.push_back(result_json(report, launch, finding, occurrences[key]++));
    }
  Json run{
      {"tool",
       {{"driver",
         {{"name", "Lanescope"}, {"version", LANESCOPE_VERSION}, {"rules", rules_json(report.language)}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(results)}};
  Json notifications = Json::array();
  for (const Note& problem : report.problems)
    notifications.push_back({{"level", "error"}, {"message", {{"text", valid_utf8(problem.text)}}}});
  run["invocations"] = Json::array({{{"executionSuccessful", !report.has_failed},
                                     {"toolExecutionNotifications", std::move(notifications)}}});
  const Json sarif{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({std::move(run)})}};
  return sarif.dump(1) + "\n";
}

}  // namespace lanescope::report
