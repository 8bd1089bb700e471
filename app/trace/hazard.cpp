#include "trace/hazard.h"

#include <sstream>

#include <fmt/format.h>

namespace lanescope::trace {
namespace {

std::string small(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string sentence_of(const Hazard& hazard) {
  return fmt::format("{}thread ({},{},{}) of block ({},{},{}) {}{}", hazard.is_question ? "question: " : "",
                     hazard.thread.x, hazard.thread.y, hazard.thread.z, hazard.block.x, hazard.block.y,
                     hazard.block.z, hazard.message,
                     hazard.count > 1 ? fmt::format(" (one of {} times)", hazard.count) : "");
}

bool matches(const Hazard& hazard, std::string_view words) {
  const std::string said = small(fmt::format("{} {} {} {}", name_of(hazard.kind), hazard.where.file,
                                             hazard.element, sentence_of(hazard)));
  std::istringstream stream(small(std::string(words)));
  std::string word;
  while (stream >> word) {
    int line = 0;
    if (word == "line") {
      if (stream >> line && line != hazard.where.line && (!hazard.other || line != hazard.other->where.line))
        return false;
      continue;
    }
    if (said.find(word) == std::string::npos) return false;
  }
  return true;
}

}  // namespace lanescope::trace
