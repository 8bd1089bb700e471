#include "session/undo_history.h"

#include "session/opened_file.h"

#include <utility>

namespace lanescope::session {
namespace {

bool same_lesson(const Choices& one, const Choices& other) {
  if (!one.lesson || !other.lesson) return one.lesson == other.lesson;
  return one.lesson->folder == other.lesson->folder && one.exercise == other.exercise &&
         one.settings == other.settings;
}

bool same_file(const Choices& one, const Choices& other) {
  if (!one.file || !other.file) return one.file == other.file;
  return one.file->path == other.file->path && one.file->launches == other.file->launches;
}

}  // namespace

bool same_settings(const Choices& one, const Choices& other) {
  return same_lesson(one, other) && same_file(one, other) && one.checks == other.checks &&
         one.scheduling == other.scheduling && one.producer == other.producer && one.level == other.level &&
         one.device.name == other.device.name;
}

void UndoHistory::note(const Choices& before, Snapshot& snapshot) {
  if (!same_settings(before, snapshot.choices)) begin(before, snapshot);
}

void UndoHistory::begin(const Choices& before, Snapshot& snapshot) {
  if (!before.lesson && !before.file) return;
  redo_.clear();
  if (undo_.size() >= kMost) undo_.erase(undo_.begin());
  undo_.push_back(std::make_shared<const Choices>(before));
  show(snapshot);
}

void UndoHistory::forget_last(Snapshot& snapshot) {
  while (!undo_.empty() && same_settings(*undo_.back(), snapshot.choices)) undo_.pop_back();
  show(snapshot);
}

std::shared_ptr<const Choices> UndoHistory::move(Stack& from, Stack& to, const Choices& present) {
  if (from.empty()) return nullptr;
  to.push_back(std::make_shared<const Choices>(present));
  std::shared_ptr<const Choices> taken = std::move(from.back());
  from.pop_back();
  return taken;
}

std::shared_ptr<const Choices> UndoHistory::undo(const Choices& present) {
  return move(undo_, redo_, present);
}

std::shared_ptr<const Choices> UndoHistory::redo(const Choices& present) {
  return move(redo_, undo_, present);
}

void UndoHistory::show(Snapshot& snapshot) const {
  snapshot.undo = undo_.empty() ? nullptr : undo_.back();
  snapshot.redo = redo_.empty() ? nullptr : redo_.back();
}

}  // namespace lanescope::session
