#include "report/launch_report.h"

#include "base/lines.h"
#include "base/number.h"
#include "caches/known_devices.h"
#include "caches/savings.h"
#include "export/cost_rows.h"
#include "report/advice.h"
#include "report/stored_caches.h"
#include "report/wording.h"
#include "report/worst_access.h"
#include "sass/machine_level.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

using exporting::CostRow;

Unit unit_of(const CostRow& row) {
  if (!row.has_cost || exporting::cost_of(row) == 0) return Unit::None;
  return row.is_shared ? Unit::Wavefronts : Unit::Sectors;
}

/// How a row compares with its ideal, as exporting::verdict_of() says it in English.
std::string verdict_words(const CostRow& row, Language language) {
  if (exporting::waste_of(row) == 0) return said(language, Words::is_ideal);
  const std::string times =
      with_mark(language, fmt::format("{:.3g}", static_cast<double>(exporting::cost_of(row)) /
                                                    static_cast<double>(exporting::ideal_of(row))));
  if (row.start) return said(language, Words::starts_at, times, *row.start);
  if (exporting::is_unaligned(row)) return said(language, Words::starts_within, times);
  return said(language, row.is_shared ? Words::conflicts : Words::uncoalesced, times);
}

LineCost line_cost(const CostRow& row, Language language) {
  const Unit unit = unit_of(row);
  return {.source = {row.where, std::string(trimmed(row.source))},
          .access = row.access,
          .unit = unit,
          .requests = row.totals.requests,
          .cost = exporting::cost_of(row),
          .ideal = exporting::ideal_of(row),
          .verdict = unit == Unit::None ? "" : verdict_words(row, language)};
}

std::string kind_of(const CostRow& row) {
  if (row.is_shared) return "bank_conflicts";
  return exporting::is_unaligned(row) ? "unaligned_start" : "excess_sectors";
}

/// A line that costs more than its ideal.
Finding finding_of(const CostRow& row, const trace::Trace& trace, const caches::Savings* savings,
                   Language language) {
  Finding finding{.kind = kind_of(row),
                  .source = {row.where, std::string(trimmed(row.source))},
                  .access = row.access,
                  .sentence = {},
                  .advice = {},
                  .unit = unit_of(row),
                  .cost = exporting::cost_of(row),
                  .ideal = exporting::ideal_of(row)};
  const auto worst = worst_access(trace, row.sites);
  std::optional<trace::WarpAccess> access;
  if (worst) access = access_at(trace, *worst);
  finding.sentence = said(language, Words::takes, access_words(language, row.access),
                          cost_words(language, finding.cost, finding.unit), number(language, finding.ideal),
                          verdict_words(row, language));
  begin_with_capital(finding.sentence);
  if (access) {
    const std::string why = explanation_of(*access, language);
    if (!why.empty()) finding.sentence += " " + why;
  }
  const trace::Operation& operation = trace.sites[row.sites.front().value].operation;
  finding.advice = advice_for(row, operation, access ? &*access : nullptr, language);
  if (savings == nullptr) return finding;
  for (const caches::Saving& saving : savings->lines) {
    if (std::ranges::find(row.sites, saving.site->id) == row.sites.end()) continue;
    // A line that the compiler made several operations of has several savings: the largest is told.
    if (finding.factor && *finding.factor >= saving.factor(savings->bound)) continue;
    finding.factor = saving.factor(savings->bound);
    finding.without = saving.without.limit;
  }
  return finding;
}

/// Blocks on fewer multiprocessors than there are.
std::optional<Finding> idle_multiprocessors(const trace::Trace& trace, const model::Device& device,
                                            const caches::Savings* savings, Language language) {
  if (savings == nullptr || !savings->with_all_multiprocessors) return std::nullopt;
  const caches::Saving& saving = *savings->with_all_multiprocessors;
  if (!saving.is_gain(savings->bound)) return std::nullopt;
  return Finding{.kind = "idle_multiprocessors",
                 .source = {},
                 .access = {},
                 .sentence = said(language, Words::idle, volume(trace.grid), device.multiprocessors),
                 .advice = said(language, Words::idle_advice),
                 .factor = saving.factor(savings->bound),
                 .without = saving.without.limit};
}

/// Warps that wait for their loads, too few of which are under way.
std::optional<Finding> few_bytes_under_way(const caches::Savings* savings, Language language) {
  if (savings == nullptr || !savings->under_way) return std::nullopt;
  const caches::UnderWay& under_way = *savings->under_way;
  const auto one_digit = [&](double kib) { return with_mark(language, fmt::format("{:.1f}", kib)); };
  return Finding{.kind = "few_bytes_under_way",
                 .source = {},
                 .access = {},
                 .sentence = said(language, Words::few_bytes, one_digit(under_way.kib()),
                                  one_digit(under_way.needed_kib())),
                 .advice = said(language, Words::few_bytes_advice),
                 .factor = under_way.enough.factor(savings->bound),
                 .without = under_way.enough.without.limit};
}

Finding finding_of(const trace::Hazard& hazard, SourceTexts& sources) {
  return {.kind = std::string(trace::name_of(hazard.kind)),
          .is_hazard = true,
          .source = {hazard.where, sources.line(hazard.where.file, hazard.where.line)},
          .access = {},
          .sentence = trace::sentence_of(hazard),
          .advice = {}};
}

std::string located(const trace::Hazard& hazard) {
  return describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where});
}

uint64_t waste_of(const Finding& finding) {
  const uint64_t beyond = finding.cost > finding.ideal ? finding.cost - finding.ideal : 0;
  return beyond * (finding.unit == Unit::Wavefronts ? 128 : 32);
}

void add_findings(LaunchReport& report, const std::vector<CostRow>& rows, const trace::Trace& trace,
                  const model::Device& device, const caches::Savings* savings, Language language) {
  std::vector<Finding> costs;
  for (const CostRow& row : rows)
    if (unit_of(row) != Unit::None && exporting::waste_of(row) != 0)
      costs.push_back(finding_of(row, trace, savings, language));
  if (auto idle = idle_multiprocessors(trace, device, savings, language)) costs.push_back(*std::move(idle));
  if (auto few = few_bytes_under_way(savings, language)) costs.push_back(*std::move(few));
  std::ranges::stable_sort(costs, std::ranges::greater(), [](const Finding& finding) {
    return std::pair(finding.factor.value_or(1), waste_of(finding));
  });
  for (Finding& finding : costs) report.findings.push_back(std::move(finding));
}

void add_notes(LaunchReport& report, const trace::Trace& trace, const std::string& note, Language language) {
  if (!note.empty()) report.notes.push_back({note});
  for (const std::string& unchecked : trace.unchecked) report.notes.push_back({"Not checked: " + unchecked});
  if (!trace.is_complete) report.notes.push_back({said(language, Words::stopped), language});
  if (trace.dropped != 0)
    report.notes.push_back({said(language, Words::dropped, number(language, trace.dropped)), language});
}

/// The file that the kernel is in, from whose lines inlined functions are called: that of a site itself, or
/// the outermost of the calls that lead to it.
std::string file_of_kernel(const pipeline::Run& run) {
  if (!run.source_name.empty()) return run.source_name;
  for (const trace::Site& site : run.trace->sites)
    if (site.source.line != 0)
      return site.called_from.empty() ? site.source.file : site.called_from.back().file;
  return {};
}

/// "The time is not known: ..." as a sentence.
std::string sentence_of(const Error& error) {
  std::string sentence = error.message + ".";
  begin_with_capital(sentence);
  return sentence;
}

/// Why the trace is not enough to model a time; none where it is.
std::optional<Note> no_time(const pipeline::Run& run, const model::Device& device, Language language) {
  if (!run.trace->is_complete) return Note{said(language, Words::no_time_stopped), language};
  if (!run.caches && caches::require_known(device) && !has_first_accesses(*run.trace))
    return Note{said(language, Words::no_time_not_stored), language};
  return std::nullopt;
}

Result<caches::Savings> savings_of(const pipeline::Run& run, const model::Device& device) {
  if (run.caches) return caches::savings_of(*run.trace, *run.caches, device);
  TRY(const caches::CacheReport modelled, caches_of_stored(*run.trace, device));
  return caches::savings_of(*run.trace, modelled, device);
}

}  // namespace

LaunchReport launch_report(const pipeline::Run& run, const model::Device& device, SourceTexts& sources,
                           Language language) {
  const trace::Trace& trace = *run.trace;
  LaunchReport report{.kernel = run.kernel.empty() ? trace.kernel : run.kernel,
                      .grid = trace.grid,
                      .block = trace.block,
                      .shared_bytes = trace.shared_bytes,
                      .provenance = trace.provenance,
                      .level = trace.level,
                      .cost = trace::launch_cost(trace),
                      .all = trace::launch_cost(trace)};
  if (const sass::MachineLevel* const machine = pipeline::counted_machine(run)) {
    const sass::MatchedShare share = sass::matched_share(*machine);
    report.matched = share.all == 0 ? 1 : static_cast<double>(share.matched) / static_cast<double>(share.all);
  }
  if (!run.source_name.empty()) sources.add(run.source_name, run.source_text);
  std::optional<caches::Savings> savings;
  if (auto missing = no_time(run, device, language)) {
    report.bound_missing = *std::move(missing);
  } else if (auto known = savings_of(run, device)) {
    savings = *std::move(known);
    report.bound = Bound{.seconds = savings->bound.seconds(), .limit = savings->bound.limit};
    if (savings->all) report.bound->without_all = savings->all->factor(savings->bound);
    if (savings->without_sharing)
      report.notes.push_back(
          {said(language, Words::partly_modelled, number(language, savings->modelled_blocks),
                number(language, volume(trace.grid)),
                duration_words(language, savings->without_sharing->seconds())),
           language});
  } else {
    report.bound_missing = {sentence_of(known.error())};
  }
  const std::string file = file_of_kernel(run);
  const std::vector<CostRow> rows =
      exporting::cost_rows(trace, {file, sources.text(file)}, exporting::TableRows::Lines);
  for (const CostRow& row : rows) report.lines.push_back(line_cost(row, language));
  for (const trace::Hazard& hazard : trace.hazards)
    if (!hazard.is_question) report.findings.push_back(finding_of(hazard, sources));
  for (const trace::Hazard& hazard : trace.hazards)
    if (hazard.is_question) report.notes.push_back({located(hazard)});
  add_findings(report, rows, trace, device, savings ? &*savings : nullptr, language);
  for (const trace::Hazard& note : trace.notes) report.notes.push_back({located(note)});
  add_notes(report, trace, run.note, language);
  // The costliest access is that of the finding that gains most, else of the line that costs most.
  const auto costliest = std::ranges::max_element(rows, {}, [&](const CostRow& row) {
    const auto finding = std::ranges::find_if(report.findings, [&](const Finding& one) {
      return !one.is_hazard && one.source.where == row.where && one.access == row.access;
    });
    const double factor = finding == report.findings.end() ? 0 : finding->factor.value_or(1);
    return std::tuple(factor, exporting::waste_of(row), exporting::cost_of(row));
  });
  if (costliest != rows.end())
    if (const auto worst = worst_access(trace, costliest->sites))
      report.picture = picture_of(run, *worst, language);
  return report;
}

}  // namespace lanescope::report
