#include "shell/handout_session.h"

#include "session/session_file.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace lanescope::shell {

namespace fs = std::filesystem;

bool is_saved_session(const std::string& name) { return session::is_session_file(name); }

Result<FirstView> view_of_session(const std::string& name, const Paths& paths) {
  TRY(const session::SessionFile file,
      session::read_session_file(fs::absolute(name), session_options(paths)));
  const session::SessionChoices& shown = file.choices;
  if (!shown.present || !shown.present->lesson || !shown.present->exercise.empty())
    return fail(ErrorKind::Usage,
                fmt::format("the session {} shows no lesson; give the file that it shows", name));
  const session::Choices& present = *shown.present;
  handout::Wish wish{.settings = present.settings,
                     .a = {},
                     .place = {shown.place.cta, shown.place.warp, shown.place.access}};
  if (shown.pinned) {
    if (!shown.pinned->lesson || shown.pinned->lesson->folder != present.lesson->folder)
      return fail(ErrorKind::Usage, fmt::format("A of the session {} is of another lesson or file, and a "
                                                "handout compares two runs of one lesson",
                                                name));
    wish.a = shown.pinned->settings;
  }
  return FirstView{*present.lesson, present.device, std::move(wish)};
}

}  // namespace lanescope::shell
