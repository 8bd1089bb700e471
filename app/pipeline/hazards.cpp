#include "pipeline/hazards.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

constexpr size_t kMaximumLines = 12;

/// A kernel continues after what the checks for races and uninitialized reads find.
bool stops(const trace::Hazard& hazard) {
  return hazard.kind != trace::HazardKind::Race && hazard.kind != trace::HazardKind::Uninitialized;
}

}  // namespace

std::optional<Error> error_of(const trace::Trace& trace) {
  if (trace.hazards.empty()) return std::nullopt;
  Error error{ErrorKind::Hazard, trace::sentence_of(trace.hazards[0]), trace.hazards[0].where};
  const size_t lines = std::min(trace.hazards.size(), kMaximumLines);
  for (size_t n = 1; n < lines; ++n)
    error.message +=
        "\n" + describe({ErrorKind::Hazard, trace::sentence_of(trace.hazards[n]), trace.hazards[n].where});
  if (lines < trace.hazards.size())
    error.message += fmt::format("\nand {} more", trace.hazards.size() - lines);
  return error;
}

Result<void> require_whole(const trace::Trace& trace, std::string_view what) {
  const auto hazard = std::ranges::find_if(trace.hazards, stops);
  if (hazard == trace.hazards.end()) return {};
  return fail(ErrorKind::Hazard,
              fmt::format("the kernel was stopped before its end, and {} of a partial run would be wrong: {}",
                          what, trace::sentence_of(*hazard)),
              hazard->where);
}

}  // namespace lanescope::pipeline
