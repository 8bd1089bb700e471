// What `lanescope report` says of a run: its launches with their costs by line, findings with what to change
// and what that gains, what is suppressed, and how it compares with another report. Plain data:
// launch_report.h makes it of a run, report_json.h, html_report.h, markdown_report.h and ci_reports.h write
// it. Tests: tests/unit/report/*, tests/cli/report_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "base/provenance.h"
#include "base/text.h"
#include "model/bound.h"
#include "plot/figure.h"
#include "trace/launch_cost.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::report {

/// Version of the JSON report's format: `report` in it.
inline constexpr int kReportFormat = 1;

enum class Unit : uint8_t { None, Sectors, Wavefronts };

/// A line of a source; `where.line` is 0 where it is not known.
struct SourceLine {
  Location where = {};
  std::string text = {};  // trimmed
};

/// Accesses of one kind in a line, over one launch.
struct LineCost {
  SourceLine source = {};
  std::string access = {};  // "global load", in English
  Unit unit = Unit::None;
  uint64_t requests = 0, cost = 0, ideal = 0;  // cost and ideal in `unit`
  std::string verdict = {};                    // "ideal", "8x uncoalesced"; empty without a unit
};

/// Why a finding does not count.
struct Suppression {
  std::string reason = {};
  std::string by = {};     // "allow.toml:3", "kernel.cu:12"
  bool in_source = false;  // a comment in the source
};

/// How a finding stands to the report that this one is compared with.
enum class Novelty : uint8_t { NotCompared, New, Known };

/// A defect that the checks found, or a cost above the ideal. The sentence of a hazard is English, the others
/// are in the language of the report.
struct Finding {
  std::string kind = {};  // a row of finding_kinds()
  bool is_hazard = false;
  SourceLine source = {};
  std::string access = {};            // "global load", in English; empty of a hazard
  std::string sentence = {};          // what the matter is
  std::string advice = {};            // what to change; empty of a hazard
  Unit unit = Unit::None;             // of cost and ideal
  uint64_t cost = 0, ideal = 0;       // over one launch
  std::optional<double> factor = {};  // times that the launch's bound is faster without it, MODEL; none:
                                      // not known
  std::optional<model::Level> without = {};  // what decides the bound then; none where factor is none
  std::optional<Suppression> suppressed = {};
  Novelty novelty = Novelty::NotCompared;
};

/// A sentence in the language of the report, or in English where a program, a compiler or a check says it.
struct Note {
  std::string text = {};
  Language language = Language::English;
};

/// The time that a launch needs at least. MODEL: model/bound.h with the modelled caches.
struct Bound {
  double seconds = 0;
  model::Level limit = {};                 // the level that decides
  std::optional<double> without_all = {};  // times faster without all findings
};

/// One launch, and how many of the same kernel and shape the program made.
struct LaunchReport {
  uint32_t number = 1;  // of the launch that is shown, from 1
  uint64_t times = 1;   // launches of this kernel and shape
  std::string kernel = {};
  Dim3 grid = {}, block = {};
  uint32_t shared_bytes = 0;
  Provenance provenance = Provenance::Emulated;  // of the counts
  trace::CountLevel level = trace::CountLevel::Ptx;
  std::optional<double> matched = {};  // of machine code: share of the PTX's requests that have an
                                       // instruction, 0 to 1; none: not known
  trace::LaunchCost cost = {};         // of the launch that is shown
  trace::LaunchCost all = {};          // of all `times`
  std::optional<Bound> bound = {};
  Note bound_missing = {};                   // why there is none
  std::vector<LineCost> lines = {};          // those that waste most first
  std::vector<Finding> findings = {};        // hazards, then those that gain most first
  std::vector<Note> notes = {};              // what was not checked or not stored
  std::optional<plot::Figure> picture = {};  // of its costliest access
};

/// Sum over the launches of one kernel: what reports are compared by.
struct KernelCost {
  std::string kernel = {};
  uint64_t launches = 0;
  uint64_t hazards = 0;  // that are not suppressed
  trace::LaunchCost cost = {};
};

/// What two reports say of one kernel.
struct Change {
  enum class Verdict : uint8_t { Same, Better, Worse } verdict = Verdict::Same;
  std::string kernel = {};
  std::string measure = {};  // "sectors", "wavefronts", "hazards"
  uint64_t before = 0, after = 0;
};

struct Comparison {
  std::string with = {};             // name of the other report
  double tolerance_percent = 0;      // of sectors and wavefronts; a hazard has none
  std::vector<Change> changes = {};  // of kernels that both have
  std::vector<std::string> new_kernels = {}, gone_kernels = {};
  uint64_t new_findings = 0;  // that are not suppressed
  uint64_t gone_findings = 0;
  bool is_worse = false;
};

struct Report {
  Language language = Language::English;  // of its sentences
  std::string title = {};                 // "transpose.cu", "python notebook.py"
  std::string device = {};                // title of the device whose rules count
  bool has_failed = false;                // the program did not do what was asked of it; `problems` say why
  std::vector<Note> problems = {};
  std::vector<LaunchReport> launches = {};
  std::vector<Note> notes = {};
  uint64_t suppressed = 0;                            // findings
  std::vector<std::string> unused_suppressions = {};  // sentences
  std::optional<Comparison> comparison = {};
};

/// Names of the kinds of findings: those of hazards, and excess_sectors, unaligned_start, bank_conflicts,
/// idle_multiprocessors, few_bytes_under_way.
std::vector<std::string> finding_kinds();

/// "sectors", "wavefronts"; empty for None.
std::string_view name_of(Unit unit);

/// [kernel] in the order of their first launches.
std::vector<KernelCost> kernel_costs(const Report& report);

/// Whether a launch counts the machine code.
bool counts_machine_code(const Report& report);

/// 1 where the program failed, where the comparison is worse, or, of a report that is not compared, where a
/// hazard is not suppressed; else 0.
int exit_status(const Report& report);

/// Whether exit_status() is 1 because of this finding.
bool is_failure(const Report& report, const Finding& finding);

}  // namespace lanescope::report
