// What all dialogs of the window share: place, flags, and how one leaves them.

#pragma once

#include "view/theme.h"

#include <filesystem>

namespace lanescope::view {

/// Centers the next window, `ems` wide where the window has the room.
void center_next_window(const Theme& theme, float ems);

inline constexpr ImGuiWindowFlags kDialogFlags = ImGuiWindowFlags_NoDecoration |
                                                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                                                 ImGuiWindowFlags_NoSavedSettings;

/// Escape, or a press of the mouse outside the dialog.
bool wants_to_leave();

/// The path, or one with a number after its name, where no file is yet; absolute, so that its folder is seen.
std::filesystem::path free_place(const std::filesystem::path& wanted);

}  // namespace lanescope::view
