// The line on top of a panel: what it shows, of which place, and where its numbers come from. In a docked
// panel it is drawn next to the tabs, which are the titles; elsewhere it is a separate line.

#pragma once

#include "view/context.h"

#include <optional>

namespace lanescope::view {

struct HeaderText {
  std::string_view title = {};     // shown where there is no tab; empty: the panel's
  std::string_view number = {};    // of a side that is compared, where the panel has no room for it
  std::string_view subtitle = {};  // cut if it is too long; the whole of it in a tooltip
  std::optional<Provenance> provenance = std::nullopt;
  std::string_view source = {};  // tooltip of the badge
};

/// Draws the header of the current panel, and moves the cursor below it.
void draw_header(const Context& context, const HeaderText& text = {});

/// Whether the panel needs the accesses of all blocks.
bool needs_all_blocks(PanelId panel);

/// Whether `context.panel` shows a run that did not end: its header says so.
bool is_of_stopped_run(const Context& context);

}  // namespace lanescope::view
