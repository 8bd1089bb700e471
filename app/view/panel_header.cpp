#include "view/panel_header.h"

#include "view/level_mark.h"
#include "view/side_mark.h"
#include "view/widgets.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// Where the header goes: in the tab bar of the dock node, else a row at the cursor.
struct HeaderPlace {
  ImDrawList* list = nullptr;
  ImRect box;
  bool has_tabs = false;
};

HeaderPlace find_place(const Theme& theme) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImGuiDockNode* node = window->DockNode;
  if (window->DockIsActive && node != nullptr && node->TabBar != nullptr && node->HostWindow != nullptr) {
    const ImRect bar = node->TabBar->BarRect;
    const float left = bar.Min.x + node->TabBar->WidthAllTabs + theme.space(Space::Small);
    return {node->HostWindow->DrawList,
            ImRect(left, node->Pos.y, node->Pos.x + node->Size.x - theme.space(Space::Large), bar.Max.y),
            true};
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  return {ImGui::GetWindowDrawList(), ImRect(at, at + ImVec2(width, theme.control_height())), false};
}

/// Those whose numbers come from the run.
constexpr PanelId kOfRuns[] = {PanelId::Source, PanelId::Banks,      PanelId::Sectors, PanelId::Warp,
                               PanelId::Blocks, PanelId::Warps,      PanelId::Grid,    PanelId::Elements,
                               PanelId::Values, PanelId::Partitions, PanelId::Totals,  PanelId::Timeline,
                               PanelId::Lanes,  PanelId::Registers,  PanelId::Output};

/// Those that need the accesses of all blocks.
constexpr PanelId kOfAllBlocks[] = {PanelId::Blocks, PanelId::Grid, PanelId::Elements, PanelId::Partitions};

}  // namespace

bool needs_all_blocks(PanelId panel) {
  return std::ranges::find(kOfAllBlocks, panel) != std::end(kOfAllBlocks);
}

namespace {

/// How many blocks of a large saved trace the panel shows; empty: all that there are.
std::string blocks_read(const Context& context) {
  const session::Snapshot& now = context.now;
  const bool is_partial = now.run && now.run->unread && (!now.run->unread->are_counted || now.reading);
  if (!is_partial || !needs_all_blocks(context.panel)) return {};
  const size_t done = now.reading ? now.reading->done : now.run->unread->first.value;
  return context.phrase(Text::window_blocks_read, done, volume(now.run->trace->grid));
}

}  // namespace

bool is_of_stopped_run(const Context& context) {
  return context.now.run && !context.now.run->trace->is_complete &&
         std::ranges::find(kOfRuns, context.panel) != std::end(kOfRuns);
}

namespace {

/// The mark of the side, its settings, its number and its scale; the badge keeps the room that it needs at
/// least. Returns where they end.
float draw_compared(const Context& context, const HeaderPlace& place, const HeaderText& text) {
  const Theme& theme = context.theme;
  const float middle = place.box.GetCenter().y;
  const float least_badge = text.provenance ? theme.em(2.2f) : 0;
  const float right = place.box.Max.x - least_badge - theme.space(Space::Small);
  float left = draw_side(theme, *place.list, {place.box.Min.x, middle}, context.compared->side) +
               theme.space(Space::Small);
  const TextStyle strong{Face::Strong, kSmallText, Color::of(Role::Ink)};
  if (right > left)
    left = draw_text(theme, *place.list, {left, middle}, strong, context.compared->label, right - left) +
           theme.space(Space::Medium);
  for (const auto& [words, style] :
       {std::pair(text.number, TextStyle{Face::Strong, kSmallText, Color::of(Role::Accent)}),
        std::pair(context.compared->scale, TextStyle{Face::Regular, kSmallText, Color::of(Role::Ink)})})
    if (!words.empty() && right > left)
      left = draw_text(theme, *place.list, {left, middle}, style, words, right - left) +
             theme.space(Space::Medium);
  return left;
}

}  // namespace

namespace {

/// Draws the level at the right end of the header and takes its room off the header; where the tabs leave no
/// room, on a line below them, so that it always stands. `badge`: room that stays for that of the provenance.
/// Returns what the pointer on it is told.
std::string draw_level(const Context& context, HeaderPlace& place, float badge) {
  const auto mark = level_mark(context);
  if (!mark) return {};
  const Theme& theme = context.theme;
  const TextStyle style{Face::Strong, kSmallText, Color::of(mark->role)};
  const auto width_of = [&](const std::string& text) {
    return text_width(theme, style.face, style.relative, text);
  };
  // The short text keeps its place while one steps from access to access.
  const float room = place.box.GetWidth() - badge;
  const bool has_room = room >= width_of(mark->shorter);
  const bool is_short = has_room && room < width_of(mark->text);
  const std::string& text = is_short ? mark->shorter : mark->text;
  const float width = width_of(text);
  ImRect box = place.box;
  ImDrawList* list = place.list;
  if (!has_room) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(ImGui::GetContentRegionAvail().x, theme.em(1.4f * kSmallText));
    box = ImRect(at, at + size - ImVec2(theme.space(Space::Large), 0));
    list = ImGui::GetWindowDrawList();
    ImGui::Dummy(size);
  }
  box.Min.x = box.Max.x - width;
  draw_text(theme, *list, {box.Min.x, box.GetCenter().y}, style, text);
  if (has_room) place.box.Max.x = box.Min.x - theme.space(Space::Medium);
  return box.Contains(ImGui::GetIO().MousePos) ? mark->tip : std::string();
}

}  // namespace

void draw_header(const Context& context, const HeaderText& text) {
  const Theme& theme = context.theme;
  HeaderPlace place = find_place(theme);
  const ImRect whole = place.box;
  const float of_badge = text.provenance ? theme.em(2) + theme.space(Space::Medium) : 0;  // of one letter
  std::string tip = draw_level(context, place, of_badge);
  const bool is_of_level = !tip.empty();
  place.list->PushClipRect(whole.Min, whole.Max);
  const float middle = place.box.GetCenter().y;
  const std::string_view title = text.title.empty() ? context.text(title_of(context.panel)) : text.title;
  float left = place.box.Min.x, right = place.box.Max.x;
  if (context.compared != nullptr) {
    left = draw_compared(context, place, text);
  } else if (!place.has_tabs) {
    left = draw_text(theme, *place.list, {left, middle}, {Face::Strong, 1, Color::of(Role::Ink)}, title) +
           theme.space(Space::Large);
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (text.provenance) {
    const ImRect badge =
        draw_badge(context, *place.list, {right, middle}, *text.provenance, {}, right - left);
    if (badge.Contains(mouse)) {
      tip = context.text(tip_of(*text.provenance));
      if (!text.source.empty()) tip += "\n" + std::string(text.source);
    }
    right = badge.Min.x - theme.space(Space::Medium);
  }
  if (is_of_stopped_run(context) && right > left) {
    if (place.has_tabs) left += theme.space(Space::Medium);
    left = draw_text(theme, *place.list, {left, middle}, {Face::Strong, kSmallText, Color::of(Role::Bad)},
                     context.text(Text::figure_incomplete), right - left) +
           theme.space(Space::Large);
  }
  const TextStyle dim{Face::Regular, kSmallText, Color::of(Role::Dim)};
  if (place.has_tabs) left += theme.space(Space::Medium);
  if (right > left) {
    // A class needs no more than the title.
    if (theme.audience == Audience::Reader)
      draw_text(theme, *place.list, {left, middle}, dim, text.subtitle, right - left);
    const bool cut = text_width(theme, dim.face, dim.relative, text.subtitle) > right - left;
    if (cut && ImRect(left, place.box.Min.y, right, place.box.Max.y).Contains(mouse)) tip = text.subtitle;
  }
  place.list->PopClipRect();
  const bool free_to_hover = !ImGui::IsAnyItemActive() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const bool is_over = is_of_level || ImGui::IsMouseHoveringRect(whole.Min, whole.Max, false);
  if (!tip.empty() && free_to_hover && is_over) tooltip(theme, tip);
  if (!place.has_tabs) {
    ImGui::Dummy(whole.GetSize());
  }
  // On a line of its own: tabs leave little room.
  if (const std::string read = blocks_read(context); !read.empty())
    paragraph(theme, {Face::Strong, kSmallText, Color::of(Role::Ink)}, read);
}

}  // namespace lanescope::view
