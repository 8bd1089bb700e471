#include "report/report_json.h"

#include "base/file.h"
#include "base/utf8.h"
#include "export/json.h"
#include "report/wording.h"

#include <utility>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

using exporting::Json;

Json cost_json(const trace::LaunchCost& cost) {
  return {{"requests", cost.requests},
          {"sectors", cost.sectors},
          {"ideal_sectors", cost.ideal_sectors},
          {"wavefronts", cost.wavefronts},
          {"ideal_wavefronts", cost.ideal_wavefronts}};
}

void add_source(Json& json, const SourceLine& source) {
  json["file"] = valid_utf8(source.where.file);
  json["line"] = source.where.line;
  json["text"] = valid_utf8(source.text);
}

void add_unit(Json& json, Unit unit, uint64_t cost, uint64_t ideal) {
  if (unit == Unit::None) return;
  json["unit"] = name_of(unit);
  json["cost"] = cost;
  json["ideal"] = ideal;
}

Json line_json(const LineCost& line) {
  Json json;
  add_source(json, line.source);
  json["access"] = line.access;
  json["requests"] = line.requests;
  add_unit(json, line.unit, line.cost, line.ideal);
  if (!line.verdict.empty()) json["verdict"] = line.verdict;
  return json;
}

Json finding_json(const Finding& finding) {
  Json json{{"kind", finding.kind}, {"hazard", finding.is_hazard}};
  add_source(json, finding.source);
  if (!finding.access.empty()) json["access"] = finding.access;
  json["sentence"] = valid_utf8(finding.sentence);
  if (!finding.advice.empty()) json["advice"] = valid_utf8(finding.advice);
  add_unit(json, finding.unit, finding.cost, finding.ideal);
  if (finding.factor)
    json["saving"] = {
        {"factor", *finding.factor},
        {"then_decides", finding.without ? level_words(Language::English, *finding.without) : ""},
        {"provenance", "modelled"}};
  if (finding.suppressed)
    json["suppressed"] = {{"reason", valid_utf8(finding.suppressed->reason)},
                          {"by", valid_utf8(finding.suppressed->by)}};
  if (finding.novelty != Novelty::NotCompared) json["new"] = finding.novelty == Novelty::New;
  return json;
}

Json notes_json(const std::vector<Note>& notes) {
  Json json = Json::array();
  for (const Note& note : notes) json.push_back(valid_utf8(note.text));
  return json;
}

Json launch_json(const LaunchReport& launch) {
  Json json{{"number", launch.number},
            {"times", launch.times},
            {"kernel", valid_utf8(launch.kernel)},
            {"grid", exporting::extent(launch.grid)},
            {"block", exporting::extent(launch.block)},
            {"shared_bytes", launch.shared_bytes},
            {"provenance", name_of(launch.provenance)},
            {"level", name_of(launch.level)},
            {"cost", cost_json(launch.cost)},
            {"cost_of_all", cost_json(launch.all)}};
  if (launch.matched) json["matched"] = *launch.matched;
  if (launch.bound) {
    json["bound"] = {{"seconds", launch.bound->seconds},
                     {"decides", level_words(Language::English, launch.bound->limit)},
                     {"provenance", "modelled"}};
    if (launch.bound->without_all) json["bound"]["factor_without_all"] = *launch.bound->without_all;
  } else {
    json["bound"] = nullptr;
    json["bound_missing"] = valid_utf8(launch.bound_missing.text);
  }
  json["lines"] = Json::array();
  for (const LineCost& line : launch.lines) json["lines"].push_back(line_json(line));
  json["findings"] = Json::array();
  for (const Finding& finding : launch.findings) json["findings"].push_back(finding_json(finding));
  json["notes"] = notes_json(launch.notes);
  if (launch.picture)
    json["worst_access"] = {{"figure", launch.picture->name},
                            {"place", valid_utf8(launch.picture->subtitle)},
                            {"explanation", valid_utf8(launch.picture->explanation)}};
  return json;
}

Json kernel_json(const KernelCost& kernel) {
  Json json{
      {"kernel", valid_utf8(kernel.kernel)}, {"launches", kernel.launches}, {"hazards", kernel.hazards}};
  json.update(cost_json(kernel.cost));
  return json;
}

std::string_view word_of(Change::Verdict verdict) {
  if (verdict == Change::Verdict::Same) return "same";
  return verdict == Change::Verdict::Better ? "better" : "worse";
}

Json texts_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(valid_utf8(text));
  return json;
}

Json comparison_json(const Comparison& comparison) {
  Json json{{"with", valid_utf8(comparison.with)},
            {"tolerance_percent", comparison.tolerance_percent},
            {"worse", comparison.is_worse},
            {"new_findings", comparison.new_findings},
            {"gone_findings", comparison.gone_findings},
            {"new_kernels", texts_json(comparison.new_kernels)},
            {"gone_kernels", texts_json(comparison.gone_kernels)},
            {"changes", Json::array()}};
  for (const Change& change : comparison.changes)
    json["changes"].push_back({{"kernel", valid_utf8(change.kernel)},
                               {"measure", change.measure},
                               {"before", change.before},
                               {"after", change.after},
                               {"verdict", word_of(change.verdict)}});
  return json;
}

/// The whole number from 0, and the list, of that name. Throw nlohmann's exceptions where there is none.
uint64_t count_at(const Json& json, const char* name) {
  return json.at(name).get_ref<const Json::number_unsigned_t&>();
}
const Json::array_t& list_at(const Json& json, const char* name) {
  return json.at(name).get_ref<const Json::array_t&>();
}

/// A baseline of a report's JSON; throws nlohmann's exceptions where a field is missing or of another type.
Baseline baseline_in(const Json& json) {
  Baseline baseline;
  for (const Json& one : list_at(json, "kernels")) {
    KernelCost kernel{.kernel = one.at("kernel"),
                      .launches = count_at(one, "launches"),
                      .hazards = count_at(one, "hazards"),
                      .cost = {}};
    kernel.cost = {count_at(one, "requests"), count_at(one, "sectors"), count_at(one, "ideal_sectors"),
                   count_at(one, "wavefronts"), count_at(one, "ideal_wavefronts")};
    baseline.kernels.push_back(std::move(kernel));
  }
  for (const Json& launch : list_at(json, "launches")) {
    if (launch.value("level", "ptx") == "sass") baseline.is_of_machine_code = true;
    for (const Json& one : list_at(launch, "findings"))
      baseline.findings.push_back({.kernel = launch.at("kernel"),
                                   .kind = one.at("kind"),
                                   .access = one.value("access", ""),
                                   .text = one.at("text"),
                                   .cost = one.contains("cost") ? count_at(one, "cost") : 0});
  }
  return baseline;
}

}  // namespace

std::string json_report(const Report& report) {
  Json json{{"lanescope", LANESCOPE_VERSION},
            {"report", kReportFormat},
            {"title", valid_utf8(report.title)},
            {"language", report.language == Language::French ? "fr" : "en"},
            {"device", report.device},
            {"failed", report.has_failed},
            {"problems", notes_json(report.problems)},
            {"kernels", Json::array()},
            {"launches", Json::array()},
            {"notes", notes_json(report.notes)},
            {"suppressed", report.suppressed},
            {"unused_suppressions", texts_json(report.unused_suppressions)}};
  for (const KernelCost& kernel : kernel_costs(report)) json["kernels"].push_back(kernel_json(kernel));
  for (const LaunchReport& launch : report.launches) json["launches"].push_back(launch_json(launch));
  json["against"] = report.comparison ? comparison_json(*report.comparison) : Json(nullptr);
  return json.dump(1) + "\n";
}

Result<Baseline> read_baseline(const std::filesystem::path& file) {
  TRY(const std::string text, read_text(file));
  const Location where{file.string(), 0};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("report"))
    return fail(ErrorKind::Syntax, "a report of 'lanescope report -o FILE.json' was expected", where);
  if (json["report"] != kReportFormat)
    return fail(ErrorKind::Syntax,
                fmt::format("a report in format {} was expected, the file has format {}; write it again",
                            kReportFormat, json["report"].dump()),
                where);
  try {
    Baseline baseline = baseline_in(json);
    baseline.name = file.filename().string();
    return baseline;
  } catch (const Json::exception& problem) {
    return fail(ErrorKind::Syntax, fmt::format("the report is damaged ({}); write it again", problem.what()),
                where);
  }
}

}  // namespace lanescope::report
