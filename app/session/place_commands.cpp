#include "session/place_commands.h"

#include "session/shown_run.h"

namespace lanescope::session {

void PlaceCommands::apply(Snapshot& snapshot, const SelectBlock& command) {
  if (!snapshot.run || command.cta.value >= volume(snapshot.run->trace->grid)) return;
  // The emulator stores lane values of one block only, so another block needs another run. A GPU trace has
  // no lane values.
  const trace::Trace& trace = *snapshot.run->trace;
  const bool has_values = trace.provenance == Provenance::Emulated && parts_.runs.job(snapshot);
  const bool is_missing = !snapshot.run->unread && trace::find_block(trace, command.cta) == nullptr;
  if (has_values || is_missing || parts_.pinned.needs_run(snapshot, command.cta)) {
    parts_.pending.run = SelectionRequest{command.cta, snapshot.selection.warp, snapshot.selection.access};
    return;
  }
  parts_.history.close(snapshot);
  select(snapshot, {command.cta, snapshot.selection.warp, snapshot.selection.access});
}

void PlaceCommands::apply(Snapshot& snapshot, const SelectWave& command) {
  if (snapshot.run) show_wave(snapshot, command.number);
}

void PlaceCommands::apply(Snapshot& snapshot, const SelectWarp& command) {
  parts_.history.close(snapshot);
  select(snapshot, {snapshot.selection.cta, command.warp, snapshot.selection.access});
}

void PlaceCommands::apply(Snapshot& snapshot, const SelectAccess& command) {
  const bool is_of_a = command.side == Side::A && snapshot.pinned;
  show_access(snapshot, is_of_a ? parts_.pinned.in_present(snapshot, command.index) : command.index);
}

void PlaceCommands::apply(Snapshot& snapshot, const Step& command) {
  show_access(snapshot, step_target(snapshot.selection, command.to));
}

void PlaceCommands::apply(Snapshot& snapshot, const SelectLine& command) {
  if (command.side == Side::A && snapshot.pinned) {
    if (const auto access = parts_.pinned.on_line(command.line))
      show_access(snapshot, parts_.pinned.in_present(snapshot, *access));
  } else if (const auto access = access_on_line(snapshot.selection, command.line)) {
    show_access(snapshot, *access);
  }
}

void PlaceCommands::apply(Snapshot& snapshot, const StepInstruction& command) {
  parts_.history.step(snapshot, command.to);
}

void PlaceCommands::apply(Snapshot& snapshot, const SelectInstruction& command) {
  parts_.history.select(snapshot, command.index);
}

void PlaceCommands::show_access(Snapshot& snapshot, uint32_t access) {
  select(snapshot, {snapshot.selection.cta, snapshot.selection.warp, access});
  parts_.history.follow_access(snapshot);
}

}  // namespace lanescope::session
