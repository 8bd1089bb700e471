#include "export/history_report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using trace::History;

std::span<const uint64_t> values_of(const History& history, const History::Change& change, size_t half) {
  const auto count = static_cast<size_t>(change.lanes.count());
  return {history.values.data() + change.first + half * count, count};
}

bool is_integer(History::Meaning meaning) {
  return meaning == History::Meaning::Bits || meaning == History::Meaning::Unsigned ||
         meaning == History::Meaning::Signed;
}

bool evenly_spaced(std::span<const uint64_t> values) {
  for (size_t n = 2; n < values.size(); ++n)
    if (values[n] - values[n - 1] != values[1] - values[0]) return false;
  return values.size() > 3;
}

std::string change_text(const History& history, const History::Change& change) {
  const History::Register& reg = history.registers[change.reg];
  std::string text = reg.name + ": ";
  if (!change.fresh.any())
    text += lanes_text(change.meaning_before, reg.bytes, values_of(history, change, 0)) + " -> ";
  return text + lanes_text(change.meaning, reg.bytes, values_of(history, change, 1));
}

std::string_view meaning_name(History::Meaning meaning) {
  switch (meaning) {
    case History::Meaning::Unsigned:
      return "unsigned";
    case History::Meaning::Signed:
      return "signed";
    case History::Meaning::Float:
      return "float";
    case History::Meaning::Truth:
      return "predicate";
    case History::Meaning::Bits:
      break;
  }
  return "bits";
}

/// [lane of the change] as the bits of the register; null if it was not written before.
Json bits_of(const History& history, const History::Change& change, size_t half) {
  Json json = Json::array();
  const auto values = values_of(history, change, half);
  size_t n = 0;
  for_each_lane(change.lanes, [&](int lane) {
    const uint64_t value = values[n++];
    json.push_back(half == 0 && change.fresh.test(lane) ? Json() : Json(fmt::format("{:#x}", value)));
  });
  return json;
}

}  // namespace

std::string lanes_text(History::Meaning meaning, uint32_t bytes, std::span<const uint64_t> values) {
  const auto text = [&](uint64_t value) { return trace::value_text(meaning, bytes, value); };
  if (values.empty()) return {};
  if (std::ranges::all_of(values, [&](uint64_t value) { return value == values.front(); }))
    return text(values.front());
  if (is_integer(meaning) && evenly_spaced(values))
    return fmt::format("{}, {} .. {}", text(values[0]), text(values[1]), text(values.back()));
  std::string all;
  for (const uint64_t value : values) all += (all.empty() ? "" : ", ") + text(value);
  return all;
}

std::string history_text(const History& history, Dim3 grid) {
  const Dim3 block = position_of(history.cta.value, grid);
  std::string text = fmt::format(
      "\nwarp {} of block {}, {}, {}: {} instructions{} (emulated)\n\n{:>6} {:>5} {:>5}  {:<8}  {}\n",
      history.warp.value, block.x, block.y, block.z, history.entries.size(),
      history.is_cut ? " (truncated)" : "", "", "line", "PTX", "lanes",
      "instruction, registers before -> after");
  for (size_t n = 0; n < history.entries.size(); ++n) {
    const History::Entry& entry = history.entries[n];
    const History::Instruction& instruction = history.instructions[entry.instruction];
    text += fmt::format("{:>6} {:>5} {:>5}  {:08x}  {}\n", n + 1, instruction.source.line,
                        instruction.ptx_line, entry.lanes.bits, instruction.ptx_text);
    for (uint32_t change = entry.first_change; change < entry.end_change; ++change)
      text += fmt::format("{:30}{}\n", "", change_text(history, history.changes[change]));
  }
  return text;
}

Json history_json(const History& history, Dim3 grid) {
  Json entries = Json::array();
  for (const History::Entry& entry : history.entries) {
    const History::Instruction& instruction = history.instructions[entry.instruction];
    Json changes = Json::array();
    for (uint32_t n = entry.first_change; n < entry.end_change; ++n) {
      const History::Change& change = history.changes[n];
      changes.push_back({{"register", history.registers[change.reg].name},
                         {"bytes", history.registers[change.reg].bytes},
                         {"meaning", meaning_name(change.meaning)},
                         {"lanes", fmt::format("{:#010x}", change.lanes.bits)},
                         {"before", bits_of(history, change, 0)},
                         {"after", bits_of(history, change, 1)}});
    }
    entries.push_back({{"line", instruction.source.line},
                       {"ptx_line", instruction.ptx_line},
                       {"ptx", instruction.ptx_text},
                       {"function", history.functions[instruction.function]},
                       {"active", fmt::format("{:#010x}", entry.active.bits)},
                       {"lanes", fmt::format("{:#010x}", entry.lanes.bits)},
                       {"access", entry.access},
                       {"changes", std::move(changes)}});
  }
  return {{"block", extent(position_of(history.cta.value, grid))},
          {"warp", history.warp.value},
          {"cut", history.is_cut},
          {"instructions", std::move(entries)}};
}

}  // namespace lanescope::exporting
