#include "report/launch_report.h"

#include "base/lines.h"
#include "caches/savings.h"
#include "export/cost_rows.h"
#include "report/advice.h"
#include "report/stored_caches.h"
#include "report/wording.h"
#include "report/worst_access.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace lanescope::report {
namespace {

using exporting::CostRow;

std::string_view level_words(model::Level level) {
  switch (level) {
    case model::Level::Memory:
      return "the DRAM";
    case model::Level::L2:
      return "the L2";
    case model::Level::Lines:
      return "the path to the L2";
    case model::Level::SharedMemory:
      return "shared memory";
    case model::Level::Latency:
      return "latency";
    case model::Level::L1:
      return "the L1";
    case model::Level::Arithmetic:
      return "arithmetic";
  }
  return "";
}

Cost cost_of(const trace::Trace& trace) {
  Cost cost;
  for (const trace::Totals& totals : trace.totals)
    cost +=
        {totals.requests, totals.sectors, totals.ideal_sectors, totals.wavefronts, totals.ideal_wavefronts};
  return cost;
}

Unit unit_of(const CostRow& row) {
  if (!row.has_cost || exporting::cost_of(row) == 0) return Unit::None;
  return row.is_shared ? Unit::Wavefronts : Unit::Sectors;
}

LineCost line_cost(const CostRow& row) {
  const Unit unit = unit_of(row);
  return {.source = {row.where, std::string(trimmed(row.source))},
          .access = row.access,
          .unit = unit,
          .requests = row.totals.requests,
          .cost = exporting::cost_of(row),
          .ideal = exporting::ideal_of(row),
          .verdict = unit == Unit::None ? "" : exporting::verdict_of(row)};
}

std::string kind_of(const CostRow& row) {
  if (row.is_shared) return "bank_conflicts";
  return exporting::is_unaligned(row) ? "unaligned_start" : "excess_sectors";
}

/// A line that costs more than its ideal.
Finding finding_of(const CostRow& row, const trace::Trace& trace, const caches::Savings* savings) {
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
  finding.sentence =
      fmt::format("{} takes {}, and {} would be enough ({}).", row.access,
                  cost_words(finding.cost, finding.unit), count(finding.ideal), exporting::verdict_of(row));
  finding.sentence[0] = static_cast<char>(finding.sentence[0] - 'a' + 'A');
  if (access) {
    const std::string why = explanation_of(*access);
    if (!why.empty()) finding.sentence += " " + why;
  }
  const trace::Operation& operation = trace.sites[row.sites.front().value].operation;
  finding.advice = advice_for(row, operation, access ? &*access : nullptr);
  if (savings == nullptr) return finding;
  for (const caches::Saving& saving : savings->lines) {
    if (std::ranges::find(row.sites, saving.site->id) == row.sites.end()) continue;
    // A line that the compiler made several operations of has several savings: the largest is told.
    if (finding.factor && *finding.factor >= saving.factor(savings->bound)) continue;
    finding.factor = saving.factor(savings->bound);
    finding.without = level_words(saving.without.limit);
  }
  return finding;
}

/// Blocks on fewer multiprocessors than there are.
std::optional<Finding> idle_multiprocessors(const trace::Trace& trace, const model::Device& device,
                                            const caches::Savings* savings) {
  if (savings == nullptr || !savings->with_all_multiprocessors) return std::nullopt;
  const caches::Saving& saving = *savings->with_all_multiprocessors;
  if (!saving.is_gain(savings->bound)) return std::nullopt;
  return Finding{.kind = "idle_multiprocessors",
                 .source = {},
                 .access = {},
                 .sentence = fmt::format("{} of {} multiprocessors have a block.", volume(trace.grid),
                                         device.multiprocessors),
                 .advice = "Launch more blocks: smaller ones, or with less work in each thread.",
                 .factor = saving.factor(savings->bound),
                 .without = std::string(level_words(saving.without.limit))};
}

/// Warps that wait for their loads, too few of which are under way.
std::optional<Finding> few_bytes_under_way(const caches::Savings* savings) {
  if (savings == nullptr || !savings->under_way) return std::nullopt;
  constexpr double kKib = 1024;
  const caches::UnderWay& under_way = *savings->under_way;
  return Finding{
      .kind = "few_bytes_under_way",
      .source = {},
      .access = {},
      .sentence = fmt::format("Loads of {:.1f} KiB are under way on a multiprocessor at a time, and the "
                              "DRAM's rate needs {:.1f} KiB.",
                              under_way.bytes / kKib, under_way.needed / kKib),
      .advice =
          "Let more warps be resident, or let each thread make several independent loads before it "
          "uses the first.",
      .factor = under_way.enough.factor(savings->bound),
      .without = std::string(level_words(under_way.enough.without.limit))};
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
                  const model::Device& device, const caches::Savings* savings) {
  std::vector<Finding> costs;
  for (const CostRow& row : rows)
    if (unit_of(row) != Unit::None && exporting::waste_of(row) != 0)
      costs.push_back(finding_of(row, trace, savings));
  if (auto idle = idle_multiprocessors(trace, device, savings)) costs.push_back(*std::move(idle));
  if (auto few = few_bytes_under_way(savings)) costs.push_back(*std::move(few));
  std::ranges::stable_sort(costs, std::ranges::greater(), [](const Finding& finding) {
    return std::pair(finding.factor.value_or(1), waste_of(finding));
  });
  for (Finding& finding : costs) report.findings.push_back(std::move(finding));
}

void add_notes(LaunchReport& report, const trace::Trace& trace, const std::string& note) {
  if (!note.empty()) report.notes.push_back(note);
  for (const std::string& unchecked : trace.unchecked) report.notes.push_back("Not checked: " + unchecked);
  if (!trace.is_complete)
    report.notes.emplace_back("The kernel was stopped: the counts are of what ran before.");
  if (trace.dropped != 0)
    report.notes.push_back(
        fmt::format("{} accesses were counted but not stored, for lack of room: they are not in the picture.",
                    count(trace.dropped)));
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
  if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

/// The savings of the launch, or why they are not known.
Result<caches::Savings> savings_of(const pipeline::Run& run, const model::Device& device) {
  if (!run.trace->is_complete)
    return fail(ErrorKind::Unsupported, "the time is not known: the kernel was stopped");
  if (run.caches) return caches::savings_of(*run.trace, *run.caches, device);
  TRY(const caches::CacheReport modelled, caches_of_stored(*run.trace, device));
  return caches::savings_of(*run.trace, modelled, device);
}

}  // namespace

LaunchReport launch_report(const pipeline::Run& run, const model::Device& device, SourceTexts& sources) {
  const trace::Trace& trace = *run.trace;
  LaunchReport report{.kernel = run.kernel.empty() ? trace.kernel : run.kernel,
                      .grid = trace.grid,
                      .block = trace.block,
                      .shared_bytes = trace.shared_bytes,
                      .provenance = trace.provenance,
                      .cost = cost_of(trace),
                      .all = cost_of(trace)};
  if (!run.source_name.empty()) sources.add(run.source_name, run.source_text);
  const auto savings = savings_of(run, device);
  if (savings) {
    report.bound =
        Bound{.seconds = savings->bound.seconds(), .limit = std::string(level_words(savings->bound.limit))};
    if (savings->all) report.bound->without_all = savings->all->factor(savings->bound);
  } else {
    report.bound_missing = sentence_of(savings.error());
  }
  const std::string file = file_of_kernel(run);
  const std::vector<CostRow> rows =
      exporting::cost_rows(trace, {file, sources.text(file)}, exporting::TableRows::Lines);
  for (const CostRow& row : rows) report.lines.push_back(line_cost(row));
  for (const trace::Hazard& hazard : trace.hazards)
    if (!hazard.is_question) report.findings.push_back(finding_of(hazard, sources));
  for (const trace::Hazard& hazard : trace.hazards)
    if (hazard.is_question) report.notes.push_back(located(hazard));
  add_findings(report, rows, trace, device, savings ? &*savings : nullptr);
  for (const trace::Hazard& note : trace.notes) report.notes.push_back(located(note));
  add_notes(report, trace, run.note);
  // The costliest access is that of the finding that gains most, else of the line that costs most.
  const auto costliest = std::ranges::max_element(rows, {}, [&](const CostRow& row) {
    const auto finding = std::ranges::find_if(report.findings, [&](const Finding& one) {
      return !one.is_hazard && one.source.where == row.where && one.access == row.access;
    });
    const double factor = finding == report.findings.end() ? 0 : finding->factor.value_or(1);
    return std::tuple(factor, exporting::waste_of(row), exporting::cost_of(row));
  });
  if (costliest != rows.end())
    if (const auto worst = worst_access(trace, costliest->sites)) report.picture = picture_of(run, *worst);
  return report;
}

}  // namespace lanescope::report
