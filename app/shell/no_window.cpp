// Replaces the window if LANESCOPE_WINDOW is off; the rest of the program does not need it.

#include "shell/verbs.h"
#include "shell/window/notes_window.h"

namespace lanescope::shell {

Result<int> run_notes_window(const std::filesystem::path&) {
  return fail(ErrorKind::Unsupported, "this build has no window for the notes");
}

Result<int> open_window(const Paths&, const WindowChoice&) {
  return fail(ErrorKind::Unsupported,
              "this program was built without its window; build it with LANESCOPE_WINDOW=ON");
}

void add_window_producer(const Verb&, std::string&) {}
void add_screenshot_verb(const Verb&, Action&) {}

}  // namespace lanescope::shell
