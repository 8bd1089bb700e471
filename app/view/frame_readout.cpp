#include "view/frame_readout.h"

#include "view/widgets.h"

#include <cmath>

#include <fmt/format.h>

namespace lanescope::view {

void draw_frame_readout(const Context& context, const FrameRate& rate) {
  const Theme& theme = context.theme;
  const std::string text =
      context.phrase(Text::window_frame_rate, rate.frames, fmt::format("{:.1f}", rate.whole * 1e3),
                     fmt::format("{:.1f}", rate.own * 1e3), static_cast<int>(std::lround(rate.drawn * 100)));
  const TextStyle style{Face::Strong, kSmallText, plot::Color::of(plot::Role::Ink)};
  const ImVec2 size{text_width(theme, style.face, style.relative, text) + theme.em(1.2f), theme.em(1.6f)};
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 corner{std::floor(viewport->WorkPos.x + (viewport->WorkSize.x - size.x) / 2),
                      viewport->WorkPos.y};
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled(corner, corner + size, theme.color(plot::Role::Surface));
  list.AddRect(corner, corner + size, theme.color(plot::Role::Line), 0, theme.scale);
  draw_text(theme, list, {corner.x + theme.em(0.6f), corner.y + size.y / 2}, style, text);
}

}  // namespace lanescope::view
