// The instructions that the selected warp executed, in order, and its registers after the selected one: what
// it changed, from which value to which, in which lanes. Steps forwards and backwards. Test:
// tests/gui/registers_test.cpp

#include "session/register_row.h"
#include "trace/history.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/stepping.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using session::RegisterRow;
using session::Step;
using session::StepInstruction;

namespace {

class RegistersPanel : public Panel {
 public:
  void draw(const Context& context) override;

 private:
  void draw_controls(const Context& context);
  void draw_instructions(const Context& context, ImVec2 size);
  void draw_instruction(const Context& context, uint32_t index, float height);
  void draw_registers(const Context& context, ImVec2 size);
  void draw_lanes(const Context& context, const session::RegisterRow& row, float cell);
  int shown_lane(const Context& context) const;
  const session::RegisterRow* shown_register(const Context& context) const;

  int lane_ = 0;
  std::string chosen_;  // register whose lanes are shown; empty, or not there: the first
  HistoryRequest request_;
  std::optional<uint32_t> scrolled_to_;
};

constexpr std::string_view kNothing = "–";

float row_height(const Theme& theme) { return std::round(theme.em(kSmallText) * 1.5f); }

/// A bar of 32 lanes: those that executed, and those that were predicated off.
void draw_mask(const Theme& theme, ImDrawList& list, ImVec2 corner, float height,
               const trace::History::Entry& entry) {
  const float lane_width = std::round(2 * theme.scale);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!entry.active.test(lane)) continue;
    const float x = corner.x + static_cast<float>(lane) * lane_width;
    const float inset = std::round(height * (entry.lanes.test(lane) ? 0.25f : 0.42f));
    list.AddRectFilled({x, corner.y + inset}, {x + lane_width, corner.y + height - inset},
                       theme.color(entry.lanes.test(lane) ? Role::Accent : Role::Dim));
  }
}
float mask_width(const Theme& theme) { return kLanes * std::round(2 * theme.scale); }

/// "5 → 6", or the value alone where there was none before or the instruction left it as it was.
std::string value_in(const RegisterRow& row, int lane) {
  const auto at = static_cast<size_t>(lane);
  if (!row.written.test(lane)) return std::string(kNothing);
  if (!row.changed.test(lane) || row.before[at].empty()) return row.after[at];
  return row.before[at] + " → " + row.after[at];
}

constexpr float kLaneNumber = 2;  // em

/// A lane's number, its value and the gap after it.
float cell_width(const Theme& theme, const RegisterRow& row) {
  float value = theme.em(2);
  for (int lane = 0; lane < kLanes; ++lane)
    value = std::max(value, text_width(theme, Face::Mono, kSmallText, value_in(row, lane)));
  return value + theme.em(kLaneNumber) + theme.space(Space::Large);
}

/// The 32 lanes in columns: as many as fit, at most eight.
int rows_of_lanes(float cell, float room) {
  int columns = 1;
  while (columns < 8 && static_cast<float>(2 * columns) * cell <= room) columns *= 2;
  return kLanes / columns;
}

/// A heading above a list.
void draw_title(const Context& context, ImVec2 at, std::string_view title, float room) {
  const Theme& theme = context.theme;
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + row_height(theme) / 2},
            {Face::Strong, kSmallText, Color::of(Role::Dim)}, title, room);
}

void number_chooser(const Context& context, int& number) {
  const Theme& theme = context.theme;
  ImGui::BeginDisabled(number == 0);
  if (icon_button(theme, "lane_down", Icon::Minus, context.text(Text::window_lane_down))) --number;
  ImGui::EndDisabled();
  ImGui::SameLine(0, 0);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const std::string text = std::to_string(number);
  const float width = theme.em(1.8f);
  draw_text(theme, *ImGui::GetWindowDrawList(),
            {corner.x + (width - text_width(theme, Face::Strong, 1, text)) / 2,
             corner.y + theme.control_height() / 2},
            {Face::Strong, 1, Color::of(Role::Ink)}, text);
  ImGui::Dummy({width, theme.control_height()});
  ImGui::SameLine(0, 0);
  ImGui::BeginDisabled(number + 1 >= kLanes);
  if (icon_button(theme, "lane_up", Icon::Plus, context.text(Text::window_lane_up))) ++number;
  ImGui::EndDisabled();
}

}  // namespace

/// The lane under the pointer, in whichever panel; else the pinned one, else the chosen one.
int RegistersPanel::shown_lane(const Context& context) const {
  for (const LaneMask lanes : {context.highlight.lanes, context.highlight.pinned})
    if (lanes.count() == 1) return std::countr_zero(lanes.bits);
  return lane_;
}

const RegisterRow* RegistersPanel::shown_register(const Context& context) const {
  if (!context.now.history.registers || context.now.history.registers->empty()) return nullptr;
  const auto& rows = *context.now.history.registers;
  const auto found = std::ranges::find(rows, chosen_, &RegisterRow::name);
  return found != rows.end() ? &*found : &rows.front();
}

void RegistersPanel::draw_controls(const Context& context) {
  const Theme& theme = context.theme;
  const auto button = [&](const char* id, Icon icon, Text tip, Step::To to) {
    if (icon_button(theme, id, icon, context.text(tip))) {
      chosen_.clear();
      context.post(StepInstruction{to});
    }
    ImGui::SameLine(0, theme.space(Space::Hair));
  };
  button("instruction_first", Icon::First, Text::window_instruction_first, Step::To::First);
  button("instruction_previous", Icon::Previous, Text::window_instruction_previous, Step::To::Previous);
  button("instruction_next", Icon::Next, Text::window_instruction_next, Step::To::Next);
  button("instruction_last", Icon::Last, Text::window_instruction_last, Step::To::Last);
  ImGui::SameLine(0, theme.space(Space::Large));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string_view lane = context.text(Text::figure_lane);
  const float width = text_width(theme, Face::Regular, kSmallText, lane);
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Regular, kSmallText, Color::of(Role::Dim)}, lane);
  ImGui::Dummy({width, theme.control_height()});
  ImGui::SameLine(0, theme.space(Space::Small));
  number_chooser(context, lane_);
}

void RegistersPanel::draw_instruction(const Context& context, uint32_t index, float height) {
  const Theme& theme = context.theme;
  const trace::History& history = *context.now.history.recorded;
  const trace::History::Entry& entry = history.entries[index];
  const trace::History::Instruction& instruction = history.instructions[entry.instruction];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, middle = at.y + height / 2;
  const bool current = index == context.now.history.instruction;
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("instruction", {width, height})) {
    chosen_.clear();
    context.post(session::SelectInstruction{index});
  }
  ImGui::PopID();
  const bool hovered = ImGui::IsItemHovered();
  if (current || hovered)
    list.AddRectFilled(at, at + ImVec2(width, height), theme.color(Role::AccentSoft, current ? 1 : 0.5f));
  if (current) list.AddRectFilled(at, at + ImVec2(3 * theme.scale, height), theme.color(Role::Accent));
  const std::string line = std::to_string(instruction.ptx_line);
  const float line_right = at.x + theme.em(2.9f);
  draw_text(theme, list, {line_right - text_width(theme, Face::Mono, kSmallText, line), middle},
            {Face::Mono, kSmallText, Color::of(current ? Role::Ink : Role::Dim)}, line);
  const float mask_left = line_right + theme.space(Space::Medium);
  draw_mask(theme, list, {mask_left, at.y}, height, entry);
  const float text_left = mask_left + mask_width(theme) + theme.space(Space::Medium);
  const float room = at.x + width - text_left;
  const TextStyle style{Face::Mono, kSmallText, Color::of(entry.lanes.any() ? Role::Ink : Role::Dim)};
  draw_text(theme, list, {text_left, middle}, style, instruction.ptx_text, room);
  if (hovered) {
    tooltip(theme, context.phrase(Text::window_instruction_tip, instruction.ptx_text, instruction.ptx_line,
                                  instruction.source.line, entry.lanes.count(), entry.active.count()));
  }
}

void RegistersPanel::draw_instructions(const Context& context, ImVec2 size) {
  const Theme& theme = context.theme;
  const float height = row_height(theme);
  if (ImGui::BeginChild("instructions", size, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    const uint32_t current = context.now.history.instruction;
    if (scrolled_to_ != current) {
      const float y = static_cast<float>(current) * height;
      const float top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight();
      if (y < top + height || y > top + view - 3 * height)
        ImGui::SetScrollY(std::max(0.0f, std::round((y - view / 3) / height) * height));
      scrolled_to_ = current;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(context.now.history.recorded->entries.size()), height);
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        draw_instruction(context, static_cast<uint32_t>(row), height);
  }
  ImGui::EndChild();
}

void RegistersPanel::draw_registers(const Context& context, ImVec2 size) {
  const Theme& theme = context.theme;
  const auto& rows = *context.now.history.registers;
  const int lane = shown_lane(context);
  const RegisterRow* shown = shown_register(context);
  const float height = row_height(theme);
  float names = theme.em(3);
  for (const RegisterRow& row : rows)
    names = std::max(names, text_width(theme, Face::Mono, kSmallText, row.name));
  if (ImGui::BeginChild("registers", size, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), height);
    while (clipper.Step()) {
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
        const RegisterRow& row = rows[static_cast<size_t>(n)];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = ImGui::GetContentRegionAvail().x, middle = at.y + height / 2;
        if (ImGui::InvisibleButton(row.name.c_str(), {width, height})) chosen_ = row.name;
        if (&row == shown || ImGui::IsItemHovered())
          list.AddRectFilled(at, at + ImVec2(width, height),
                             theme.color(Role::AccentSoft, &row == shown ? 1 : 0.5f));
        const bool changed = row.changed.test(lane);
        const float left = at.x + theme.space(Space::Small);
        draw_text(theme, list, {left, middle},
                  {Face::Mono, kSmallText, Color::of(row.changed.any() ? Role::Accent : Role::Dim)},
                  row.name);
        const float value = left + names + theme.space(Space::Large);
        draw_text(theme, list, {value, middle},
                  {Face::Mono, kSmallText, Color::of(changed ? Role::Accent : Role::Ink)},
                  value_in(row, lane), at.x + width - value);
      }
    }
  }
  ImGui::EndChild();
}

/// The register in all lanes, in as many columns as have room.
void RegistersPanel::draw_lanes(const Context& context, const RegisterRow& row, float cell) {
  const Theme& theme = context.theme;
  const float height = row_height(theme), gap = theme.space(Space::Large);
  draw_title(context, ImGui::GetCursorScreenPos(), context.phrase(Text::window_register_lanes, row.name),
             ImGui::GetContentRegionAvail().x);
  ImGui::Dummy({1, height});
  if (ImGui::BeginChild("lanes", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    ImDrawList& inner = *ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const int rows = rows_of_lanes(cell, ImGui::GetContentRegionAvail().x);
    const int shown = shown_lane(context);
    for (int lane = 0; lane < kLanes; ++lane) {
      const ImVec2 at =
          start + ImVec2(static_cast<float>(lane / rows) * cell, static_cast<float>(lane % rows) * height);
      ImGui::SetCursorScreenPos(at);
      ImGui::PushID(lane);
      if (ImGui::InvisibleButton("lane", {cell - gap, height})) lane_ = lane;
      ImGui::PopID();
      if (ImGui::IsItemHovered()) context.hovered.lanes = LaneMask{1u << lane};
      if (lane == shown)
        inner.AddRectFilled(at, at + ImVec2(cell - gap, height), theme.color(Role::AccentSoft));
      const std::string text = std::to_string(lane);
      const float right = at.x + theme.em(1.5f), middle = at.y + height / 2;
      draw_text(theme, inner, {right - text_width(theme, Face::Mono, kSmallText, text), middle},
                {Face::Mono, kSmallText, Color::of(Role::Dim)}, text);
      draw_text(theme, inner, {at.x + theme.em(kLaneNumber), middle},
                {Face::Mono, kSmallText, Color::of(row.changed.test(lane) ? Role::Accent : Role::Ink)},
                value_in(row, lane));
    }
  }
  ImGui::EndChild();
}

void RegistersPanel::draw(const Context& context) {
  if (draw_no_run(context)) return;
  if (draw_not_saved(context, Text::window_trace_no_history, Text::window_trace_no_buffers_why)) return;
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  const Dim3 block = position_of(now.selection.cta.value, now.run->trace->grid);
  std::string subtitle = context.phrase(Text::window_warp_of, now.selection.warp.value, block.x, block.y);
  if (now.history.recorded)
    subtitle += " · " + context.phrase(now.history.recorded->is_cut ? Text::window_instruction_of_more
                                                                    : Text::window_instruction_of,
                                       now.history.instruction + 1, now.history.recorded->entries.size());
  draw_header(context, {.subtitle = subtitle,
                        .provenance = Provenance::Emulated,
                        .source = context.text(Text::window_registers_source)});
  if (!now.history.recorded || !now.history.registers) {
    request_.keep(context);
    scrolled_to_.reset();
    empty_state(theme, context.text(now.error ? Text::window_no_run : Text::window_working),
                context.text(now.error ? Text::window_see_error : Text::window_working_on));
    return;
  }
  draw_controls(context);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(theme.space(Space::Medium), 0));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float titles = row_height(theme);
  const RegisterRow* row = shown_register(context);
  const float cell = row == nullptr ? 0 : cell_width(theme, *row);
  const int lane_rows = row == nullptr ? 0 : rows_of_lanes(cell, room.x);
  const float lanes = std::round(std::min(
      room.y * 0.5f, titles + static_cast<float>(lane_rows) * row_height(theme) + theme.space(Space::Small)));
  const float lists = room.y - titles - lanes - theme.space(Space::Medium);
  const float left = std::round(room.x * 0.58f), right = left + theme.space(Space::Medium);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  draw_title(context, corner, context.text(Text::window_instructions_of_lanes), left);
  draw_title(context, corner + ImVec2(right + theme.space(Space::Small), 0),
             context.phrase(Text::window_registers_of_lane, shown_lane(context)), room.x - right);
  ImGui::Dummy({1, titles});
  draw_instructions(context, {left, lists});
  ImGui::SameLine();
  draw_registers(context, {0, lists});
  gap(theme, Space::Medium);
  if (row != nullptr) draw_lanes(context, *row, cell);
  ImGui::PopStyleVar();
}

std::unique_ptr<Panel> make_registers_panel() { return std::make_unique<RegistersPanel>(); }

}  // namespace lanescope::view
