#include "view/comparison.h"

#include "session/settings_text.h"
#include "view/side_mark.h"
#include "view/stepper.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using session::Side;

namespace {

constexpr PanelId kOfRuns[] = {PanelId::Banks,      PanelId::Sectors, PanelId::Warp,      PanelId::Blocks,
                               PanelId::Warps,      PanelId::Grid,    PanelId::Elements,  PanelId::Values,
                               PanelId::Partitions, PanelId::Totals,  PanelId::Bandwidth, PanelId::Output};

constexpr float kLeastBeside = 22;  // ems of each half

bool has_two_sources(const session::Snapshot& now) {
  return now.pinned && now.run && now.pinned->run->source_text != now.run->source_text;
}

/// Two boxes in the room of the current window.
struct Halves {
  ImVec2 a, b, size;
};

Halves halves_of(const Theme& theme, ImVec2 corner, ImVec2 room) {
  const float gap = theme.space(Space::Large);
  const ImVec2 beside{std::floor((room.x - gap) / 2), room.y};
  if (beside.x >= theme.em(kLeastBeside) || room.x > 2 * room.y)
    return {corner, corner + ImVec2(beside.x + gap, 0), beside};
  const ImVec2 above{room.x, std::floor((room.y - gap) / 2)};
  return {corner, corner + ImVec2(0, above.y + gap), above};
}

/// What A's panels request: accesses and lines are A's.
Actions actions_of_a(const Actions& actions) {
  Actions of_a = actions;
  of_a.post = [&actions](session::Command command) {
    if (auto* access = std::get_if<session::SelectAccess>(&command)) access->side = Side::A;
    if (auto* line = std::get_if<session::SelectLine>(&command)) line->side = Side::A;
    actions.post(std::move(command));
  };
  return of_a;
}

/// A site of one run means nothing in another program.
Highlight shared_part(Highlight highlight, const session::Snapshot& now) {
  if (!now.has_same_sites) highlight.site.reset();
  return highlight;
}

/// Draws A's side of `context.panel`: its run, its highlight, and what it requests is of A.
template <class Draw>
void draw_side_of_a(const Context& context, const Compared* compared, Draw&& draw) {
  const Highlight highlight = shared_part(context.highlight, context.now);
  Highlight hovered;
  const Actions actions = actions_of_a(context.actions);
  Context of_a{*context.now.pinned, context.theme,      highlight,       hovered, actions,
               context.preferences, context.prediction, context.notices, nullptr};
  of_a.panel = context.panel;
  of_a.compared = compared;
  draw(of_a);
  if (hovered != Highlight{}) context.hovered = shared_part(hovered, context.now);
}

/// Where the current window's child of this name was drawn; empty where there is none.
ImRect child_named(const char* name) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImGuiID id = ImGui::GetID(name);
  for (const ImGuiWindow* child : window->DC.ChildWindows)
    if (child->ChildId == id) return child->Rect();
  return {};
}

template <class Draw>
void draw_half(const char* id, ImVec2 corner, ImVec2 size, Draw&& draw) {
  ImGui::SetCursorScreenPos(corner);
  if (ImGui::BeginChild(
          id, size, ImGuiChildFlags_None,
          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse))
    draw();
  ImGui::EndChild();
}

}  // namespace

bool Comparison::shows_both(const Context& context) {
  if (!context.now.pinned || context.compared != nullptr) return false;
  if (context.panel == PanelId::Source) return has_two_sources(context.now);
  return std::ranges::find(kOfRuns, context.panel) != std::end(kOfRuns);
}

Panel& Comparison::panel_of_a(PanelId id) {
  auto& panel = panels_[static_cast<size_t>(id)];
  if (!panel) panel = row_of(id).make();
  return *panel;
}

const plot::Figure* Comparison::figure_of_a(PanelId id) const {
  if (id == PanelId::Timeline) return timeline_.figure();
  const auto& panel = panels_[static_cast<size_t>(id)];
  return panel ? panel->figure() : nullptr;
}

void Comparison::draw(const Context& context, const Panel& present,
                      const std::function<void(const Context&)>& draw_present) {
  const session::Snapshot& now = context.now;
  const Language language = context.language();
  const std::string label_a = session::label_beside(now.pinned->choices, now.choices, language),
                    label_b = session::label_beside(now.choices, now.pinned->choices, language);
  std::string scale_a, scale_b;
  const bool is_fair = now.run && now.run->trace->is_complete && now.pinned->run->trace->is_complete;
  // Bars that are shorter than their own data need are said to be.
  const plot::Figure *figure_a = panel_of_a(context.panel).figure(), *figure_b = present.figure();
  if (figure_a != nullptr && figure_b != nullptr && is_fair) {
    const plot::Scale both = plot::common(figure_a->scale, figure_b->scale);
    if (both.ends != figure_a->scale.ends) scale_a = context.phrase(Text::window_scale_of_other, "B");
    if (both.ends != figure_b->scale.ends) scale_b = context.phrase(Text::window_scale_of_other, "A");
  }
  const Halves halves = halves_of(context.theme, ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail());
  const Compared a{
      .side = Side::A, .label = label_a, .scale = scale_a, .other = present.figure(), .is_fair = is_fair};
  draw_half("A", halves.a, halves.size, [&] {
    draw_side_of_a(context, &a, [&](const Context& of_a) { panel_of_a(of_a.panel).draw(of_a); });
  });
  const Compared b{.side = Side::B,
                   .label = label_b,
                   .scale = scale_b,
                   .other = panel_of_a(context.panel).figure(),
                   .against = is_fair ? now.pinned->run.get() : nullptr,
                   .is_fair = is_fair};
  draw_half("B", halves.b, halves.size, [&] {
    Context of_b = context;
    of_b.compared = &b;
    draw_present(of_b);
  });
}

void Comparison::draw_timeline(const Context& context, float bottom) {
  const ImRect b = child_named("timeline");
  const session::Snapshot& a = *context.now.pinned;
  if (b.GetWidth() <= 0 || a.selection.timeline.empty()) return timeline_.clear();
  const Theme& theme = context.theme;
  const float height = timeline_height(theme);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float side = b.Min.x - theme.em(1.3f) - theme.space(Space::Small);
  draw_side(theme, list, {side, bottom - height / 2}, Side::A);
  draw_side(theme, list, {side, b.GetCenter().y}, Side::B);
  Context timeline = context;
  timeline.panel = PanelId::Timeline;
  draw_half("timeline_a", {b.Min.x, bottom - height}, {b.GetWidth(), height}, [&] {
    draw_side_of_a(timeline, nullptr, [&](const Context& of_a) { view::draw_timeline(of_a, timeline_); });
  });
}

}  // namespace lanescope::view
