// Sectors and lines of global memory that the current access touches. Test: tests/gui/stepping_test.cpp

#include "view/panel_header.h"
#include "view/panels.h"
#include "view/widgets.h"

#include <algorithm>
#include <array>

namespace lanescope::view {

void SectorPanel::draw(const Context& context) {
  if (draw_no_run(context, Text::sectors)) return view_.clear();
  const session::Snapshot& now = context.now;
  const bool here = now.place && now.sectors;
  const bool beside = !here && now.companion && now.companion->sectors;
  if (!here && !beside) {
    view_.clear();
    draw_header(context,
                {.title = context.text(Text::sectors), .subtitle = {}, .provenance = {}, .source = {}});
    const auto global =
        std::ranges::find(now.timeline, trace::Space::Global,
                          [](const plot::TimelineEntry& entry) { return entry.operation.space; });
    const bool any = global != now.timeline.end();
    if (empty_state(context.theme, context.text(Text::window_no_global_here),
                    context.text(any ? Text::window_go_on : Text::window_no_global_at_all),
                    any ? context.text(Text::window_first_global) : std::string_view()))
      context.post(session::SelectAccess{static_cast<uint32_t>(global - now.timeline.begin())});
    return;
  }
  static constexpr auto kHints = std::to_array<std::string_view>({"element", "size"});
  const plot::AccessPlace& place = here ? *now.place : now.companion->place;
  const auto& report = here ? *now.sectors : *now.companion->sectors;
  view_.draw(context,
             {.version = {now.generation},
              .make = [&](const plot::Frame& frame) { return plot::sector_figure(place, report, frame); },
              .hints = kHints,
              .parts = Parts::All,
              .beside = here ? std::nullopt : std::optional(place.index),
              .above = {},
              .describe_cell = {}});
}

}  // namespace lanescope::view
