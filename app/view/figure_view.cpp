#include "view/figure_view.h"

#include "plot/difference.h"
#include "plot/map_part.h"
#include "view/figure_marks.h"
#include "view/panel_header.h"
#include "view/stepping.h"
#include "view/toggles.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr float kHeadlineValue = 1.9f;  // of the ordinary text
constexpr float kHeadlineRow = 3.5f;    // ems from one headline to the next
constexpr float kLeastHeadlineRow = 2.9f;
constexpr float kHighCaption = 24;  // ems of a figure that leaves room for twice the lines
constexpr float kVeil = 0.1f;       // over all but the current access; more leaves no text at 4.5 : 1

/// How the text around a figure looks.
struct Captions {
  TextStyle explanation;
  float label;     // of a headline, to the ordinary text
  int most_lines;  // of an explanation
};

/// A class reads the explanation as the caption of the figure.
Captions captions_for(const Theme& theme) {
  if (theme.audience == Audience::Room)
    return {.explanation = {Face::Regular, 1.1f, Color::of(Role::Ink)}, .label = 1, .most_lines = 3};
  return {
      .explanation = {Face::Regular, kSmallText, Color::of(Role::Dim)}, .label = kSmallText, .most_lines = 4};
}

/// `text`, or its first clauses that `fits` has room for: a class reads no half of a sentence.
std::string whole_clauses(std::string text, const std::function<bool(const std::string&)>& fits) {
  while (!fits(text)) {
    size_t end = std::string::npos;
    for (const char* mark : {"; ", ". "})
      if (const size_t at = text.rfind(mark);
          at != std::string::npos && (end == std::string::npos || at > end))
        end = at;
    if (end == std::string::npos) return text;
    text.resize(end);
    constexpr std::string_view kNoBreak = "\u00a0", kNarrowNoBreak = "\u202f";  // before a French mark
    for (const std::string_view space : {kNoBreak, kNarrowNoBreak})
      if (text.ends_with(space)) text.resize(text.size() - space.size());
    text += '.';
  }
  return text;
}

/// A has the settings that it was pinned with, and B's figure is to be as high as A's. A class has no keys.
bool has_hints(const Context& context) {
  return context.compared == nullptr && context.theme.audience == Audience::Reader &&
         any_applies(context, hints(context));
}

/// Whether the button that is let go of moved what is under the pointer.
bool was_dragged() {
  const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 4);
  return moved.x != 0 || moved.y != 0;
}

/// How headline `n` compares with A's; empty outside of a comparison.
std::string difference(const Context& context, const plot::Figure& figure, size_t n) {
  const Compared* compared = context.compared;
  if (compared == nullptr || compared->side == session::Side::A || compared->other == nullptr ||
      !compared->is_fair)
    return {};
  return plot::difference_text(context.language(), figure.headlines, n, compared->other->headlines);
}

/// The room of headlines, each with a note of how it compares with `in_a`, which may be null.
float width_of(const Context& context, const plot::Figure& figure, const plot::Figure* in_a) {
  const Theme& theme = context.theme;
  float width = 0;
  for (size_t n = 0; n < figure.headlines.size(); ++n) {
    const plot::Headline& headline = figure.headlines[n];
    const float value = text_width(theme, Face::Strong, kHeadlineValue, headline.value);
    const std::string note =
        in_a == nullptr ? ""
                        : plot::difference_text(context.language(), figure.headlines, n, in_a->headlines);
    width = std::max(
        {width,
         note.empty() ? value
                      : value + theme.space(Space::Small) + text_width(theme, Face::Strong, kSmallText, note),
         text_width(theme, Face::Regular, captions_for(theme).label, headline.label)});
  }
  // One width for all accesses of a panel: figures must not jump while stepping.
  return width == 0 ? 0 : std::max(width, theme.em(5.5f)) + theme.space(Space::Huge);
}

/// "32 wavefronts, 32x fewer": the first headline in words, of a side that is compared and has no room for
/// it.
std::string number_of(const Context& context, const plot::Figure& figure) {
  if (context.compared == nullptr || figure.headlines.empty()) return {};
  const std::string note = difference(context, figure, 0), number = figure.headlines[0].value;
  return fmt::format("{} {}{}{}", number, figure.headlines[0].label, note.empty() ? "" : ", ", note);
}

}  // namespace

/// The same for A and B of a comparison.
float FigureView::headline_width(const Context& context) const {
  const Compared* const compared = context.compared;
  if (compared == nullptr || compared->other == nullptr) return width_of(context, *figure_, nullptr);
  const bool is_a = compared->side == session::Side::A;
  const plot::Figure &a = is_a ? *figure_ : *compared->other, &b = is_a ? *compared->other : *figure_;
  return std::max(width_of(context, a, nullptr), width_of(context, b, compared->is_fair ? &a : nullptr));
}

void FigureView::remake(const Context& context, const FigureRequest& request, plot::Size room) {
  const Theme& theme = context.theme;
  const float scale = theme.scale;
  plot::Frame frame{.size = room,
                    .language = context.language(),
                    .text = theme.text,
                    .scale = key_.scale_beside,
                    .part = key_.part};
  layout_ = {.headline_width = 0, .footer_height = 0, .marks = room};
  figure_ = request.make(frame);
  cells_version_ = key_.version;
  if (key_.part != plot::MapPart{}) cells_version_[3] = ++parts_;
  if (request.parts == Parts::MarksOnly) return;
  if (key_.is_incomplete) figure_->warning = context.text(Text::figure_incomplete);
  const float width = headline_width(context) / scale;
  if (width < room.width * 0.35f) layout_.headline_width = width;
  caption_ = figure_->explanation;
  const std::string& beside = key_.explanation_beside;
  const bool is_explained = !figure_->explanation.empty() || !beside.empty();
  if (is_explained || has_hints(context)) {
    const Captions captions = captions_for(theme);
    const float line = std::round(theme.em(captions.explanation.relative) * 1.42f);
    const auto lines_of = [&](const std::string& text) {
      const float height = paragraph_height(theme, captions.explanation, text, room.width * scale);
      return static_cast<int>(std::lround(height / line));
    };
    const bool is_for_class = theme.audience == Audience::Room;
    const bool is_high = room.height > kHighCaption * theme.text;
    const int most = is_for_class && is_high ? 2 * captions.most_lines : captions.most_lines;
    if (is_for_class)
      caption_ =
          whole_clauses(std::move(caption_), [&](const std::string& text) { return lines_of(text) <= most; });
    const int wanted = std::max(lines_of(caption_), beside.empty() ? 0 : lines_of(beside));
    // What was shown before counts on neither side of a comparison: it was not the same.
    const int fewest = context.compared != nullptr ? 1 : footer_lines_;
    footer_lines_ = std::clamp(wanted, std::min(fewest, most), most);
    float height = is_explained ? static_cast<float>(footer_lines_) * line : 0;
    height += theme.space(Space::Medium) + theme.space(Space::Small);
    if (has_hints(context)) height += theme.em(1.5f) + theme.space(Space::Small);
    if (height < room.height * scale * 0.45f) layout_.footer_height = height / scale;
  }
  layout_.marks = {room.width - layout_.headline_width, room.height - layout_.footer_height};
  if (layout_.marks != room) {
    frame.size = layout_.marks;
    figure_ = request.make(frame);
    if (key_.is_incomplete) figure_->warning = context.text(Text::figure_incomplete);
  }
}

void FigureView::draw_headlines(const Context& context, ImVec2 corner) const {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float y = corner.y;
  const float end = corner.y + layout_.marks.height * theme.scale;
  const float row = std::clamp((end - y) / static_cast<float>(figure_->headlines.size()),
                               theme.em(kLeastHeadlineRow), theme.em(kHeadlineRow));
  for (size_t n = 0; n < figure_->headlines.size(); ++n) {
    const plot::Headline& headline = figure_->headlines[n];
    if (y + theme.em(kLeastHeadlineRow) > end + 1) break;
    const std::string note = difference(context, *figure_, n);
    draw_label(theme, list, {corner.x, y + theme.em(0.9f)}, Face::Strong, theme.em(kHeadlineValue),
               theme.color(note.empty() ? headline.color : Color::of(Role::Accent)),
               plot::Label::Anchor::Start, headline.value);
    const float value = text_width(theme, Face::Strong, kHeadlineValue, headline.value);
    draw_label(theme, list, {corner.x + value + theme.space(Space::Small), y + theme.em(0.9f)}, Face::Strong,
               theme.em(kSmallText), theme.color(Role::Accent), plot::Label::Anchor::Start, note);
    draw_label(theme, list, {corner.x, y + theme.em(2.3f)}, Face::Regular,
               theme.em(captions_for(theme).label), theme.color(Role::Dim), plot::Label::Anchor::Start,
               headline.label);
    const ImVec2 end_of_row{corner.x + layout_.headline_width * theme.scale, y + row};
    if (!headline.tip.empty() && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({corner.x, y}, end_of_row))
      tooltip(theme, headline.tip);
    y += row;
  }
}

void FigureView::draw_footer(const Context& context, ImRect box) const {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float margin = ImGui::GetStyle().WindowPadding.x;
  list.AddLine({box.Min.x - margin, box.Min.y}, {box.Max.x + margin, box.Min.y}, theme.color(Role::Line),
               theme.scale);
  ImGui::SetCursorScreenPos(box.Min + ImVec2(0, theme.space(Space::Medium)));
  ImGui::PushClipRect(box.Min, box.Max, true);
  if (!caption_.empty()) paragraph(theme, captions_for(theme).explanation, caption_);
  ImGui::PopClipRect();
  if (has_hints(context)) {
    ImGui::SetCursorScreenPos({box.Min.x, box.Max.y - std::round(theme.em(1.5f))});
    draw_hints(context, hints(context));
  }
}

void FigureView::act_on(const Context& context, const plot::Pick& pick) const {
  if (pick.block) context.post(session::SelectBlock{*pick.block});
  if (pick.warp) context.post(session::SelectWarp{*pick.warp});
  if (pick.access) context.post(session::SelectAccess{*pick.access});
  if (pick.instruction) context.post(session::SelectInstruction{*pick.instruction});
  const bool selects = pick.block || pick.warp || pick.access || pick.instruction;
  if (pick.site && !pick.access && context.now.run)
    go_to_line(context, context.now.run->trace->sites[pick.site->value].source.line);
  else if (pick.lanes.any() && !selects)
    context.hovered.turn_pin(pick.lanes);
}

/// The wheel zooms and dragging moves; a double click shows the whole map again.
void FigureView::move_map(const Map& map, bool can_zoom) {
  const ImRect& box = map.box;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (can_zoom) {
    // Zoom keeps the cell under the pointer where it is.
    const double across = (mouse.x - box.Min.x) / box.GetWidth(),
                 down = (mouse.y - box.Min.y) / box.GetHeight(), wheel = ImGui::GetIO().MouseWheel;
    const double zoom = std::clamp(map_.zoom * std::pow(1.25, wheel), 1.0, map.deepest);
    map_.x += across / map_.zoom - across / zoom;
    if (map.zooms_down) map_.y += down / map_.zoom - down / zoom;
    map_.zoom = zoom;
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) map_ = {};
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    map_.x -= moved.x / box.GetWidth() / map_.zoom;
    if (map.zooms_down) map_.y -= moved.y / box.GetHeight() / map_.zoom;
  }
  map_.x = std::clamp(map_.x, 0.0, 1 - 1 / map_.zoom);
  map_.y = std::clamp(map_.y, 0.0, 1 - 1 / map_.zoom);
}

/// Zooms and moves the areas of the figure, and says how.
void FigureView::move_areas(const Context& context, ImVec2 corner) {
  const Theme& theme = context.theme;
  for (const plot::ZoomArea& area : figure_->zoom_areas) {
    const ImRect box(corner + ImVec2(area.x, area.y) * theme.scale,
                     corner + ImVec2(area.x + area.width, area.y + area.height) * theme.scale);
    const bool pointed_at = ImGui::IsItemHovered() && box.Contains(ImGui::GetIO().MousePos);
    const bool is_dragged = ImGui::IsItemActive() && box.Contains(ImGui::GetIO().MouseClickedPos[0]);
    const double deepest = plot::deepest_zoom(area);
    if ((!pointed_at && !is_dragged) || deepest <= 1) continue;
    move_map({.box = box, .deepest = deepest, .zooms_down = area.rows > 1}, pointed_at);
    const std::string says = map_.zoom > 1
                                 ? context.phrase(Text::window_zoomed, fmt::format("{:.1f}", map_.zoom))
                                 : std::string(context.text(Text::window_zoom_hint));
    const float width = text_width(theme, Face::Regular, kSmallText, says), gap = theme.space(Space::Small);
    const ImVec2 end = box.Max + ImVec2(0, theme.em(1.6f));
    ImDrawList& list = *ImGui::GetForegroundDrawList(ImGui::GetWindowViewport());
    list.AddRectFilled({end.x - width - 2 * gap, box.Max.y}, end, theme.color(Role::Surface, 0.9f), gap);
    draw_label(theme, list, {end.x - gap, (box.Max.y + end.y) / 2}, Face::Regular, theme.em(kSmallText),
               theme.color(Role::Accent), plot::Label::Anchor::End, says);
  }
}

/// Tooltip and frame of the cell under the pointer; a click selects what the cell shows.
void FigureView::point_at_cell(const Context& context, const FigureRequest& request, const plot::Cells& cells,
                               const ImRect& box) const {
  const Theme& theme = context.theme;
  const double columns = cells.columns, rows = cells.rows;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double across = (mouse.x - box.Min.x) / box.GetWidth(),
               down = (mouse.y - box.Min.y) / box.GetHeight();
  const auto column =
      static_cast<size_t>(std::clamp((map_.x + across / map_.zoom) * columns, 0.0, columns - 1));
  const auto row = static_cast<size_t>(std::clamp((map_.y + down / map_.zoom) * rows, 0.0, rows - 1));
  const plot::Pick pick = request.describe_cell(row, column, cells.value[row * cells.columns + column]);
  if (!pick.tip.empty()) tooltip(theme, pick.tip);
  if (pick.block) context.hovered.block = pick.block;
  const auto place = [&](uint64_t x, uint64_t y) {
    return box.Min +
           ImVec2(
               static_cast<float>((static_cast<double>(x) / columns - map_.x) * map_.zoom) * box.GetWidth(),
               static_cast<float>((static_cast<double>(y) / rows - map_.y) * map_.zoom) * box.GetHeight());
  };
  const ImVec2 from = place(column, row), to = place(column + 1, row + 1);
  if (to.x - from.x > 3 * theme.scale)
    ImGui::GetWindowDrawList()->AddRect(from, to, theme.color(Role::Ink), 0, 1.5f * theme.scale);
  if (ImGui::IsItemDeactivated() && !was_dragged()) act_on(context, pick);
}

void FigureView::draw_cells(const Context& context, const FigureRequest& request, const plot::Cells& cells,
                            ImVec2 corner) {
  const Theme& theme = context.theme;
  const ImRect box(corner + ImVec2(cells.x, cells.y) * theme.scale,
                   corner + ImVec2(cells.x + cells.width, cells.y + cells.height) * theme.scale);
  const double columns = cells.columns, rows = cells.rows;
  if (columns == 0 || rows == 0 || box.GetWidth() < 1 || box.GetHeight() < 1) return;
  // A map whose cells can be described can be zoomed into; other cells are as large as they need to be.
  const bool pointed_at =
      ImGui::IsItemHovered() && box.Contains(ImGui::GetIO().MousePos) && request.describe_cell;
  // What a figure with zoom areas draws is the part that is shown.
  const plot::MapPart shown = has_areas() ? plot::MapPart{} : map_;
  if (!has_areas()) move_map({.box = box, .deepest = std::max(1.0, std::max(columns, rows) / 4)}, pointed_at);
  if (context.actions.paint_cells) {
    const CellJob job{.cells = &cells,
                      .version = cells_version_,
                      .x0 = shown.x * columns,
                      .y0 = shown.y * rows,
                      .x1 = (shown.x + 1 / shown.zoom) * columns,
                      .y1 = (shown.y + 1 / shown.zoom) * rows,
                      .width = static_cast<int>(box.GetWidth()),
                      .height = static_cast<int>(box.GetHeight()),
                      .mode = theme.mode};
    ImGui::GetWindowDrawList()->AddImage(ImTextureRef(context.actions.paint_cells(job)), box.Min, box.Max);
  }
  if (request.cell_text && !has_areas()) draw_cell_texts(context, request, cells, box);
  if (shown.zoom > 1) draw_extent(context, cells, box);
  if (pointed_at) point_at_cell(context, request, cells, box);
}

/// Texts in the shown cells, once each has room for the widest.
void FigureView::draw_cell_texts(const Context& context, const FigureRequest& request,
                                 const plot::Cells& cells, const ImRect& box) const {
  const Theme& theme = context.theme;
  const double across = box.GetWidth() * map_.zoom / cells.columns,
               down = box.GetHeight() * map_.zoom / cells.rows;
  const float widest = text_width(theme, Face::Regular, kSmallText, request.cell_text(cells.maximum));
  if (across < widest + theme.space(Space::Small) || down < theme.em(1.2f)) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(box.Min, box.Max, true);
  const auto first_of = [](double start, uint32_t count) {
    return static_cast<uint32_t>(std::floor(start * count));
  };
  const uint32_t first_row = first_of(map_.y, cells.rows), first_column = first_of(map_.x, cells.columns);
  const auto middle = [](double begin, double size, double start, uint32_t count, uint32_t n) {
    return static_cast<float>(begin + (n + 0.5 - start * count) * size);
  };
  for (uint32_t row = first_row; row < cells.rows; ++row) {
    const float y = middle(box.Min.y, down, map_.y, cells.rows, row);
    if (y - down / 2 > box.Max.y) break;
    for (uint32_t column = first_column; column < cells.columns; ++column) {
      const float x = middle(box.Min.x, across, map_.x, cells.columns, column);
      if (x - across / 2 > box.Max.x) break;
      const uint32_t value = cells.value[size_t{row} * cells.columns + column];
      if (value == 0) continue;
      draw_label(theme, list, {x, y}, Face::Regular, theme.em(kSmallText),
                 theme.color(Color::on(plot::color_of(cells, value))), plot::Label::Anchor::Middle,
                 request.cell_text(value));
    }
  }
  list.PopClipRect();
}

/// The rows and columns at the corners of a map that is zoomed into.
void FigureView::draw_extent(const Context& context, const plot::Cells& cells, const ImRect& box) const {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float em = theme.em(kSmallText), gap = theme.space(Space::Small);
  const auto put = [&](float x, float y, double value, plot::Label::Anchor anchor) {
    draw_label(theme, list, {x, y}, Face::Regular, em, theme.color(Role::Ink), anchor,
               fmt::format("{:.0f}", std::floor(value)));
  };
  const double across = cells.columns / map_.zoom, down = cells.rows / map_.zoom;
  put(box.Min.x, box.Min.y - em * 0.7f, map_.x * cells.columns, plot::Label::Anchor::Start);
  put(box.Max.x, box.Min.y - em * 0.7f, map_.x * cells.columns + across - 1, plot::Label::Anchor::End);
  put(box.Min.x - gap, box.Min.y + em * 0.5f, map_.y * cells.rows, plot::Label::Anchor::End);
  put(box.Min.x - gap, box.Max.y - em * 0.5f, map_.y * cells.rows + down - 1, plot::Label::Anchor::End);
  draw_label(theme, list, {box.GetCenter().x, box.Min.y - em * 0.7f}, Face::Regular, em,
             theme.color(Role::Accent), plot::Label::Anchor::Middle,
             context.phrase(Text::window_zoomed, fmt::format("{:.1f}", map_.zoom)));
}

void FigureView::draw_marks(const Context& context, const FigureRequest& request, ImVec2 corner) {
  const Theme& theme = context.theme;
  const ImVec2 size = ImVec2(layout_.marks.width, layout_.marks.height) * theme.scale;
  ImGui::SetCursorScreenPos(corner);
  const bool clicked = ImGui::InvisibleButton(figure_->name.c_str(), ImMax(size, ImVec2(1, 1)));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const plot::Mark& mark : figure_->marks)
    if (const auto* cells = std::get_if<plot::Cells>(&mark)) draw_cells(context, request, *cells, corner);
  draw_plain_marks(theme, context.highlight, list, corner, *figure_,
                   map_.zoom > 1 && !has_areas() ? Ticks::LeftOut : Ticks::Drawn);
  move_areas(context, corner);
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = (ImGui::GetIO().MousePos - corner) / theme.scale;
  const plot::Pick* pick = plot::pick_at(*figure_, mouse.x, mouse.y);
  // A map whose cells can be described replaces the tooltips of the marks over it.
  if (pick != nullptr && !request.describe_cell) {
    const std::string_view beside = request.beside ? context.text(Text::tip_beside) : std::string_view();
    if (!pick->tip.empty())
      tooltip(theme, fmt::format("{}{}{}", pick->tip, beside.empty() ? "" : "\n", beside));
    context.hovered = {
        .lanes = pick->lanes, .pinned = context.hovered.pinned, .block = pick->block, .site = pick->site};
    if (clicked && !request.beside && !(has_areas() && was_dragged())) act_on(context, *pick);
  }
  if (clicked && request.beside) context.post(session::SelectAccess{*request.beside});
}

/// Hides the figure behind a question until it is clicked.
void FigureView::draw_cover(const Context& context, Text question, ImVec2 room) {
  const Theme& theme = context.theme;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("cover", room)) context.prediction.reveal(context.panel);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(start, start + room,
                     theme.color(ImGui::IsItemHovered() ? Role::AccentSoft : Role::Sunken),
                     theme.space(Space::Medium));
  const std::string_view hint = context.text(Text::window_click_to_reveal);
  const bool with_hint = room.y > theme.em(6) && room.x > text_width(theme, Face::Regular, kSmallText, hint);
  float y = start.y + room.y / 2 - theme.em(with_hint ? 1.6f : 0.8f);
  const auto line = [&](Face face, float relative, Role role, std::string_view text) {
    const float width = std::min(text_width(theme, face, relative, text), room.x);
    draw_text(theme, list, {start.x + (room.x - width) / 2, y}, {face, relative, Color::of(role)}, text,
              room.x);
    y += theme.em(1.9f);
  };
  line(Face::Strong, 2, Role::Accent, "?");
  line(Face::Strong, 1.1f, Role::Ink, context.text(question));
  if (with_hint) line(Face::Regular, kSmallText, Role::Dim, hint);
}

namespace {

/// The figure of the other side of a comparison; null where there is none.
const plot::Figure* figure_beside(const Context& context) {
  return context.compared != nullptr ? context.compared->other : nullptr;
}

}  // namespace

void FigureView::draw(const Context& context, const FigureRequest& request) {
  const Theme& theme = context.theme;
  const bool whole = request.parts == Parts::All;
  if (whole) {
    // The header of the frame before: it changes only when the figure does.
    const plot::Figure* shown = figure();
    std::string subtitle = shown != nullptr ? shown->subtitle : std::string();
    const std::string number =
        shown != nullptr && layout_.headline_width == 0 ? number_of(context, *shown) : std::string();
    if (request.beside) subtitle = context.phrase(Text::window_beside, subtitle);
    draw_header(context, {.title = shown ? std::string_view(shown->title) : "",
                          .number = number,
                          .subtitle = subtitle,
                          .provenance = shown ? std::optional(shown->provenance) : std::nullopt,
                          .source = shown ? std::string_view(shown->source) : ""});
  }
  const bool is_a = context.compared != nullptr && context.compared->side == session::Side::A;
  // The controls rule both sides.
  if (request.above && is_a) ImGui::Dummy({1, theme.control_height()});
  if (request.above && !is_a) request.above();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < theme.em(4) || room.y < theme.em(2)) return;
  const plot::Figure* const beside = figure_beside(context);
  const Key key{.version = request.version,
                .room = {std::floor(room.x) / theme.scale, std::floor(room.y) / theme.scale},
                .text = theme.text,
                .scale = theme.scale,
                .language = context.language(),
                .scale_beside = beside != nullptr ? beside->scale : plot::Scale{},
                .explanation_beside = beside != nullptr ? beside->explanation : std::string(),
                .headlines_beside = beside != nullptr && figure_ ? headline_width(context) : 0,
                .is_incomplete = is_of_stopped_run(context),
                .part = has_areas() ? map_ : plot::MapPart{}};
  if (!figure_ || key != key_) {
    if (key.room != key_.room || key.text != key_.text || key.language != key_.language) footer_lines_ = 1;
    key_ = key;
    remake(context, request, key.room);
  }
  if (context.prediction.covers(context.panel))
    if (const auto question = question_of(context.panel)) return draw_cover(context, *question, room);
  if (layout_.headline_width > 0) draw_headlines(context, start);
  draw_marks(context, request, start + ImVec2(layout_.headline_width * theme.scale, 0));
  if (request.beside) {
    const ImVec2 end{start.x + room.x, start.y + room.y - layout_.footer_height * theme.scale};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(start, end, theme.color(Role::Surface, kVeil));
    const ImVec2 edge(theme.space(Space::Small), theme.space(Space::Hair));
    list.AddRect(start - edge, end + edge, theme.color(Role::Dim, 0.6f), theme.space(Space::Small),
                 2 * theme.scale);
  }
  if (layout_.footer_height > 0) {
    const float top = start.y + room.y - layout_.footer_height * theme.scale;
    draw_footer(context, ImRect({start.x, std::round(top)}, start + room));
  }
  if (whole && context.export_request != nullptr && begin_context_list(context.theme, "figure_menu")) {
    if (menu_item((std::string(context.text(Text::window_export_figure)) + "###export").c_str()))
      *context.export_request = context.panel;
    end_list();
  }
}

}  // namespace lanescope::view
