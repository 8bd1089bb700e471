// The notes of a lecture, which have a window and a process of their own, of which a browser has neither.

#include "shell/window/notes_process.h"

#include <utility>

namespace lanescope::shell {

struct NotesProcess::Process {};

NotesProcess::NotesProcess(std::unique_ptr<Process> process) : process_(std::move(process)) {}
NotesProcess::NotesProcess(NotesProcess&&) noexcept = default;
NotesProcess& NotesProcess::operator=(NotesProcess&&) noexcept = default;
NotesProcess::~NotesProcess() = default;

Result<NotesProcess> NotesProcess::start(const std::filesystem::path&, std::function<void(NotesKey)>) {
  return fail(
      ErrorKind::Unsupported,
      "a browser has no second window for the notes; open the lecture in Lanescope on your own machine");
}
bool NotesProcess::is_open() const { return false; }
void NotesProcess::show(const view::NotesPage&) {}

}  // namespace lanescope::shell
