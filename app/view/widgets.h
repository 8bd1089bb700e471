// The few controls of the window, drawn in the theme: text, badge, segments, icon buttons, the
// states of a panel that has nothing to show. Each is an item of Dear ImGui with a name, so that tests press
// what the user presses.

#pragma once

#include "base/provenance.h"
#include "view/context.h"

#include <optional>
#include <span>
#include <string>

namespace lanescope::view {

/// Pixels of `text` in `face` at `relative` times the ordinary size.
float text_width(const Theme& theme, Face face, float relative, std::string_view text);

/// Draws text whose line box is centered on `middle`. Returns where it ends. Ends in an ellipsis if it is
/// wider than `room`.
struct TextStyle {
  Face face = Face::Regular;
  float relative = 1;
  plot::Color color = plot::Color::of(plot::Role::Ink);
};
float draw_text(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const TextStyle& style,
                std::string_view text, float room = 1e9f);

/// Empty height between two rows.
void gap(const Theme& theme, Space space);

inline constexpr float kLineSpacing = 1.42f;  // of prose, in ems

/// Wrapped text at the cursor with the line spacing of prose. Returns its height.
float paragraph(const Theme& theme, const TextStyle& style, std::string_view text);
/// Height that `paragraph` takes in `width` pixels.
float paragraph_height(const Theme& theme, const TextStyle& style, std::string_view text, float width);

/// "EMULATED": where a number comes from, or `more` in its place, as "emulated in 56 ms". Draws at
/// `right_middle`, growing to the left; where `room` is too narrow its first letter alone, or a dot of its
/// color. Returns its rectangle.
ImRect draw_badge(const Context& context, ImDrawList& list, ImVec2 right_middle, Provenance provenance,
                  std::string_view more = {}, float room = FLT_MAX);

/// What a badge means.
Text tip_of(Provenance provenance);

/// One choice of several, as buttons side by side.
struct Segment {
  std::string id;
  std::string label;
  std::string tip;
};
/// Index of the segment that was pressed, or -1. `group`: the words before them, for who hears them.
int segments(const Theme& theme, const char* id, std::span<const Segment> choices, int selected,
             std::string_view group = {});
float segments_width(const Theme& theme, std::span<const Segment> choices);

enum class Icon {
  First,
  Previous,
  Play,
  Pause,
  Next,
  Last,
  Up,
  Down,
  Light,
  Dark,
  Minus,
  Plus,
  Open,
  Check,
  Cross,
  Shown,   // an eye
  Hidden,  // a closed one
  Swap
};

/// Rounded buttons side by side at the cursor, in as many rows as they need.
class Pills {
 public:
  explicit Pills(const Theme& theme);
  /// Whether it was pressed. `mark` stands before the label.
  bool add(const char* id, std::string_view label, plot::Role fill, plot::Role ink,
           std::optional<Icon> mark = std::nullopt);
  /// Moves the cursor below the last row.
  void finish();

 private:
  const Theme& theme_;
  ImVec2 at_;
  float left_, end_, height_;
};

enum class Weight { Plain, Strong };  // Strong: on the accent color
bool icon_button(const Theme& theme, const char* id, Icon icon, std::string_view tip,
                 Weight weight = Weight::Plain);
void draw_icon(ImDrawList& list, ImRect box, Icon icon, ImU32 color);

/// A button with a label; `Strong` for the one that a dialog is about.
bool text_button(const Theme& theme, const char* id, std::string_view label, Weight weight = Weight::Plain);

/// A line of text to edit, `width` pixels wide; `wrong` marks it. Returns whether it was changed and left, or
/// Enter was pressed.
bool text_field(const Theme& theme, const char* id, std::string& text, float width, bool wrong = false,
                std::string_view tip = {});

/// A bar across the room, filled to `share`, from 0 to 1.
void progress_bar(const Theme& theme, float share);

/// What a panel says when it has nothing to show: why, and what to do. Returns whether the button was
/// pressed.
bool empty_state(const Theme& theme, std::string_view why, std::string_view what_to_do,
                 std::string_view button = {});

void tooltip(const Theme& theme, std::string_view text);

/// A row of a list or a menu, as ImGui::MenuItem().
bool menu_item(const char* label, const char* keys = nullptr, bool is_chosen = false, bool is_enabled = true);

/// The popup of this name as a list of rows, each as high as a finger needs where fingers press. Whether it
/// is open; then end_list() ends it.
bool begin_list(const Theme& theme, const std::string& popup);
/// The same, opened by the right button of the mouse over this window.
bool begin_context_list(const Theme& theme, const std::string& popup);
void end_list();

/// A word on the upper edge of a card, `left` pixels from its corner. Returns where it ends.
float draw_bubble(const Theme& theme, ImVec2 corner, float left, std::string_view label);

}  // namespace lanescope::view
