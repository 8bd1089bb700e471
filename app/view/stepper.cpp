#include "view/stepper.h"

#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using session::Step;

namespace {

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
  void draw_transport(const Context& context);
  void draw_place(const Context& context);

  bool playing_ = false;
  double next_step_ = 0;  // time of Dear ImGui's clock
  char block_text_[32] = "";
  bool editing_ = false;
};

constexpr double kSecondsPerStep = 0.45;

void label(const Theme& theme, std::string_view text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = text_width(theme, Face::Regular, kSmallText, text);
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Regular, kSmallText, Color::of(Role::Dim)}, text);
  ImGui::Dummy({width, theme.control_height()});
}

}  // namespace

std::optional<CtaId> parse_block(std::string_view text, Dim3 grid) {
  std::vector<uint32_t> numbers;
  for (size_t at = 0; at < text.size();) {
    if (std::strchr(" ,()x", text[at]) != nullptr) {
      ++at;
      continue;
    }
    uint32_t number = 0;
    const auto [rest, problem] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (problem != std::errc()) return {};
    numbers.push_back(number);
    at = static_cast<size_t>(rest - text.data());
  }
  if (numbers.size() == 1 && numbers[0] < volume(grid)) return CtaId{numbers[0]};
  if (numbers.size() < 2 || numbers.size() > 3) return {};
  const Dim3 at{numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0};
  if (at.x >= grid.x || at.y >= grid.y || at.z >= grid.z) return {};
  return CtaId{static_cast<uint32_t>(linear(at, grid))};
}

float stepper_height(const Theme& theme) {
  // Two rows of controls; the timeline next to them also names the source lines.
  return 2 * theme.control_height() + theme.space(Space::Small) + 2 * theme.space(Space::Medium) +
         theme.em(1.2f);
}

void Stepper::toggle_play(const Context& context) {
  playing_ = !playing_;
  next_step_ = ImGui::GetTime() + kSecondsPerStep;
  const session::Snapshot& now = context.now;
  if (playing_ && now.selection.access + 1 >= now.selection.timeline.size())
    context.post(Step{Step::To::First});
}

void Stepper::advance(const Context& context) {
  if (!playing_) return;
  const session::Snapshot& now = context.now;
  if (now.selection.timeline.empty()) playing_ = false;
  // Steps posted during a run would all be taken at once after it.
  if (now.busy || ImGui::GetTime() < next_step_) return;
  next_step_ = ImGui::GetTime() + kSecondsPerStep;
  if (now.selection.access + 1 < now.selection.timeline.size())
    context.post(Step{Step::To::Next});
  else
    playing_ = false;
}

void Stepper::draw_transport(const Context& context) {
  const Theme& theme = context.theme;
  const auto button = [&](const char* id, Icon icon, Text tip, Step::To to) {
    if (icon_button(theme, id, icon, context.text(tip))) {
      playing_ = false;
      context.post(Step{to});
    }
    ImGui::SameLine(0, theme.space(Space::Hair));
  };
  button("first", Icon::First, Text::window_first, Step::To::First);
  button("previous", Icon::Previous, Text::window_previous, Step::To::Previous);
  if (icon_button(theme, "play", playing_ ? Icon::Pause : Icon::Play,
                  context.text(playing_ ? Text::window_pause : Text::window_play), Weight::Strong))
    toggle_play(context);
  ImGui::SameLine(0, theme.space(Space::Hair));
  button("next", Icon::Next, Text::window_next, Step::To::Next);
  button("last", Icon::Last, Text::window_last, Step::To::Last);
  ImGui::SameLine(0, theme.space(Space::Large));
  label(theme, context.text(Text::window_on_line));
  ImGui::SameLine(0, theme.space(Space::Small));
  button("previous_on_line", Icon::Up, Text::window_previous_on_line, Step::To::PreviousOnLine);
  button("next_on_line", Icon::Down, Text::window_next_on_line, Step::To::NextOnLine);
  ImGui::NewLine();
}

void Stepper::draw_place(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  const Dim3 grid = now.run->trace->grid;
  const Dim3 at = position_of(now.selection.cta.value, grid);
  label(theme, context.text(Text::window_block));
  ImGui::SameLine(0, theme.space(Space::Small));
  if (!editing_) {
    const std::string text =
        grid.z > 1 ? fmt::format("{}, {}, {}", at.x, at.y, at.z) : fmt::format("{}, {}", at.x, at.y);
    text.copy(block_text_, sizeof block_text_ - 1);
    block_text_[std::min(text.size(), sizeof block_text_ - 1)] = '\0';
  }
  ImGui::SetNextItemWidth(theme.em(5));
  const bool entered =
      ImGui::InputText("##block", block_text_, sizeof block_text_, ImGuiInputTextFlags_EnterReturnsTrue);
  editing_ = ImGui::IsItemActive();
  if (ImGui::IsItemHovered() && !editing_)
    tooltip(theme, context.phrase(Text::window_block_hint, grid.x, grid.y));
  if (entered)
    if (const auto block = parse_block(block_text_, grid)) context.post(session::SelectBlock{*block});

  ImGui::SameLine(0, theme.space(Space::Large));
  label(theme, context.text(Text::warp));
  ImGui::SameLine(0, theme.space(Space::Small));
  ImGui::BeginDisabled(now.selection.warp.value == 0);
  if (icon_button(theme, "warp_down", Icon::Minus, context.text(Text::window_warp_down)))
    context.post(session::SelectWarp{WarpId{now.selection.warp.value - 1}});
  ImGui::EndDisabled();
  ImGui::SameLine(0, 0);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::string number = std::to_string(now.selection.warp.value);
  const float width = theme.em(1.6f);
  draw_text(theme, *ImGui::GetWindowDrawList(),
            {corner.x + (width - text_width(theme, Face::Strong, 1, number)) / 2,
             corner.y + theme.control_height() / 2},
            {Face::Strong, 1, Color::of(Role::Ink)}, number);
  ImGui::Dummy({width, theme.control_height()});
  ImGui::SameLine(0, 0);
  ImGui::BeginDisabled(now.selection.warp.value + 1 >= now.selection.warps);
  if (icon_button(theme, "warp_up", Icon::Plus, context.text(Text::window_warp_up)))
    context.post(session::SelectWarp{WarpId{now.selection.warp.value + 1}});
  ImGui::EndDisabled();
}

void Stepper::draw(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  if (!now.run) return view_.clear();
  const float top = ImGui::GetCursorScreenPos().y;
  const float slack =
      ImGui::GetContentRegionAvail().y - 2 * theme.control_height() - theme.space(Space::Small);
  const float below = std::max(0.0f, std::floor(slack / 2));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::min(below, theme.em()));
  ImGui::BeginGroup();
  draw_transport(context);
  draw_place(context);
  ImGui::EndGroup();
  ImGui::SetCursorScreenPos({ImGui::GetItemRectMax().x + theme.space(Space::Huge), top});
  ImGui::BeginChild("timeline", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground);
  if (now.selection.timeline.empty()) {
    view_.clear();
    empty_state(theme, context.text(Text::window_no_access), context.text(Text::window_other_block));
  } else {
    view_.draw(context, {.version = {now.generation},
                         .make =
                             [&](const plot::Frame& frame) {
                               return plot::timeline_figure(now.selection.timeline, now.selection.access,
                                                            now.run->trace->provenance, frame);
                             },
                         .parts = Parts::MarksOnly});
  }
  ImGui::EndChild();
}

std::unique_ptr<Panel> make_timeline_panel() { return std::make_unique<Stepper>(); }

}  // namespace lanescope::view
