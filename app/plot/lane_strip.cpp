#include "plot/lane_strip.h"

#include "plot/axis.h"
#include "plot/wording.h"

namespace lanescope::plot {

void add_lane_strip(Sheet& sheet, const CellGrid& strip, LaneMask active, float ticks_y,
                    const std::vector<std::string>& tips, Language language) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const Box cell = strip.cell(0, static_cast<uint32_t>(lane));
    const auto n = static_cast<size_t>(lane);
    const bool takes_part = active.test(lane);
    std::string tip = !takes_part       ? phrase(language, Text::figure_lane_inactive, lane)
                      : n < tips.size() ? tips[n]
                                        : phrase(language, Text::figure_one_lane, lane);
    const size_t pick = sheet.add(Pick{.tip = std::move(tip), .lanes = LaneMask{1u << lane}});
    sheet.add(Rect{.x = cell.x,
                   .y = cell.y,
                   .width = cell.width,
                   .height = cell.height,
                   .radius = corner_of(cell),
                   .fill = takes_part ? Color::of_lane(lane) : Color::of(Role::Sunken),
                   .stroke = takes_part ? std::optional<Color>() : Color::of(Role::Line),
                   .pick = pick});
  }
  add_axis_title(sheet, std::string(say(language, Text::figure_lane)), strip.box.x, ticks_y);
  add_ticks_along(sheet, {.count = kLanes, .start = strip.box.x, .spacing = strip.column_width()}, ticks_y);
}

}  // namespace lanescope::plot
