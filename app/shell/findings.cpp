#include "shell/findings.h"

#include <cstdio>

#include <fmt/format.h>

namespace lanescope::shell {

int report_findings(const trace::Trace& trace) {
  for (const trace::Hazard& note : trace.notes)
    fmt::print(stderr, "{}\n",
               describe({ErrorKind::Hazard, "note: " + trace::sentence_of(note), note.where}));
  for (const std::string& unchecked : trace.unchecked) fmt::print(stderr, "not checked: {}\n", unchecked);
  for (const trace::Hazard& hazard : trace.hazards)
    fmt::print(stderr, "{}\n", describe({ErrorKind::Hazard, trace::sentence_of(hazard), hazard.where}));
  return trace.hazards.empty() ? 0 : 1;
}

}  // namespace lanescope::shell
