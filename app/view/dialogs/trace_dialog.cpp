#include "view/dialogs/trace_dialog.h"

#include "session/opened_file.h"

#include <filesystem>
#include <system_error>

namespace lanescope::view {

namespace {

Result<void> copy_trace(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code problem;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, problem);
  if (problem)
    return fail(ErrorKind::File, "the trace cannot be copied there: " + problem.message(),
                Location{to.string(), 0});
  return {};
}

}  // namespace

void TraceDialog::open(const Context& context) {
  opens_ = true;
  trace_ = context.now.run->trace;
  file_.clear();
  if (context.now.run->unread && context.now.choices.file) file_ = context.now.choices.file->path;
  path_.begin(proposed_place(context.now, ".lane"), ".lane");
}

session::Notice TraceDialog::save(const Context& context) const {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::absolute(path_.path(), ignored).lexically_normal();
  const auto saved = file_.empty() ? context.actions.save_trace(trace_, path) : copy_trace(file_, path);
  if (!saved) return {true, describe(saved.error())};
  return {false, context.phrase(Text::window_exported, context.shown(path))};
}

std::optional<session::Notice> TraceDialog::draw(const Context& context) {
  return draw_save_dialog(
      context,
      {.id = "trace_dialog", .title = Text::window_save_trace_title, .what = Text::window_save_trace_what},
      opens_, path_, [&] { return save(context); });
}

}  // namespace lanescope::view
