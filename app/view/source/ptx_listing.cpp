#include "view/source/ptx_listing.h"

#include "session/opened_file.h"
#include "view/source/source_marks.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// PTX or SASS. Empty for a GPU's run, a saved trace and A, which have no choice.
std::vector<Segment> levels_of(const Context& context) {
  const session::Choices& choices = context.now.choices;
  const bool is_a = context.compared != nullptr && context.compared->side == session::Side::A;
  const bool is_trace = choices.file && choices.file->is_trace();
  if (is_a || is_trace || choices.producer == pipeline::Producer::Gpu) return {};
  return {{"ptx", std::string(context.text(Text::window_level_ptx)),
           std::string(context.text(Text::window_level_ptx_why))},
          {"sass", std::string(context.text(Text::window_level_sass)),
           std::string(context.text(Text::window_level_sass_why))}};
}

}  // namespace

void PtxListing::read(const std::string& ptx, const std::string& source) {
  if (text_ == ptx && source_ == source) return;
  if (text_ != ptx) lines_ = read_listing(text_ = ptx, Syntax::Ptx);
  source_ = source;
  source_line_of_ = source_lines_of_ptx(text_, source_);
  scrolled_to_ = 0;
}

/// The choice whose accesses are counted, up to its right end.
void PtxListing::draw_level(const Context& context, ImVec2 right_top) {
  const std::vector<Segment> levels = levels_of(context);
  if (levels.empty()) return;
  ImGui::SetCursorScreenPos({right_top.x - segments_width(context.theme, levels), right_top.y});
  const int pressed =
      segments(context.theme, "count_level", levels, static_cast<int>(context.now.choices.level));
  if (pressed >= 0) context.post(session::SetLevel{static_cast<trace::CountLevel>(pressed)});
}

/// Title, the level, and the choice between the line's instructions and all: in two rows where the title
/// does not fit beside the choices.
void PtxListing::draw_header(const Context& context, int line) {
  const Theme& theme = context.theme;
  const float margin = theme.space(Space::Large), head = theme.control_height();
  const ImVec2 start = ImGui::GetCursorScreenPos() + ImVec2(margin, 0);
  const std::string title = extent_ == Extent::Whole || line == 0
                                ? std::string(context.text(Text::window_ptx))
                                : context.phrase(Text::window_ptx_of_line, line);
  const std::vector<Segment> extents{{"line", std::string(context.text(Text::window_ptx_line)), ""},
                                     {"whole", std::string(context.text(Text::window_ptx_whole)), ""}};
  const float left =
      start.x - margin + ImGui::GetContentRegionAvail().x - segments_width(theme, extents) - margin;
  const float levels_right = left - theme.space(Space::Medium);
  const bool fits =
      start.x + text_width(theme, Face::Strong, kSmallText, title) + theme.space(Space::Medium) <=
      levels_right - segments_width(theme, levels_of(context));
  const float title_height = fits ? head : code_line_height(theme);
  draw_text(theme, *ImGui::GetWindowDrawList(), {start.x, start.y + title_height / 2},
            {Face::Strong, kSmallText, Color::of(Role::Dim)}, title);
  const float top = fits ? start.y : start.y + title_height;
  draw_level(context, {levels_right, top});
  ImGui::SetCursorScreenPos({left, top});
  const int pressed = segments(theme, "ptx_extent", extents, static_cast<int>(extent_));
  if (pressed >= 0) {
    extent_ = static_cast<Extent>(pressed);
    scrolled_to_ = 0;
  }
  ImGui::SetCursorScreenPos({start.x - margin, top + head + theme.space(Space::Hair)});
}

/// Lines of the PTX from 0: all, or those of this line of the source.
std::vector<int> PtxListing::rows_of(int line) const {
  std::vector<int> rows;
  for (int row = 0; row < static_cast<int>(lines_.size()); ++row)
    if (extent_ == Extent::Whole || (line != 0 && source_line_of_[static_cast<size_t>(row)] == line))
      rows.push_back(row);
  return rows;
}

void PtxListing::draw_row(const Context& context, int row, int current, int line) {
  const Theme& theme = context.theme;
  const ListingLine& code = lines_[static_cast<size_t>(row)];
  const int source_line = source_line_of_[static_cast<size_t>(row)];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = code_line_height(theme);
  const float left = at.x + theme.space(Space::Large), middle = at.y + height / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool is_current = row + 1 == current;
  if (is_current || (extent_ == Extent::Whole && line != 0 && source_line == line))
    list.AddRectFilled(at, at + ImVec2(width, height), theme.color(Role::AccentSoft));
  if (is_current) list.AddRectFilled(at, at + ImVec2(3 * theme.scale, height), theme.color(Role::Accent));
  draw_code(theme, list, {left, middle}, code);
  if (is_current)
    draw_text(theme, list, {left + code_width(theme, {code}) + theme.em(1), middle},
              {Face::Strong, kSmallText, Color::of(Role::Accent)}, context.text(Text::window_this_access));
  ImGui::PushID(row);
  ImGui::InvisibleButton("instruction", {std::max(width, 1.0f), height});
  ImGui::PopID();
  if (!ImGui::IsItemHovered() || source_line == 0) return;
  hovered_ = source_line;
  tooltip(theme, context.phrase(Text::window_ptx_hover, row + 1, source_line, file_name(source_)));
}

void PtxListing::draw_rows(const Context& context, int line, bool is_hovered) {
  const trace::Trace& trace = *context.now.run->trace;
  const auto& access = context.now.selection.current;
  const size_t site = access ? access->traced.access.site.value : trace.sites.size();
  const int current = site < trace.sites.size() ? trace.sites[site].ptx_line : 0;
  const std::vector<int> rows = rows_of(line);
  if (ImGui::BeginChild("ptx", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    const float height = code_line_height(context.theme);
    // Of all instructions those of the line under the pointer are brought into view.
    const auto of_line = std::ranges::find_if(
        rows, [&](int row) { return source_line_of_[static_cast<size_t>(row)] == line; });
    const bool follows_line = extent_ == Extent::Whole && is_hovered && of_line != rows.end();
    const auto row = follows_line ? of_line : std::ranges::find(rows, current - 1);
    const int wanted = row == rows.end() ? 0 : *row + 1;
    if (wanted != 0 && wanted != scrolled_to_) {
      scrolled_to_ = wanted;
      const float y = static_cast<float>(row - rows.begin()) * height;
      // The first visible line is whole.
      const float above = std::floor((ImGui::GetWindowHeight() / 2) / height) * height;
      ImGui::SetScrollY(std::max(0.0f, y - above));
    }
    if (rows.empty() && line != 0)
      paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
                "  " + std::string(context.text(Text::window_ptx_none_here)));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), height);
    while (clipper.Step())
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n)
        draw_row(context, rows[static_cast<size_t>(n)], current, line);
  }
  ImGui::EndChild();
}

int PtxListing::draw(const Context& context, int line, bool is_hovered) {
  hovered_ = 0;
  draw_header(context, line);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const pipeline::Run& run = *context.now.run;
  if (pipeline::counted_machine(run) == nullptr) {
    draw_rows(context, line, is_hovered);
  } else {
    const float half = ImGui::GetContentRegionAvail().x / 2;
    if (ImGui::BeginChild("of_ptx", {half, 0})) draw_rows(context, line, is_hovered);
    ImGui::EndChild();
    ImGui::SameLine();
    if (ImGui::BeginChild("of_sass", {0, 0})) {
      sass_.read(run.machine);
      const int source_line = sass_.draw(context, source_line_of_, extent_ == Extent::Whole ? 0 : line);
      if (source_line != 0) hovered_ = source_line;
    }
    ImGui::EndChild();
  }
  ImGui::PopStyleVar(2);
  return hovered_;
}

}  // namespace lanescope::view
