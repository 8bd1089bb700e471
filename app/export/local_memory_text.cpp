#include "export/local_memory_text.h"

#include "base/counted_phrase.h"
#include "base/escape.h"
#include "export/place_text.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::exporting {
namespace {

/// "2 loads", "1 load and 2 stores".
std::string accesses_of(const sass::SpillingLine& line) {
  std::vector<std::string> parts;
  if (line.loads != 0) parts.push_back(counted_phrase(Language::English, "{} load[|s]", line.loads));
  if (line.stores != 0) parts.push_back(counted_phrase(Language::English, "{} store[|s]", line.stores));
  return fmt::format("{}", fmt::join(parts, " and "));
}

}  // namespace

std::string local_memory_text(const sass::LocalMemory& local) {
  std::vector<std::string> sentences;
  for (const sass::LocalArray& array : local.arrays) {
    std::vector<std::string> lines;
    for (const Location& where : array.lines) lines.push_back(place_text(where));
    sentences.push_back(counted_phrase(
        Language::English, "{}: indexed by a variable: {} byte[|s] of each thread in local memory",
        fmt::format("{}", fmt::join(lines, ", ")), array.bytes));
  }
  if (!local.spills.empty()) {
    std::vector<std::string> lines;
    for (const sass::SpillingLine& line : local.spills)
      lines.push_back(fmt::format("{} ({})", place_text(line.where), accesses_of(line)));
    const std::string all = fmt::format("{}", fmt::join(lines, ", "));
    sentences.push_back(local.spilled_bytes == 0
                            ? fmt::format("spilled by the assembler: {}", all)
                            : counted_phrase(Language::English,
                                             "spilled by the assembler: {} byte[|s] of each thread; {}",
                                             local.spilled_bytes, all));
  }
  std::string text;
  for (const std::string& sentence : sentences)
    text += fmt::format("  {}\n", without_control_characters(sentence));
  return text;
}

Json local_memory_json(const sass::LocalMemory& local) {
  Json arrays = Json::array();
  for (const sass::LocalArray& array : local.arrays) {
    Json lines = Json::array();
    for (const Location& where : array.lines) lines.push_back({{"file", where.file}, {"line", where.line}});
    arrays.push_back({{"bytes", array.bytes}, {"lines", std::move(lines)}});
  }
  Json spills = Json::array();
  for (const sass::SpillingLine& line : local.spills)
    spills.push_back({{"file", line.where.file},
                      {"line", line.where.line},
                      {"loads", line.loads},
                      {"stores", line.stores}});
  return {
      {"arrays", std::move(arrays)}, {"spilled_bytes", local.spilled_bytes}, {"spills", std::move(spills)}};
}

}  // namespace lanescope::exporting
