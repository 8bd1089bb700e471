// The tiles of input and output with the numbers of the blocks that touch them. A click selects the block.
// Test: tests/gui/figure_test.cpp

#include "plot/figures.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <functional>

namespace lanescope::view {

namespace {

class BlockPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;
  /// One wave on when it is time.
  void advance(const Context& context) override;
  std::optional<double> moves_at() const override {
    return playing_ ? std::optional(next_wave_) : std::nullopt;
  }

 private:
  void draw_waves(const Context& context);

  bool playing_ = false;
  double next_wave_ = 0;  // when, while playing
};

constexpr double kSecondsPerWave = 0.6;

}  // namespace

void BlockPanel::advance(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.run) playing_ = false;
  if (!playing_ || now.busy || ImGui::GetTime() < next_wave_) return;
  next_wave_ = ImGui::GetTime() + kSecondsPerWave;
  if (now.wave + 1 < now.waves)
    context.post(session::SelectWave{now.wave + 1});
  else
    playing_ = false;
}

/// First, previous, play, next, and which wave of how many.
void BlockPanel::draw_waves(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  const auto go = [&](uint32_t wave) {
    playing_ = false;
    context.post(session::SelectWave{wave});
  };
  ImGui::BeginDisabled(now.waves < 2);
  if (icon_button(theme, "first_wave", Icon::First, context.text(Text::window_wave_first))) go(0);
  ImGui::SameLine(0, theme.space(Space::Hair));
  if (icon_button(theme, "previous_wave", Icon::Previous, context.text(Text::window_wave_previous)))
    go(now.wave == 0 ? 0 : now.wave - 1);
  ImGui::SameLine(0, theme.space(Space::Hair));
  if (icon_button(theme, "play_waves", playing_ ? Icon::Pause : Icon::Play,
                  context.text(playing_ ? Text::window_wave_pause : Text::window_wave_play))) {
    playing_ = !playing_;
    next_wave_ = ImGui::GetTime() + kSecondsPerWave;
    if (playing_ && now.wave + 1 >= now.waves) context.post(session::SelectWave{0});
  }
  ImGui::SameLine(0, theme.space(Space::Hair));
  if (icon_button(theme, "next_wave", Icon::Next, context.text(Text::window_wave_next))) go(now.wave + 1);
  ImGui::EndDisabled();
  ImGui::SameLine(0, theme.space(Space::Small));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string text = fmt::format("{} {}", context.text(Text::window_wave),
                                       context.phrase(Text::window_wave_of, now.wave + 1, now.waves));
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Regular, kSmallText, plot::Color::of(plot::Role::Ink)}, text);
  ImGui::Dummy({text_width(theme, Face::Regular, kSmallText, text), theme.control_height()});
}

void BlockPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.run->tiles || now.run->tiles->empty())
    return draw_no_figure(context, Text::window_no_matrix, Text::window_no_matrix_why);
  const uint64_t device = std::hash<std::string>()(now.choices.device.name);
  view_.draw(context, {.version = {now.run_generation, device, now.selection.cta.value, now.wave},
                       .make =
                           [&](const plot::Frame& frame) {
                             return plot::block_figure(*now.run->trace, *now.run->tiles, now.choices.device,
                                                       {.selected = now.selection.cta,
                                                        .wave = now.wave,
                                                        .partitions = now.run->partitions.get()},
                                                       frame);
                           },
                       // A class needs no controls: the explanation names the wave.
                       .above = context.theme.audience == Audience::Reader
                                    ? std::function<void()>([&] { draw_waves(context); })
                                    : nullptr});
}

std::unique_ptr<Panel> make_blocks_panel() { return std::make_unique<BlockPanel>(); }

}  // namespace lanescope::view
