// The first row of a table, whose cells have names for who hears them. Test: tests/gui/keyboard_test.cpp

#pragma once

#include "view/control_name.h"
#include "view/imgui.h"

namespace lanescope::view {

/// Draws the titles of the columns, as ImGui::TableHeadersRow() does.
inline void draw_table_headers() {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers, ImGui::TableGetHeaderRowHeight());
  for (int column = 0; column < ImGui::TableGetColumnCount(); ++column) {
    if (!ImGui::TableSetColumnIndex(column)) continue;
    const char* const title = ImGui::TableGetColumnName(column);
    ImGui::TableHeader(title);
    name_control(title);
  }
}

}  // namespace lanescope::view
