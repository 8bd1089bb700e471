#include "driver/server/launch_records.h"

#include <algorithm>
#include <tuple>

namespace lanescope::driver {
namespace {

/// A kernel's launches alternate between few kinds.
constexpr size_t kMostLatest = 8;

/// True if the records, without what an Entry has, are equal. Those with findings count as different.
bool are_equal(const LaunchRecord& a, const LaunchRecord& b) {
  const auto all_of = [](const LaunchRecord& one) {
    return std::tie(one.program, one.kernel, one.entry, one.module, one.grid, one.block,
                    one.dynamic_shared_bytes, one.was_emulated, one.cost, one.totals, one.warp_instructions,
                    one.was_checked, one.sampled_blocks, one.has_incomplete_inputs, one.findings, one.notes,
                    one.error, one.file, one.inputs, one.without_inputs, one.repeats, one.comparison);
  };
  return a.hazards.empty() && b.hazards.empty() && all_of(a) == all_of(b);
}

}  // namespace

LaunchRecords::Entry LaunchRecords::entry_of(LaunchRecord record, size_t n) {
  Entry entry{.number = std::exchange(record.number, 0),
              .process = std::exchange(record.process, 0),
              .seconds = std::exchange(record.seconds, 0),
              .allocated_bytes = std::exchange(record.allocated_bytes, 0),
              .measured_seconds = std::exchange(record.measured_seconds, std::nullopt),
              .facts = nullptr};
  auto& latest = latest_[{record.entry, record.module}];
  const auto known =
      std::ranges::find_if(latest, [&](const auto& facts) { return are_equal(facts->record, record); });
  if (known != latest.end()) {
    entry.facts = *known;
    return entry;
  }
  entry.facts = std::make_shared<const Facts>(Facts{std::move(record), n});
  if (latest.size() == kMostLatest) latest.erase(latest.begin());
  latest.push_back(entry.facts);
  return entry;
}

void LaunchRecords::add(LaunchRecord record) {
  entries_.push_back(entry_of(std::move(record), entries_.size()));
}

void LaunchRecords::replace(size_t n, LaunchRecord record) { entries_[n] = entry_of(std::move(record), n); }

LaunchRecord LaunchRecords::operator[](size_t n) const {
  const Entry& entry = entries_[n];
  LaunchRecord record = entry.facts->record;
  record.number = entry.number;
  record.process = entry.process;
  record.seconds = entry.seconds;
  record.allocated_bytes = entry.allocated_bytes;
  record.measured_seconds = entry.measured_seconds;
  return record;
}

std::optional<size_t> LaunchRecords::find(uint32_t number) const {
  // Records are added nearly in the order of their numbers, so the search begins at the end.
  for (size_t n = entries_.size(); n > 0; --n)
    if (entries_[n - 1].number == number) return n - 1;
  return std::nullopt;
}

}  // namespace lanescope::driver
