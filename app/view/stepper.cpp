#include "view/stepper.h"

#include "base/number.h"
#include "plot/figures.h"
#include "view/control_name.h"
#include "view/panel.h"
#include "view/stepping.h"
#include "view/toolbar_groups.h"
#include "view/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using session::Step;

namespace {

void label(const Theme& theme, std::string_view text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = text_width(theme, Face::Regular, kSmallText, text);
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Regular, kSmallText, Color::of(Role::Dim)}, text);
  ImGui::Dummy({width, theme.control_height()});
}

void gap_beside(const Theme& theme, Space space) { ImGui::SameLine(0, theme.space(space)); }

/// A line of text that shows a value until it is edited.
class Field {
 public:
  /// What was entered, once.
  std::optional<std::string> draw(const Theme& theme, const char* id, float width, std::string_view shown,
                                  std::string_view tip) {
    if (!editing_) text_ = shown;
    ImGui::SetNextItemWidth(width);
    const bool entered =
        ImGui::InputText(id, text_.data(), text_.capacity() + 1,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                             ImGuiInputTextFlags_CallbackResize,
                         resize, &text_);
    name_control(tip);
    editing_ = ImGui::IsItemActive();
    if (ImGui::IsItemHovered() && !editing_) tooltip(theme, tip);
    return entered ? std::optional(text_) : std::nullopt;
  }

 private:
  static int resize(ImGuiInputTextCallbackData* data) {
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<size_t>(data->BufTextLen));
    data->Buf = text.data();
    return 0;
  }

  std::string text_;
  bool editing_ = false;
};

class Stepper : public FigurePanel {
 public:
  void draw(const Context& context) override;
  void toggle_play(const Context& context) override;
  std::optional<double> moves_at() const override {
    return playing_ ? std::optional(next_step_) : std::nullopt;
  }
  /// One step on when it is time.
  void advance(const Context& context) override;

 private:
  void draw_transport(const Context& context, bool is_narrow);
  void draw_units(const Context& context);
  void draw_speed(const Context& context);
  void draw_line_buttons(const Context& context);
  void draw_place(const Context& context, float width);
  void draw_block(const Context& context);
  void draw_warp(const Context& context);
  void draw_step(const Context& context, float right);
  void draw_accesses(const Context& context);
  void step_button(const Context& context, const char* id, Icon icon, Text tip, Step::To to);

  bool playing_ = false;
  double next_step_ = 0;  // time of Dear ImGui's clock
  Field block_, warp_, step_;
  HistoryRequest history_;
};

/// What the buttons of this unit say.
struct UnitTexts {
  Text name, tip, previous, next;
};
constexpr std::array<UnitTexts, kStepUnits> kUnits{{
    {Text::window_step_access, Text::window_step_access_tip, Text::window_previous, Text::window_next},
    {Text::window_step_line, Text::window_step_line_tip, Text::window_previous_line, Text::window_next_line},
    {Text::window_step_instruction, Text::window_step_instruction_tip, Text::window_previous_instruction,
     Text::window_next_instruction},
}};

const UnitTexts& texts_of(StepUnit unit) { return kUnits[static_cast<size_t>(unit)]; }

double seconds_per_step(const Preferences& preferences) {
  return 1 / static_cast<double>(kSpeeds[preferences.speed]);
}

std::string speed_text(const Context& context, float speed) {
  return context.phrase(Text::window_speed,
                        speed < 1 ? decimal(context.language(), speed) : fmt::format("{:.0f}", speed));
}

void say_no_such_place(const Context& context, std::string_view text) {
  const session::Snapshot& now = context.now;
  context.notify(context.phrase(Text::window_no_such_place, text, volume(now.run->trace->grid) - 1,
                                now.selection.warps - 1));
}

}  // namespace

float stepper_height(const Theme& theme) {
  // A class sees the accesses alone.
  if (theme.audience == Audience::Room) return theme.em(3.9f) + 2 * theme.space(Space::Small);
  // Two rows of controls; the timeline next to them also names the source lines.
  return 2 * theme.control_height() + theme.space(Space::Small) + 2 * theme.space(Space::Medium) +
         theme.em(1.2f);
}

void Stepper::toggle_play(const Context& context) {
  playing_ = !playing_;
  next_step_ = ImGui::GetTime() + seconds_per_step(context.preferences);
  if (playing_ && is_at_end(context)) post_step(context, Step::To::First);
}

void Stepper::advance(const Context& context) {
  if (context.preferences.step_unit == StepUnit::Instruction) history_.keep(context);
  if (!playing_) return;
  const session::Snapshot& now = context.now;
  if (now.selection.timeline.empty()) playing_ = false;
  // Steps posted during a run would all be taken at once after it.
  if (now.busy || ImGui::GetTime() < next_step_) return;
  next_step_ = ImGui::GetTime() + seconds_per_step(context.preferences);
  if (is_at_end(context))
    playing_ = false;
  else
    post_step(context, Step::To::Next);
}

void Stepper::step_button(const Context& context, const char* id, Icon icon, Text tip, Step::To to) {
  if (!icon_button(context.theme, id, icon, context.text(tip))) return;
  playing_ = false;
  post_step(context, to);
}

/// Access, line or instruction.
void Stepper::draw_units(const Context& context) {
  std::vector<Segment> units;
  for (size_t n = 0; n < kStepUnits; ++n)
    units.push_back(
        {std::string(name_of(static_cast<StepUnit>(n))), std::string(context.text(kUnits[n].name)),
         std::string(context.text(Text::window_step_by)) + "\n" + std::string(context.text(kUnits[n].tip))});
  const int pressed =
      segments(context.theme, "step_by", units, static_cast<int>(context.preferences.step_unit));
  if (pressed >= 0) context.preferences.step_unit = static_cast<StepUnit>(pressed);
}

void Stepper::draw_speed(const Context& context) {
  Preferences& preferences = context.preferences;
  const bool open =
      begin_menu_button(context.theme, "speed", speed_text(context, kSpeeds[preferences.speed]));
  if (open) {
    for (size_t n = 0; n < kSpeeds.size(); ++n) {
      const std::string name = speed_text(context, kSpeeds[n]) + fmt::format("###{}", n);
      if (menu_item(name.c_str(), nullptr, n == preferences.speed)) preferences.speed = n;
    }
    end_list();
  } else if (ImGui::IsItemHovered()) {
    tooltip(context.theme, context.text(Text::window_speed_tip));
  }
}

void Stepper::draw_line_buttons(const Context& context) {
  const Theme& theme = context.theme;
  label(theme, context.text(Text::window_on_line));
  gap_beside(theme, Space::Small);
  step_button(context, "previous_on_line", Icon::Up, Text::window_previous_on_line, Step::To::PreviousOnLine);
  gap_beside(theme, Space::Hair);
  step_button(context, "next_on_line", Icon::Down, Text::window_next_on_line, Step::To::NextOnLine);
}

void Stepper::draw_transport(const Context& context, bool is_narrow) {
  const Theme& theme = context.theme;
  const UnitTexts& texts = texts_of(context.preferences.step_unit);
  step_button(context, "first", Icon::First, Text::window_first, Step::To::First);
  gap_beside(theme, Space::Hair);
  step_button(context, "previous", Icon::Previous, texts.previous, Step::To::Previous);
  gap_beside(theme, Space::Hair);
  if (icon_button(theme, "play", playing_ ? Icon::Pause : Icon::Play,
                  context.text(playing_ ? Text::window_pause : Text::window_play), Weight::Strong))
    toggle_play(context);
  gap_beside(theme, Space::Hair);
  step_button(context, "next", Icon::Next, texts.next, Step::To::Next);
  gap_beside(theme, Space::Hair);
  step_button(context, "last", Icon::Last, Text::window_last, Step::To::Last);
  gap_beside(theme, Space::Small);
  draw_speed(context);
  gap_beside(theme, Space::Medium);
  draw_units(context);
  if (!is_narrow) {
    gap_beside(theme, Space::Large);
    draw_line_buttons(context);
  }
  gap_beside(theme, Space::Medium);
  const bool is_on = context.prediction.is_on();
  if (icon_button(theme, "predict", is_on ? Icon::Hidden : Icon::Shown,
                  context.text(Text::window_predict_tip), is_on ? Weight::Strong : Weight::Plain))
    context.prediction.turn();
}

void Stepper::draw_block(const Context& context) {
  const Theme& theme = context.theme;
  const Dim3 grid = context.now.run->trace->grid;
  const Dim3 at = position_of(context.now.selection.cta.value, grid);
  label(theme, context.text(Text::window_block));
  gap_beside(theme, Space::Small);
  const std::string shown =
      grid.z > 1 ? fmt::format("{}, {}, {}", at.x, at.y, at.z) : fmt::format("{}, {}", at.x, at.y);
  const auto entered = block_.draw(theme, "##block", theme.em(grid.z > 1 ? 5.5f : 4.5f), shown,
                                   context.phrase(Text::window_block_hint, grid.x, grid.y));
  if (!entered) return;
  if (const auto block = parse_block(*entered, grid))
    context.post(session::SelectBlock{*block});
  else
    say_no_such_place(context, *entered);
}

void Stepper::draw_warp(const Context& context) {
  const Theme& theme = context.theme;
  const pipeline::Selection& selection = context.now.selection;
  label(theme, context.text(Text::warp));
  gap_beside(theme, Space::Small);
  ImGui::BeginDisabled(selection.warp.value == 0);
  if (icon_button(theme, "warp_down", Icon::Minus, context.text(Text::window_warp_down)))
    context.post(session::SelectWarp{WarpId{selection.warp.value - 1}});
  ImGui::EndDisabled();
  ImGui::SameLine(0, 0);
  const auto entered = warp_.draw(theme, "##warp", theme.em(2.4f), std::to_string(selection.warp.value),
                                  context.phrase(Text::window_warp_tip, selection.warps - 1));
  ImGui::SameLine(0, 0);
  ImGui::BeginDisabled(selection.warp.value + 1 >= selection.warps);
  if (icon_button(theme, "warp_up", Icon::Plus, context.text(Text::window_warp_up)))
    context.post(session::SelectWarp{WarpId{selection.warp.value + 1}});
  ImGui::EndDisabled();
  if (!entered) return;
  const auto place = parse_place("warp " + *entered, context.now.run->trace->grid, selection.warps);
  if (place && place->warp)
    go_to_place(context, *place);
  else
    say_no_such_place(context, *entered);
}

/// "Access 11 of 16": a field, and a slider as far as `right`.
void Stepper::draw_step(const Context& context, float right) {
  const Theme& theme = context.theme;
  const StepPosition position = view::position_of(context);
  const bool by_instruction = context.preferences.step_unit == StepUnit::Instruction;
  label(theme, context.text(by_instruction ? Text::window_instruction : Text::window_access));
  gap_beside(theme, Space::Small);
  const std::string count = std::to_string(position.count);
  const float digits = text_width(theme, Face::Regular, 1, "0") * static_cast<float>(count.size());
  const auto entered = step_.draw(theme, "##step", std::max(theme.em(2.4f), digits + theme.em(1)),
                                  position.count == 0 ? "–" : std::to_string(position.index + 1),
                                  context.phrase(Text::window_number_tip, position.count));
  gap_beside(theme, Space::Small);
  label(theme, context.phrase(Text::window_of, count));
  gap_beside(theme, Space::Medium);
  int shown = static_cast<int>(position.index) + 1;
  ImGui::SetNextItemWidth(std::max(theme.em(6), right - ImGui::GetCursorScreenPos().x));
  ImGui::BeginDisabled(position.count < 2);
  if (ImGui::SliderInt("##position", &shown, 1, std::max(1, static_cast<int>(position.count)), "",
                       ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp)) {
    playing_ = false;
    go_to_step(context, static_cast<uint32_t>(shown - 1));
  }
  name_control(context.text(Text::window_position_tip));
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    tooltip(theme, context.text(Text::window_position_tip));
  if (!entered) return;
  const auto place = parse_place(*entered, context.now.run->trace->grid, context.now.selection.warps);
  const bool moves = place && (place->block || place->warp);
  if (place && (moves || place->step.value_or(0) < position.count))
    go_to_place(context, *place);
  else
    say_no_such_place(context, *entered);
}

void Stepper::draw_place(const Context& context, float width) {
  const float right = ImGui::GetCursorScreenPos().x + width;
  draw_block(context);
  gap_beside(context.theme, Space::Medium);
  draw_warp(context);
  gap_beside(context.theme, Space::Medium);
  draw_step(context, right);
}

void Stepper::draw(const Context& context) {
  const Theme& theme = context.theme;
  if (!context.now.run) return view_.clear();
  if (theme.audience == Audience::Room) return draw_accesses(context);
  const float top = ImGui::GetCursorScreenPos().y;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float slack = room.y - 2 * theme.control_height() - theme.space(Space::Small);
  const float below = std::max(0.0f, std::floor(slack / 2));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::min(below, theme.em()));
  ImGui::BeginGroup();
  ImGui::BeginGroup();
  draw_transport(context, room.x < theme.em(84));
  ImGui::EndGroup();
  draw_place(context, ImGui::GetItemRectSize().x);
  ImGui::EndGroup();
  ImGui::SetCursorScreenPos({ImGui::GetItemRectMax().x + theme.space(Space::Huge), top});
  draw_accesses(context);
}

/// In the rest of the bar.
void Stepper::draw_accesses(const Context& context) {
  ImGui::BeginChild("timeline", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground);
  if (context.now.selection.timeline.empty()) {
    view_.clear();
    empty_state(context.theme, context.text(Text::window_no_access), context.text(Text::window_other_block));
  } else {
    draw_timeline(context, view_);
  }
  ImGui::EndChild();
}

void draw_timeline(const Context& context, FigureView& view) {
  const session::Snapshot& now = context.now;
  const plot::TimelineView shown{.current = now.selection.access,
                                 .units = now.selection.units,
                                 .with_costs = !context.prediction.covers(PanelId::Timeline)};
  view.draw(context, {.version = {now.generation, shown.with_costs ? 1u : 0u},
                      .make =
                          [&](const plot::Frame& frame) {
                            return plot::timeline_figure(now.selection.timeline, shown,
                                                         now.run->trace->provenance, frame);
                          },
                      .parts = Parts::MarksOnly});
}

std::unique_ptr<Panel> make_timeline_panel() { return std::make_unique<Stepper>(); }

}  // namespace lanescope::view
