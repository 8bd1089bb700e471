// What a lecture means for the panels of the window: which are in sight, which the sentence is about.
// Tests: tests/gui/lecture_bar_test.cpp

#pragma once

#include "session/lecture_state.h"
#include "session/snapshot.h"
#include "view/imgui.h"
#include "view/panel_table.h"

#include <vector>

namespace lanescope::view {

/// The lecture whose step is shown, also where its toggles were changed since; null where the panels are
/// those of the lesson.
const lesson::Lecture* shown_lecture(const session::Snapshot& now);

/// Whether a lesson or a lecture has kernels that are wrong on purpose: it leaves the room of the banner free
/// for the right ones.
bool expects_errors(const session::Snapshot& now);

/// The panels that the sentence of the lecture is about; none where no lecture is open.
std::vector<PanelId> looked_at(const session::Snapshot& now);
/// Whether one of them is in front in this dock.
bool is_looked_at(const session::Snapshot& now, const ImGuiDockNode& node);

}  // namespace lanescope::view
