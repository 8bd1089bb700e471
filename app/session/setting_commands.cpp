#include "session/setting_commands.h"

#include "session/file_choice.h"
#include "session/first_snapshot.h"
#include "session/opened_file.h"
#include "session/shown_prose.h"

#include <utility>

namespace lanescope::session {

void SettingCommands::request_run(const Snapshot& snapshot) {
  if ((snapshot.choices.lesson || snapshot.choices.file) && !parts_.pending.run)
    parts_.pending.run = pipeline::request_of(snapshot.selection);
}

/// Another lesson or file: what was under way for the one before ends.
void SettingCommands::begin(Snapshot& snapshot, const SelectionRequest& place) {
  snapshot.prose = nullptr;
  show_prose_without_run(snapshot);
  parts_.pending.measuring = false;
  snapshot.timings.measuring.reset();
  parts_.precompilation.clear();
  parts_.pending.run = place;
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const OpenLesson& command) {
  TRY_VOID(open_lesson(snapshot.choices, parts_.options, command.name));
  ++snapshot.openings;
  parts_.exercise.list(snapshot);
  begin(snapshot, {});
  return {};
}

Result<void> SettingCommands::open(Snapshot& snapshot, const OpenFile& command) {
  TRY_VOID(open_file(snapshot.choices, parts_.options, command.path, command.include_directories));
  begin(snapshot, {});
  return {};
}

void SettingCommands::open(Snapshot& snapshot, OpenedFile file) {
  open_file(snapshot.choices, std::move(file));
  begin(snapshot, {});
}

Result<void> SettingCommands::open_other(Snapshot& snapshot, const OpenFile& command) {
  const std::shared_ptr<const OpenedFile> before = snapshot.choices.file;
  TRY_VOID(open(snapshot, command));
  if (!before || !is_of_one_subject(*before, *snapshot.choices.file)) ++snapshot.openings;
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetLaunches& command) {
  if (!snapshot.choices.file || command.launches.launches.empty()) return {};
  set_launches(snapshot.choices, command.launches);
  request_run(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const TakeHostLaunches&) {
  if (!snapshot.choices.file) return {};
  TRY_VOID(take_host_launches(snapshot.choices));
  parts_.pending.run = SelectionRequest{};
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetToggle& command) {
  if (snapshot.choices.file) {
    TRY_VOID(choose_kernel(snapshot.choices, command.value));
    parts_.pending.run = SelectionRequest{};
    return {};
  }
  if (!snapshot.choices.lesson) return {};
  return choose(snapshot, lesson::with_toggle(*snapshot.choices.lesson, snapshot.choices.settings,
                                              command.name, command.value));
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetToggles& command) {
  if (!snapshot.choices.lesson) return {};
  return choose(snapshot,
                lesson::with_toggles(*snapshot.choices.lesson, snapshot.choices.settings, command.values));
}

Result<void> SettingCommands::choose(Snapshot& snapshot, Result<lesson::Settings> changed) {
  if (!changed) return std::unexpected(changed.error());
  if (*changed == snapshot.choices.settings && snapshot.run && !parts_.errors.run) return {};
  snapshot.choices.settings = *std::move(changed);
  request_run(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetChecks& command) {
  snapshot.choices.checks = command.checks;
  request_run(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetScheduling& command) {
  snapshot.choices.scheduling = command.scheduling;
  request_run(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetLevel& command) {
  snapshot.choices.level = command.level;
  request_run(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const ShowCaches&) {
  if (snapshot.choices.with_caches) return {};
  snapshot.choices.with_caches = true;
  if (snapshot.choices.device.caches) request_run(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const SetProducer& command) {
  if (command.producer == pipeline::Producer::Gpu) {
    if (const auto gpu = parts_.gpu.gpu(); !gpu) return std::unexpected(gpu.error());
  }
  snapshot.choices.producer = command.producer;
  request_run(snapshot);
  return {};
}

/// All choices but the language, which is the person's own, and the texts that are edited.
void SettingCommands::take(Snapshot& snapshot, const Choices& choices, const SelectionRequest& place) {
  const auto folder_of = [](const Choices& of) {
    return of.lesson ? of.lesson->folder : std::filesystem::path();
  };
  const bool has_other_lesson = folder_of(choices) != folder_of(snapshot.choices);
  const Choices before = std::exchange(snapshot.choices, choices);
  snapshot.choices.language = before.language;
  snapshot.choices.edited = before.edited;
  snapshot.choices.with_caches = before.with_caches;
  // An exercise belongs to the lesson whose exercises are listed.
  if (has_other_lesson && choices.lesson && choices.exercise.empty()) parts_.exercise.list(snapshot);
  begin(snapshot, place);
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const Restore& command) {
  take(snapshot, *command.choices, command.place);
  const bool keeps_error = command.role == Restore::Role::AfterPin && parts_.errors.command;
  return keeps_error ? Result<void>(std::unexpected(*parts_.errors.command)) : Result<void>();
}

void SettingCommands::note(const Choices& before, const Command& command, Snapshot& snapshot) {
  if (std::holds_alternative<CancelRun>(command)) return history_.forget_last(snapshot);
  const bool is_noted = std::holds_alternative<Undo>(command) || std::holds_alternative<Redo>(command) ||
                        std::holds_alternative<Restore>(command);
  if (!is_noted) history_.note(before, snapshot);
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const Undo&) {
  if (const auto choices = history_.undo(snapshot.choices))
    take(snapshot, *choices, pipeline::request_of(snapshot.selection));
  history_.show(snapshot);
  return {};
}

Result<void> SettingCommands::apply(Snapshot& snapshot, const Redo&) {
  if (const auto choices = history_.redo(snapshot.choices))
    take(snapshot, *choices, pipeline::request_of(snapshot.selection));
  history_.show(snapshot);
  return {};
}

}  // namespace lanescope::session
