#include "view/dialogs/trace_dialog.h"

#include <filesystem>
#include <system_error>

namespace lanescope::view {

void TraceDialog::open(const Context& context) {
  opens_ = true;
  trace_ = context.now.run->trace;
  path_.begin(proposed_place(context.now, ".lane"), ".lane");
}

session::Notice TraceDialog::save(const Context& context) const {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(path_.path(), ignored).lexically_normal();
  if (const auto saved = context.actions.save_trace(trace_, path); !saved)
    return {true, describe(saved.error())};
  return {false, context.phrase(Text::window_exported, path.string())};
}

std::optional<session::Notice> TraceDialog::draw(const Context& context) {
  return draw_save_dialog(
      context,
      {.id = "trace_dialog", .title = Text::window_save_trace_title, .what = Text::window_save_trace_what},
      opens_, path_, [&] { return save(context); });
}

}  // namespace lanescope::view
