#include "trace/history.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>

namespace lanescope::trace {
namespace {

/// Values [n-th lane of the change] before or after it.
std::span<const uint64_t> before(const History& history, const History::Change& change) {
  return {history.values.data() + change.first, static_cast<size_t>(change.lanes.count())};
}
std::span<const uint64_t> after(const History& history, const History::Change& change) {
  const auto count = static_cast<size_t>(change.lanes.count());
  return {history.values.data() + change.first + count, count};
}

void put(RegisterValue& value, LaneMask lanes, std::span<const uint64_t> values) {
  size_t n = 0;
  for_each_lane(lanes, [&](int lane) { value.lanes[static_cast<size_t>(lane)] = values[n++]; });
}

}  // namespace

HistoryCursor::HistoryCursor(const History& history) : history_(history), values_(history.registers.size()) {
  for (size_t n = 0; n < values_.size(); ++n)
    if (history.registers[n].bytes == 1) values_[n].meaning = History::Meaning::Truth;
}

void HistoryCursor::go_to(uint32_t place) {
  place = std::min(place, static_cast<uint32_t>(history_.entries.size()));
  while (place_ < place) forward();
  while (place_ > place) backward();
}

void HistoryCursor::forward() {
  const History::Entry& entry = history_.entries[place_++];
  for (uint32_t n = entry.first_change; n < entry.end_change; ++n) {
    const History::Change& change = history_.changes[n];
    RegisterValue& value = values_[change.reg];
    value.written.bits |= change.lanes.bits;
    value.meaning = change.meaning;
    put(value, change.lanes, after(history_, change));
  }
}

void HistoryCursor::backward() {
  const History::Entry& entry = history_.entries[--place_];
  for (uint32_t n = entry.end_change; n-- > entry.first_change;) {
    const History::Change& change = history_.changes[n];
    RegisterValue& value = values_[change.reg];
    value.written.bits &= ~change.fresh.bits;
    value.meaning = change.meaning_before;
    put(value, change.lanes, before(history_, change));
  }
}

const RegisterValue* HistoryCursor::find(uint32_t function, std::string_view name) const {
  const auto found = std::ranges::find_if(history_.registers, [&](const History::Register& reg) {
    return reg.function == function && reg.name == name;
  });
  if (found == history_.registers.end()) return nullptr;
  const RegisterValue& value = values_[static_cast<size_t>(found - history_.registers.begin())];
  return value.written.any() ? &value : nullptr;
}

std::string value_text(History::Meaning meaning, uint32_t bytes, uint64_t bits) {
  // Values this large are addresses.
  constexpr uint64_t kLarge = uint64_t{1} << 40;
  const bool is_integer = meaning == History::Meaning::Unsigned || meaning == History::Meaning::Signed;
  if (is_integer && bytes == sizeof bits && bits >= kLarge && bits < ~kLarge)
    meaning = History::Meaning::Bits;
  switch (meaning) {
    case History::Meaning::Truth:
      return bits != 0 ? "true" : "false";
    case History::Meaning::Unsigned:
      return fmt::to_string(bits);
    case History::Meaning::Signed:
      return bytes == sizeof bits ? fmt::to_string(static_cast<int64_t>(bits))
                                  : fmt::to_string(static_cast<int32_t>(bits));
    case History::Meaning::Float:
      return bytes == sizeof bits ? fmt::format("{:g}", std::bit_cast<double>(bits))
                                  : fmt::format("{:g}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case History::Meaning::Bits:
      break;
  }
  return fmt::format("{:#x}", bits);
}

}  // namespace lanescope::trace
