#include "shell/findings.h"

#include "base/escape.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {

namespace {

/// Prints the lines whose counts another run may not repeat. `others`: "block" or "warp".
void report_order_dependence(const trace::Trace& trace, bool trace::Site::* depends, std::string_view others,
                             std::string_view advice) {
  std::set<int> lines;
  for (const trace::Site& site : trace.sites)
    if (site.*depends && trace.totals[site.id.value].requests != 0)
      lines.insert(site.source.line != 0 ? site.source.line : site.ptx_line);
  if (lines.empty()) return;
  const bool is_one = lines.size() == 1;
  fmt::print(stderr,
             "note: the counts of {} {} depend on which {} comes first, since {} for other {}s or {} what an "
             "atomic gave, and may differ from run to run{}\n",
             is_one ? "line" : "lines", fmt::join(lines, ", "), others, is_one ? "it waits" : "they wait",
             others, is_one ? "accesses" : "access", advice);
}

void print(const std::string& sentence) { fmt::print(stderr, "{}\n", without_control_characters(sentence)); }

}  // namespace

void report_notes(const trace::Trace& trace) {
  report_order_dependence(trace, &trace::Site::depends_on_order, "block",
                          "; --threads 1 gives the same ones every time");
  report_order_dependence(trace, &trace::Site::depends_on_warp_order, "warp",
                          " on a GPU; the emulator has one order of warps");
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
