#include "session/hazards.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::session {
namespace {

constexpr size_t kMaximumLines = 12;

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

}  // namespace lanescope::session
