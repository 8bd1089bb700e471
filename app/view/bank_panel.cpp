// Bank occupancy of the current access: one column per bank, one row per wavefront, colour by lane.
// Test: tests/gui/stepping_test.cpp

#include "view/panel_header.h"
#include "view/panels.h"
#include "view/widgets.h"

#include <algorithm>
#include <array>

namespace lanescope::view {

bool draw_no_run(const Context& context, Text title) {
  const session::Snapshot& now = context.now;
  if (now.run) return false;
  draw_header(context, {.title = context.text(title), .subtitle = {}, .provenance = {}, .source = {}});
  if (now.busy)
    empty_state(context.theme, context.text(Text::window_working), context.text(Text::window_working_on));
  else if (now.error)
    empty_state(context.theme, context.text(Text::window_no_run), context.text(Text::window_see_error));
  else
    empty_state(context.theme, context.text(Text::window_no_kernel),
                context.text(Text::window_choose_kernel));
  return true;
}

void BankPanel::draw(const Context& context) {
  if (draw_no_run(context, Text::banks)) return view_.clear();
  const session::Snapshot& now = context.now;
  const bool here = now.place && now.banks;
  const bool beside = !here && now.companion && now.companion->banks;
  if (!here && !beside) {
    view_.clear();
    draw_header(context,
                {.title = context.text(Text::banks), .subtitle = {}, .provenance = {}, .source = {}});
    const auto shared =
        std::ranges::find(now.timeline, trace::Space::Shared,
                          [](const plot::TimelineEntry& entry) { return entry.operation.space; });
    const bool any = shared != now.timeline.end();
    if (empty_state(context.theme, context.text(Text::window_no_shared_here),
                    context.text(any ? Text::window_go_on : Text::window_no_shared_at_all),
                    any ? context.text(Text::window_first_shared) : std::string_view()))
      context.post(session::SelectAccess{static_cast<uint32_t>(shared - now.timeline.begin())});
    return;
  }
  static constexpr auto kHints = std::to_array<std::string_view>({"padding", "swizzle", "element"});
  const plot::AccessPlace& place = here ? *now.place : now.companion->place;
  const auto& report = here ? *now.banks : *now.companion->banks;
  view_.draw(context,
             {.version = {now.generation},
              .make = [&](const plot::Frame& frame) { return plot::bank_figure(place, report, frame); },
              .hints = kHints,
              .parts = Parts::All,
              .beside = here ? std::nullopt : std::optional(place.index),
              .above = {},
              .describe_cell = {}});
}

}  // namespace lanescope::view
