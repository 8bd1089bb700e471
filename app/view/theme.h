// How the window looks: colors by meaning (plot/color.h), three faces, one scale of spaces, one size of text
// from which all others follow. Nothing in the panels names a color or a number of pixels.
// Tests: tests/gui/toggles_test.cpp

#pragma once

#include "plot/color.h"
#include "view/imgui.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace lanescope::view {

enum class Face : uint8_t { Regular, Strong, Mono };

/// The loaded faces. `line_height` is the height of a line over the em, which is what Dear ImGui calls the
/// size of a font; everything else in this program speaks of the em, as typography and Cairo do.
struct Faces {
  std::array<ImFont*, 3> font{};
  std::array<float, 3> line_height{1, 1, 1};
};

/// Who looks: a person at a desk, or a class, whose last row reads no small text and uses no controls.
enum class Audience : uint8_t { Reader, Room };

enum class Space : uint8_t { Hair, Small, Medium, Large, Huge };  // 2, 4, 8, 12, 20 points

inline constexpr float kSmallText = 0.9f;  // of the ordinary text: the smallest there is
inline constexpr float kMinimumText = 10, kOrdinaryText = 14, kMaximumText = 56;  // points
/// In a window of this height in points the last row of a room can read it.
constexpr float projector_text(float height) {
  const float wanted = height / 45;
  return wanted < 18 ? 18 : wanted > kMaximumText ? kMaximumText : wanted;
}

struct Theme {
  plot::Theme mode = plot::Theme::Light;
  float text = kOrdinaryText;  // em of ordinary text in points
  float scale = 1;             // pixels per point
  Faces faces;
  Audience audience = Audience::Reader;
  float least_control = 0;  // points that a finger needs to press a control

  ImU32 color(plot::Color color) const;
  ImU32 color(plot::Role role, float opacity = 1) const {
    return this->color(plot::Color::of(role, opacity));
  }
  /// Pixels. Spaces grow with the text, half as fast.
  float space(Space space) const;
  /// Pixels of an em of `relative` times the ordinary text.
  float em(float relative = 1) const { return text * scale * relative; }
  /// Size of `face` for Dear ImGui so that its em is `em_pixels`.
  float font_size(Face face, float em_pixels) const {
    return em_pixels * faces.line_height[static_cast<size_t>(face)];
  }
  ImFont* font(Face face) const { return faces.font[static_cast<size_t>(face)]; }
  /// Height of a control: a button, a segment, a row of the toolbar.
  float control_height() const { return std::max(em(1.9f), std::round(least_control * scale)); }
};

/// Makes the theme Dear ImGui's style. Cheap: called every frame.
void apply(const Theme& theme);

/// Text in `face` at `relative` times the ordinary size, until the scope ends.
class FaceScope {
 public:
  FaceScope(const Theme& theme, Face face, float relative = 1);
  ~FaceScope() { ImGui::PopFont(); }
  FaceScope(const FaceScope&) = delete;
  FaceScope& operator=(const FaceScope&) = delete;
};

/// A color of Dear ImGui's until the scope ends.
class ColorScope {
 public:
  ColorScope(ImGuiCol which, ImU32 color) { ImGui::PushStyleColor(which, color); }
  ~ColorScope() { ImGui::PopStyleColor(); }
  ColorScope(const ColorScope&) = delete;
  ColorScope& operator=(const ColorScope&) = delete;
};

/// `color` with its opacity multiplied.
ImU32 faded(ImU32 color, float opacity);

}  // namespace lanescope::view
