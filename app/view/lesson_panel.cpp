// The lesson: what it is about, its kernels, what to observe in the chosen one, and whether the output is
// right. Test: tests/gui/toggles_test.cpp

#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

class LessonPanel : public Panel {
 public:
  void draw(const Context& context) override;
};

/// What a correct output is.
Text text_of(const lesson::Kernel& kernel) {
  using enum lesson::OutputRule;
  if (!kernel.expect || !kernel.expect->rule) return Text::window_output_expected;
  switch (*kernel.expect->rule) {
    case Copy:
      return Text::window_output_copy;
    case Transpose:
      return Text::window_output_transpose;
    default:
      return Text::window_output_expected;
  }
}

void draw_check(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.run || !now.run->output_correct) return;
  const Theme& theme = context.theme;
  const bool right = *now.run->output_correct;
  const Role role = right ? Role::Good : Role::Bad;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = std::round(theme.em(1.5f));
  draw_icon(list, ImRect(at, at + ImVec2(side, side)), right ? Icon::Check : Icon::Cross, theme.color(role));
  const lesson::Kernel& kernel = lesson::kernel_of(*now.choices.lesson, now.choices.settings);
  const Text text = right ? text_of(kernel) : Text::window_output_wrong;
  draw_text(theme, list, {at.x + side + theme.space(Space::Small), at.y + side / 2},
            {Face::Strong, kSmallText, Color::of(role)}, context.text(text));
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, side});
}

void draw_kernels(const Context& context) {
  const Theme& theme = context.theme;
  const lesson::Lesson& lesson = *context.now.choices.lesson;
  const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const float left = at.x, gap = theme.space(Space::Small), height = std::round(theme.em(1.75f));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID("kernel");
  for (const lesson::Kernel& kernel : lesson.kernels) {
    const std::string& label = kernel.label.in(context.language());
    const float text = text_width(theme, Face::Regular, kSmallText, label);
    const float width = std::round(text + theme.em(1.3f));
    if (at.x + width > end && at.x > left) at = {left, at.y + height + gap};
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton(kernel.name.c_str(), {width, height}))
      context.post(session::SetToggle{"kernel", kernel.name});
    const bool current = kernel.name == context.now.choices.settings.kernel, hovered = ImGui::IsItemHovered();
    const ImVec2 corner = at + ImVec2(width, height);
    const Role fill = current ? Role::Accent : hovered ? Role::AccentSoft : Role::Sunken;
    list.AddRectFilled(at, corner, theme.color(fill), height / 2);
    if (!current) list.AddRect(at, corner, theme.color(Role::Line), height / 2, theme.scale);
    draw_text(theme, list, {at.x + (width - text) / 2, at.y + height / 2},
              {Face::Regular, kSmallText, Color::of(current ? Role::OnAccent : Role::Ink)}, label);
    at.x += width + gap;
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos({left, at.y});
  ImGui::Dummy({1, height});
}

void gap(const Theme& theme, Space space) { ImGui::Dummy({0, theme.space(space)}); }

}  // namespace

void LessonPanel::draw(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  if (!now.choices.lesson) {
    draw_header(context);
    empty_state(theme, context.text(Text::window_no_lesson), context.text(Text::window_choose_lesson));
    return;
  }
  draw_header(context, {.subtitle = now.choices.lesson->title.in(now.choices.language)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("text", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    const lesson::Kernel& kernel = lesson::kernel_of(*now.choices.lesson, now.choices.settings);
    draw_kernels(context);
    gap(theme, Space::Medium);
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Ink)}, kernel.text.in(now.choices.language));
    gap(theme, Space::Small);
    draw_check(context);
    gap(theme, Space::Small);
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              now.choices.lesson->text.in(now.choices.language));
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

std::unique_ptr<Panel> make_lesson_panel() { return std::make_unique<LessonPanel>(); }

}  // namespace lanescope::view
