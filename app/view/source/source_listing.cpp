#include "view/source/source_listing.h"

#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

void SourceListing::read(const std::string& text, Syntax syntax) {
  if (text_ == text && syntax_ == syntax && !lines_.empty()) return;
  text_ = text;
  syntax_ = syntax;
  lines_ = read_listing(text_, syntax);
  columns_ = 0;
  scrolled_to_ = 0;
  is_new_ = true;
}

void SourceListing::wrap(const Theme& theme, float room) {
  const auto columns = static_cast<size_t>(std::max(room / code_advance(theme), 1.0f));
  if (columns == columns_) return;
  columns_ = columns;
  rows_ = code_rows(lines_, columns);
}

size_t SourceListing::first_row_of(int line) const {
  const auto row = std::ranges::lower_bound(rows_, line - 1, {}, &CodeRow::line);
  return static_cast<size_t>(row - rows_.begin());
}

/// Also where another size of the panel or of the text may have put the line out of sight.
void SourceListing::scroll(const Theme& theme, int current) {
  const float height = code_line_height(theme), view = ImGui::GetWindowHeight();
  const bool is_resized = std::exchange(seen_height_, view / height) != view / height;
  const bool is_other = current != scrolled_to_ || is_resized;
  const bool is_new = std::exchange(is_new_, false);
  const int line = wanted_ ? *wanted_ : is_other && current != 0 ? current : is_new ? 1 : 0;
  if (line == 0) return;
  const auto first = static_cast<float>(first_row_of(line)), end = static_cast<float>(first_row_of(line + 1));
  const float top = ImGui::GetScrollY();
  if (first * height < top + height || (end + 1) * height > top + view)
    ImGui::SetScrollY(std::max(0.0f, std::floor(first - view / height / 2) * height));
  wanted_.reset();
  scrolled_to_ = current;
}

void SourceListing::draw_row(const Context& context, const SourceMarks& marks, const CodeRow& row, int marked,
                             Pointer& pointer) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const int line = row.line + 1;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = code_line_height(theme), middle = at.y + height / 2;
  const bool is_first = row.begin == 0;
  const auto error = marks.errors.find(line), hazard = marks.hazards.find(line);
  const bool has_error = error != marks.errors.end(), has_hazard = hazard != marks.hazards.end();
  const bool is_current = line == marks.current;
  if (has_error)
    list.AddRectFilled(at, at + ImVec2(width_, height), theme.color(Role::Bad, 0.16f));
  else if (is_current || line == marks.hinted || line == marked)
    list.AddRectFilled(at, at + ImVec2(width_, height), theme.color(Role::AccentSoft));
  if (is_current)
    list.AddRectFilled(at, at + ImVec2(3 * theme.scale, height),
                       theme.color(has_error ? Role::Bad : Role::Accent));
  const float gap = theme.space(Space::Large), price_right = at.x + code_left_ - gap;
  static const Price kNone;
  const bool has_price = marks.prices != nullptr && static_cast<size_t>(line) <= marks.prices->size();
  const Price& price = has_price ? (*marks.prices)[static_cast<size_t>(line) - 1] : kNone;
  if (is_first) {
    const Role ink = has_error || has_hazard ? Role::Bad : is_current ? Role::Ink : Role::Dim;
    const std::string number = std::to_string(line);
    const float right = at.x + theme.em(2);
    draw_text(theme, list, {right - text_width(theme, Face::Mono, kSmallText, number), middle},
              {Face::Mono, kSmallText, Color::of(ink)}, number);
    draw_price(theme, list, {price_right, middle}, price);
  }
  const ListingLine& code = lines_[static_cast<size_t>(row.line)];
  draw_code(theme, list, {at.x + code_left_, middle}, code, row);
  if (has_error && row.end == code.text.size())
    draw_text(theme, list, {at.x + code_left_ + row_width(theme, code, row) + theme.em(1.5f), middle},
              {Face::Strong, kSmallText, Color::of(Role::Bad)}, error->second);
  ImGui::PushID(line);
  const std::string name = is_first ? "line" : fmt::format("from{}", row.begin);
  if (ImGui::InvisibleButton(name.c_str(), {width_, height})) pointer.clicked = line;
  if (ImGui::IsItemHovered()) {
    pointer.hovered = line;
    if (has_error) tooltip(theme, error->second);
    if (has_hazard) tooltip(theme, hazard->second);
    const bool is_over_price = ImGui::GetIO().MousePos.x < at.x + code_left_;
    if (is_over_price && !price.tip.empty()) tooltip(theme, price.tip);
  }
  ImGui::PopID();
}

SourceListing::Pointer SourceListing::draw(const Context& context, const SourceMarks& marks,
                                           float width_of_prices, int marked, ImVec2 size) {
  const Theme& theme = context.theme;
  Pointer pointer;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Sunken));
  if (ImGui::BeginChild("source", size)) {
    const float height = code_line_height(theme);
    // Room for the bar is kept, so that rows are not cut anew when it appears.
    width_ = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
    code_left_ = theme.em(2) + width_of_prices + theme.space(Space::Large);
    wrap(theme, width_ - code_left_ - theme.space(Space::Small));
    scroll(theme, marks.current);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), height);
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        draw_row(context, marks, rows_[static_cast<size_t>(row)], marked, pointer);
    const auto row_at = [&](float y) {
      const auto row = static_cast<size_t>(std::max(y / height, 0.0f));
      return rows_.empty() ? 0 : rows_[std::min(row, rows_.size() - 1)].line + 1;
    };
    const float top = ImGui::GetScrollY();
    seen_ = {row_at(std::ceil(top / height) * height), row_at(top + ImGui::GetWindowHeight() - height)};
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return pointer;
}

}  // namespace lanescope::view
