#include "view/theme.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Role;

ImU32 Theme::color(plot::Color color) const {
  const plot::Rgba rgba = plot::resolve(color, mode);
  return IM_COL32(rgba.red, rgba.green, rgba.blue, rgba.alpha);
}

float Theme::space(Space space) const {
  constexpr std::array<float, 5> kPoints{2, 4, 8, 12, 20};
  const float growth = 0.5f + 0.5f * text / kOrdinaryText;
  return std::round(kPoints[static_cast<size_t>(space)] * growth * scale);
}

namespace {

void set_colors(const Theme& theme, ImGuiStyle& style) {
  const auto set = [&](ImGuiCol which, Role role, float opacity = 1) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(theme.color(role, opacity));
  };
  set(ImGuiCol_Text, Role::Ink);
  set(ImGuiCol_TextDisabled, Role::Dim);
  set(ImGuiCol_WindowBg, Role::Surface);
  set(ImGuiCol_ChildBg, Role::Surface, 0);
  set(ImGuiCol_PopupBg, Role::Surface);
  set(ImGuiCol_Border, Role::Line);
  set(ImGuiCol_BorderShadow, Role::Line, 0);
  set(ImGuiCol_FrameBg, Role::Sunken);
  set(ImGuiCol_FrameBgHovered, Role::AccentSoft);
  set(ImGuiCol_FrameBgActive, Role::AccentSoft);
  set(ImGuiCol_TitleBg, Role::Surface);
  set(ImGuiCol_TitleBgActive, Role::Surface);
  set(ImGuiCol_TitleBgCollapsed, Role::Surface);
  set(ImGuiCol_MenuBarBg, Role::Surface);
  set(ImGuiCol_ScrollbarBg, Role::Surface, 0);
  set(ImGuiCol_ScrollbarGrab, Role::Line);
  set(ImGuiCol_ScrollbarGrabHovered, Role::Dim);
  set(ImGuiCol_ScrollbarGrabActive, Role::Dim);
  set(ImGuiCol_CheckMark, Role::Accent);
  set(ImGuiCol_CheckboxSelectedBg, Role::AccentSoft);
  set(ImGuiCol_SliderGrab, Role::Accent);
  set(ImGuiCol_SliderGrabActive, Role::Accent);
  set(ImGuiCol_Button, Role::Surface);
  set(ImGuiCol_ButtonHovered, Role::AccentSoft);
  set(ImGuiCol_ButtonActive, Role::AccentSoft);
  set(ImGuiCol_Header, Role::AccentSoft);
  set(ImGuiCol_HeaderHovered, Role::AccentSoft);
  set(ImGuiCol_HeaderActive, Role::AccentSoft);
  // Separators between docked panels are the gaps between cards: they show only when one drags them.
  set(ImGuiCol_Separator, Role::Line, 0);
  set(ImGuiCol_SeparatorHovered, Role::Accent, 0.5f);
  set(ImGuiCol_SeparatorActive, Role::Accent);
  set(ImGuiCol_ResizeGrip, Role::Line);
  set(ImGuiCol_ResizeGripHovered, Role::Accent);
  set(ImGuiCol_ResizeGripActive, Role::Accent);
  set(ImGuiCol_InputTextCursor, Role::Ink);
  set(ImGuiCol_TabHovered, Role::AccentSoft);
  set(ImGuiCol_Tab, Role::Surface, 0);
  set(ImGuiCol_TabSelected, Role::Surface, 0);
  set(ImGuiCol_TabSelectedOverline, Role::Surface, 0);
  set(ImGuiCol_TabDimmed, Role::Surface, 0);
  set(ImGuiCol_TabDimmedSelected, Role::Surface, 0);
  set(ImGuiCol_TabDimmedSelectedOverline, Role::Surface, 0);
  set(ImGuiCol_DockingPreview, Role::Accent, 0.4f);
  set(ImGuiCol_DockingEmptyBg, Role::Background);
  set(ImGuiCol_TableHeaderBg, Role::Surface);
  set(ImGuiCol_TableBorderStrong, Role::Line);
  set(ImGuiCol_TableBorderLight, Role::Line, 0.6f);
  set(ImGuiCol_TableRowBg, Role::Surface, 0);
  set(ImGuiCol_TableRowBgAlt, Role::Sunken);
  set(ImGuiCol_TextLink, Role::Accent);
  set(ImGuiCol_TextSelectedBg, Role::Accent, 0.35f);
  set(ImGuiCol_TreeLines, Role::Line);
  set(ImGuiCol_DragDropTarget, Role::Accent);
  set(ImGuiCol_DragDropTargetBg, Role::AccentSoft);
  set(ImGuiCol_UnsavedMarker, Role::Accent);
  set(ImGuiCol_NavCursor, Role::Accent);
  set(ImGuiCol_NavWindowingHighlight, Role::Accent);
  set(ImGuiCol_NavWindowingDimBg, Role::Background, 0.6f);
  set(ImGuiCol_ModalWindowDimBg, Role::Background, 0.7f);
}

void set_sizes(const Theme& theme, ImGuiStyle& style) {
  const float small = theme.space(Space::Small), medium = theme.space(Space::Medium);
  const float large = theme.space(Space::Large);
  const float line = theme.font_size(Face::Regular, theme.em());
  style.FontSizeBase = line;
  style._NextFrameFontSizeBase = line;
  style.WindowPadding = {large, medium};
  style.FramePadding = {medium, std::max(1.0f, (theme.control_height() - line) / 2)};
  style.CellPadding = {medium, std::round(small / 2)};
  style.ItemSpacing = {medium, small};
  style.ItemInnerSpacing = {small, small};
  style.ScrollbarSize = large;
  style.ScrollbarPadding = 3 * theme.scale;
  style.ScrollbarRounding = large;
  style.GrabMinSize = large;
  style.WindowRounding = medium;
  style.ChildRounding = small;
  style.PopupRounding = medium;
  style.FrameRounding = 6 * theme.scale;
  style.TabRounding = 0;
  style.WindowBorderSize = theme.scale;
  style.ChildBorderSize = theme.scale;
  style.PopupBorderSize = theme.scale;
  style.FrameBorderSize = theme.scale;
  style.TabBorderSize = 0;
  style.TabBarBorderSize = 0;
  style.TabBarOverlineSize = 2 * theme.scale;
  style.DockingSeparatorSize = medium;
  style.SeparatorSize = theme.scale;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.DockingNodeHasCloseButton = false;
  style.HoverDelayNormal = 0.25f;
  style.HoverDelayShort = 0.1f;
  style.HoverStationaryDelay = 0.05f;
  style.DisabledAlpha = 0.45f;
}

}  // namespace

void apply(const Theme& theme) {
  ImGuiStyle& style = ImGui::GetStyle();
  set_sizes(theme, style);
  set_colors(theme, style);
}

FaceScope::FaceScope(const Theme& theme, Face face, float relative) {
  ImGui::PushFont(theme.font(face), theme.font_size(face, theme.em(relative)));
}

ImU32 faded(ImU32 color, float opacity) {
  const ImU32 alpha = static_cast<ImU32>(static_cast<float>(color >> IM_COL32_A_SHIFT & 0xff) * opacity);
  return (color & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

}  // namespace lanescope::view
