#include "shell/findings.h"

#include "base/escape.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {

namespace {

/// Lines whose counts another run may not repeat.
void report_order_dependence(const trace::Trace& trace) {
  std::set<int> lines;
  for (const trace::Site& site : trace.sites)
    if (site.depends_on_order && trace.totals[site.id.value].requests != 0)
      lines.insert(site.source.line != 0 ? site.source.line : site.ptx_line);
  if (lines.empty()) return;
  fmt::print(
      stderr,
      "note: the counts of {} {} depend on which block comes first, since {} wait{} for other blocks or "
      "access{} what an atomic gave, and may differ from run to run; --threads 1 gives the same ones "
      "every time\n",
      lines.size() == 1 ? "line" : "lines", fmt::join(lines, ", "), lines.size() == 1 ? "it" : "they",
      lines.size() == 1 ? "s" : "", lines.size() == 1 ? "es" : "");
}

void print(const std::string& sentence) { fmt::print(stderr, "{}\n", without_control_characters(sentence)); }

}  // namespace

void report_notes(const trace::Trace& trace) {
  report_order_dependence(trace);
  for (const trace::Hazard& note : trace.notes)
    print(describe(
        {ErrorKind::Hazard, (note.is_question ? "" : "note: ") + trace::sentence_of(note), note.where}));
  for (const std::string& unchecked : trace.unchecked) print("not checked: " + unchecked);
}

int report_findings(const trace::Trace& trace) {
  report_notes(trace);
  for (const trace::Hazard& hazard : trace.hazards)
    print(describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where}));
  // What comes from a guess is no defect of the kernel.
  return std::ranges::all_of(trace.hazards, &trace::Hazard::is_question) ? 0 : 1;
}

}  // namespace lanescope::shell
