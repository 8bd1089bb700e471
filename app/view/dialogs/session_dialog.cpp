#include "view/dialogs/session_dialog.h"

#include <system_error>
#include <utility>

namespace lanescope::view {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".lanescope";

/// Where it was saved, else beside what is open.
fs::path proposal(const session::Snapshot& now) {
  if (now.session && !now.session->path.empty()) return now.session->path;
  return proposed_place(now, kEnding);
}

}  // namespace

void SessionDialog::open(const Context& context, session::OpenedSession window) {
  opens_ = true;
  window_ = std::move(window);
  path_.begin(proposal(context.now), kEnding);
}

session::Notice SessionDialog::save(const Context& context) {
  std::error_code ignored;
  window_.path = fs::absolute(path_.path(), ignored).lexically_normal();
  if (const auto saved = context.actions.save_session(window_); !saved)
    return {true, describe(saved.error())};
  return {false, context.phrase(Text::window_exported, context.shown(window_.path))};
}

std::optional<session::Notice> SessionDialog::draw(const Context& context) {
  return draw_save_dialog(context,
                          {.id = "session_dialog",
                           .title = Text::window_save_session_title,
                           .what = Text::window_save_session_what},
                          opens_, path_, [&] { return save(context); });
}

}  // namespace lanescope::view
