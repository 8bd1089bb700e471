// The lanes of the warp at the current access: thread index, address, value, and whether they take part.
// Hovering a row highlights the lane everywhere, a click pins it. Test: tests/gui/figure_test.cpp

#include "pipeline/saved_trace.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

class WarpPanel : public Panel {
 public:
  void draw(const Context& context) override;
};

/// Widths of a block of rows: lane, thread, address, value.
struct Columns {
  float lane = 0, thread = 0, address = 0, value = 0;
  float total() const { return lane + thread + address + value; }
};

/// A trace made on a GPU has addresses alone.
std::string_view value_title(const Context& context) {
  if (pipeline::is_saved_trace(*context.now.run)) return context.text(Text::window_trace_no_values);
  const bool emulated = context.now.run->trace->provenance == Provenance::Emulated;
  return context.text(emulated ? Text::window_value : Text::window_value_emulated);
}

std::string thread_text(Dim3 thread, Dim3 block) {
  if (block.z > 1) return fmt::format("({}, {}, {})", thread.x, thread.y, thread.z);
  if (block.y > 1) return fmt::format("({}, {})", thread.x, thread.y);
  return fmt::to_string(thread.x);
}

Columns measure(const Context& context) {
  const Theme& theme = context.theme;
  const Dim3 block = context.now.run->trace->block;
  Columns columns{.lane = theme.em(3.4f),
                  .thread = text_width(theme, Face::Regular, kSmallText, context.text(Text::window_thread)),
                  .address = text_width(theme, Face::Regular, kSmallText, context.text(Text::window_address)),
                  .value = text_width(theme, Face::Regular, kSmallText, value_title(context))};
  for (const pipeline::LaneRow& row : context.now.selection.lanes) {
    const auto widen = [&](float& width, const std::string& text) {
      width = std::max(width, text_width(theme, Face::Mono, kSmallText, text));
    };
    widen(columns.thread, thread_text(row.thread, block));
    widen(columns.address, row.address);
    widen(columns.value, row.value);
  }
  const float gap = theme.space(Space::Large);
  columns.thread += gap, columns.address += gap, columns.value += gap;
  return columns;
}

void draw_row(const Context& context, const Columns& columns, int lane, ImVec2 at, float height) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const pipeline::LaneRow& row = context.now.selection.lanes[static_cast<size_t>(lane)];
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(lane);
  if (ImGui::InvisibleButton("lane", {columns.total(), height}))
    context.hovered.turn_pin(LaneMask{1u << lane});
  ImGui::PopID();
  if (ImGui::IsItemHovered()) context.hovered.lanes = LaneMask{1u << lane};
  const bool meant = context.highlight.shown().test(lane);
  if (meant)
    list.AddRectFilled(at - ImVec2(theme.space(Space::Small), 0), at + ImVec2(columns.total(), height),
                       theme.color(Role::AccentSoft), theme.space(Space::Small));
  const float middle = at.y + height / 2, side = std::round(height * 0.55f);
  const ImVec2 swatch{at.x, std::round(middle - side / 2)};
  if (row.active)
    list.AddRectFilled(swatch, swatch + ImVec2(side, side), theme.color(Color::of_lane(lane)),
                       2 * theme.scale);
  else
    list.AddRect(swatch, swatch + ImVec2(side, side), theme.color(Role::Line), 2 * theme.scale);
  const TextStyle mono{Face::Mono, kSmallText,
                       Color::of(row.active ? Role::Ink : Role::Dim, row.active ? 1 : 0.6f)};
  const TextStyle dim{Face::Mono, kSmallText, Color::of(Role::Dim)};
  float x = at.x + columns.lane;
  const std::string number = std::to_string(lane);
  draw_text(theme, list,
            {x - theme.space(Space::Large) - text_width(theme, Face::Mono, kSmallText, number), middle}, dim,
            number);
  draw_text(theme, list, {x, middle}, dim, thread_text(row.thread, context.now.run->trace->block));
  x += columns.thread;
  draw_text(theme, list, {x, middle}, mono,
            row.active ? row.address : std::string(context.text(Text::window_inactive)));
  x += columns.address;
  draw_text(theme, list, {x, middle}, mono, row.value);
}

void draw_titles(const Context& context, const Columns& columns, ImVec2 at, float height) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle dim{Face::Regular, kSmallText, Color::of(Role::Dim)};
  const float middle = at.y + height / 2;
  float x = at.x;
  draw_text(theme, list, {x, middle}, dim, context.text(Text::figure_lane));
  x += columns.lane;
  draw_text(theme, list, {x, middle}, dim, context.text(Text::window_thread));
  x += columns.thread;
  draw_text(theme, list, {x, middle}, dim, context.text(Text::window_address));
  x += columns.address;
  draw_text(theme, list, {x, middle}, dim, value_title(context));
}

}  // namespace

void WarpPanel::draw(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  if (draw_no_run(context)) return;
  const Dim3 grid = now.run->trace->grid;
  const Dim3 block = position_of(now.selection.cta.value, grid);
  std::string subtitle = context.phrase(Text::window_warp_of, now.selection.warp.value, block.x, block.y);
  if (now.selection.current)
    subtitle += " · " + now.run->trace->sites[now.selection.current->traced.access.site.value].ptx_text;
  draw_header(context, {.subtitle = subtitle});
  if (now.selection.lanes.empty() || !now.selection.current) {
    empty_state(theme, context.text(Text::window_no_access), context.text(Text::window_other_warp));
    return;
  }
  if (!ImGui::BeginChild("lanes", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    ImGui::EndChild();
    return;
  }
  const Columns columns = measure(context);
  const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float title = std::round(theme.em(1.5f)), gap = theme.space(Space::Huge);
  // As many blocks of rows side by side as have room, if one alone does not fit the height.
  const float least = std::round(theme.em(kSmallText) * 1.4f), most = std::round(theme.em(kSmallText) * 1.9f);
  int blocks = 1;
  while (blocks < 4 && static_cast<float>(kLanes) / static_cast<float>(blocks) * least + title > room.y &&
         static_cast<float>(2 * blocks) * (columns.total() + gap) - gap <= room.x)
    blocks *= 2;
  const int rows = kLanes / blocks;
  const float height = std::clamp(std::floor((room.y - title) / static_cast<float>(rows)), least, most);
  for (int n = 0; n < blocks; ++n) {
    const float x = start.x + static_cast<float>(n) * (columns.total() + gap);
    draw_titles(context, columns, {x, start.y}, title);
    for (int row = 0; row < rows; ++row)
      draw_row(context, columns, n * rows + row, {x, start.y + title + static_cast<float>(row) * height},
               height);
  }
  ImGui::EndChild();
}

std::unique_ptr<Panel> make_warp_panel() { return std::make_unique<WarpPanel>(); }

}  // namespace lanescope::view
