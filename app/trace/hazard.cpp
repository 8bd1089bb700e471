#include "trace/hazard.h"

#include <fmt/format.h>

namespace lanescope::trace {

std::string sentence_of(const Hazard& hazard) {
  return fmt::format("{}thread ({},{},{}) of block ({},{},{}) {}{}", hazard.is_question ? "question: " : "",
                     hazard.thread.x, hazard.thread.y, hazard.thread.z, hazard.block.x, hazard.block.y,
                     hazard.block.z, hazard.message,
                     hazard.count > 1 ? fmt::format(" (one of {} times)", hazard.count) : "");
}

}  // namespace lanescope::trace
