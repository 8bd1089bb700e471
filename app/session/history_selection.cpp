#include "session/history_selection.h"

#include "pipeline/run.h"
#include "session/register_row.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace lanescope::session {
namespace {

using trace::History;

/// The stored accesses of the selected warp; StoredAccess::step numbers them.
std::span<const trace::StoredAccess> stored_accesses(const Snapshot& snapshot) {
  if (!snapshot.run) return {};
  const trace::StoredBlock* block = trace::find_block(*snapshot.run->trace, snapshot.selection.cta);
  return block != nullptr ? trace::accesses_of(*block, snapshot.selection.warp)
                          : std::span<const trace::StoredAccess>{};
}

/// Number of accesses that the warp has made after `instruction`.
uint32_t accesses_after(const History& history, uint32_t instruction) {
  return instruction + 1 < history.entries.size() ? history.entries[instruction + 1].access : UINT32_MAX;
}

RegisterRow row_of(const History::Register& reg, const trace::RegisterValue& value) {
  RegisterRow row{.name = reg.name, .written = value.written, .changed = {}, .before = {}, .after = {}};
  row.after.resize(kLanes);
  for_each_lane(value.written, [&](int lane) {
    const auto at = static_cast<size_t>(lane);
    row.after[at] = trace::value_text(value.meaning, reg.bytes, value.lanes[at]);
  });
  return row;
}

/// Adds the values that the change overwrote, which the cursor no longer has.
void add_change(const History& history, const History::Change& change, RegisterRow& row) {
  row.changed = change.lanes;
  row.before.resize(kLanes);
  size_t n = change.first;
  for_each_lane(change.lanes, [&](int lane) {
    const uint64_t value = history.values[n++];
    if (!change.fresh.test(lane))
      row.before[static_cast<size_t>(lane)] =
          trace::value_text(change.meaning_before, history.registers[change.reg].bytes, value);
  });
}

}  // namespace

Result<void> HistorySelection::record(Snapshot& snapshot, pipeline::Execution& execution,
                                      const pipeline::Job& job, const pipeline::RunOptions& options) {
  TRY(history_, execution.history(job, snapshot.selection.cta, snapshot.selection.warp, options));
  cursor_.emplace(*history_);
  snapshot.history.recorded = history_;
  show(snapshot, 0);
  follow_access(snapshot);
  return {};
}

void HistorySelection::close(Snapshot& snapshot) {
  cursor_.reset();
  history_ = nullptr;
  snapshot.history = {};
}

void HistorySelection::show(Snapshot& snapshot, uint32_t instruction) {
  if (!cursor_ || history_->entries.empty()) return;
  instruction = std::min(instruction, static_cast<uint32_t>(history_->entries.size() - 1));
  cursor_->go_to(instruction + 1);
  const History::Entry& entry = history_->entries[instruction];
  const uint32_t function = history_->instructions[entry.instruction].function;
  std::vector<RegisterRow> changed;
  std::vector<RegisterRow> others;
  for (size_t n = 0; n < history_->registers.size(); ++n) {
    const History::Register& reg = history_->registers[n];
    const trace::RegisterValue& value = cursor_->registers()[n];
    if (reg.function != function || !value.written.any()) continue;
    RegisterRow row = row_of(reg, value);
    for (uint32_t at = entry.first_change; at < entry.end_change; ++at)
      if (history_->changes[at].reg == n) add_change(*history_, history_->changes[at], row);
    (row.changed.any() ? changed : others).push_back(std::move(row));
  }
  changed.insert(changed.end(), std::make_move_iterator(others.begin()),
                 std::make_move_iterator(others.end()));
  snapshot.history.instruction = instruction;
  snapshot.history.registers = std::make_shared<const std::vector<RegisterRow>>(std::move(changed));
}

void HistorySelection::select(Snapshot& snapshot, uint32_t instruction) {
  if (!cursor_ || history_->entries.empty()) return;
  show(snapshot, instruction);
  const auto accesses = stored_accesses(snapshot);
  const uint32_t first = history_->entries[snapshot.history.instruction].access;
  const auto made = std::ranges::lower_bound(accesses, first, {}, &trace::StoredAccess::step);
  if (made == accesses.end() || made->step >= accesses_after(*history_, snapshot.history.instruction)) return;
  const pipeline::Selection& before = snapshot.selection;
  snapshot.selection = pipeline::select(
      *snapshot.run, {before.cta, before.warp, static_cast<uint32_t>(made - accesses.begin())},
      snapshot.choices.device.compute_capability);
}

void HistorySelection::step(Snapshot& snapshot, Step::To to) {
  if (!cursor_ || history_->entries.empty()) return;
  const auto line_at = [&](uint32_t n) -> const Location& {
    return history_->instructions[history_->entries[n].instruction].source;
  };
  select(snapshot,
         pipeline::step_target(snapshot.history.instruction, static_cast<uint32_t>(history_->entries.size()),
                               to, [&](uint32_t i, uint32_t j) { return line_at(i) == line_at(j); }));
}

void HistorySelection::follow_access(Snapshot& snapshot) {
  const auto accesses = stored_accesses(snapshot);
  if (!cursor_ || snapshot.selection.access >= accesses.size()) return;
  const uint32_t step = accesses[snapshot.selection.access].step;
  const auto next = std::ranges::upper_bound(history_->entries, step, {}, &History::Entry::access);
  if (next != history_->entries.begin())
    show(snapshot, static_cast<uint32_t>(next - history_->entries.begin() - 1));
}

}  // namespace lanescope::session
