#include "view/panel.h"

#include "pipeline/saved_trace.h"
#include "view/panel_header.h"
#include "view/widgets.h"

namespace lanescope::view {

void FigurePanel::draw_no_figure(const Context& context, Text title, Text why) {
  view_.clear();
  draw_header(context);
  empty_state(context.theme, context.text(title), context.text(why));
}

bool draw_no_run(const Context& context) {
  const session::Snapshot& now = context.now;
  if (now.run) return false;
  draw_header(context);
  if (now.busy)
    empty_state(context.theme, context.text(Text::window_working), context.text(Text::window_working_on));
  else if (now.error)
    empty_state(context.theme, context.text(Text::window_no_run), context.text(Text::window_see_error));
  else
    empty_state(context.theme, context.text(Text::window_no_kernel),
                context.text(Text::window_choose_kernel));
  return true;
}

bool draw_not_saved(const Context& context, Text why, Text what_to_do) {
  if (!context.now.run || !pipeline::is_saved_trace(*context.now.run)) return false;
  draw_header(context);
  empty_state(context.theme, context.text(why), context.text(what_to_do));
  return true;
}

}  // namespace lanescope::view
