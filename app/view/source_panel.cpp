// The kernel's text with what each line costs, and the PTX of the current line below it. A compile error
// shows the compiler's log, with its lines marked. Tests: tests/gui/stepping_test.cpp,
// tests/gui/output_test.cpp

#include "plot/wording.h"
#include "session/failed_run.h"
#include "view/code.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// What one request of a line costs on average, and whether that is more than it must.
struct Price {
  std::string text;
  std::string tip;
  bool excess = false;
};

class SourcePanel : public Panel {
 public:
  void draw(const Context& context) override;
  bool fills_window() const override { return true; }

 private:
  void read(const session::Snapshot& now);
  void read_prices(const Context& context);
  float price_width(const Theme& theme) const;
  void draw_source(const Context& context, ImVec2 size);
  void draw_source_line(const Context& context, int line, ImVec2 corner, float width);
  void draw_splitter(const Context& context, float room);
  void draw_ptx(const Context& context);
  void draw_ptx_header(const Context& context, int line);
  void draw_ptx_line(const Context& context, int row, bool current);
  std::vector<int> shown_ptx_rows(int line) const;
  int current_line(const Context& context) const;
  const compile::LogError* error_on(const Context& context, int line) const;

  const pipeline::Run* shown_ = nullptr;
  bool is_failed_ = false;              // the text is of what did not run: it has no costs
  std::string source_text_, ptx_text_;  // the texts of the listings
  std::vector<ListingLine> source_, ptx_;
  std::vector<int> source_line_of_;  // [PTX line - 1]
  float ptx_share_ = 0.24f;          // of the panel's height
  std::vector<Price> prices_;        // [source line - 1], of the run and in the language of prices_of_
  std::optional<std::pair<uint64_t, Language>> prices_of_;
  float price_width_ = 0;  // pixels of the column of prices
  float seen_height_ = 0;  // of the listing, in lines
  int scrolled_to_ = 0;    // line that was brought into view last
  int scrolled_ptx_ = 0;
  enum class PtxExtent { OfLine, Whole } extent_ = PtxExtent::OfLine;
};

bool is_hinted(const Context& context, int line) {
  if (!context.now.run || !context.highlight.site) return false;
  const trace::Trace& trace = *context.now.run->trace;
  return context.highlight.site->value < trace.sites.size() &&
         trace.sites[context.highlight.site->value].source.line == line;
}

std::string average(Language language, uint64_t amount, uint64_t requests) {
  const double value = static_cast<double>(amount) / static_cast<double>(requests);
  return value >= 100 ? fmt::format("{:.0f}", value) : decimal(language, value);
}

Price price_of(const Context& context, const pipeline::LineCost& cost) {
  Price price;
  const auto add = [&](const trace::Totals& totals, uint64_t amount, uint64_t ideal, Text one, Text many,
                       Text tip, Text word) {
    if (totals.requests == 0) return;
    if (!price.text.empty()) price.text += " · ", price.tip += '\n';
    price.text += context.phrase(amount == totals.requests ? one : many,
                                 average(context.language(), amount, totals.requests));
    price.tip += context.phrase(tip, totals.requests, amount, ideal);
    price.tip += "\n" + std::string(context.text(word));
    price.excess |= amount > ideal;
  };
  add(cost.shared, cost.shared.wavefronts, cost.shared.ideal_wavefronts, Text::figure_wavefronts_short,
      Text::figure_wavefronts_short, Text::window_line_wavefronts, Text::tip_wavefront);
  add(cost.global, cost.global.sectors, cost.global.ideal_sectors, Text::figure_one_sector,
      Text::figure_many_sectors, Text::window_line_sectors, Text::tip_sector);
  return price;
}

}  // namespace

/// The name of a file without its folders.
std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// The text that is to be shown: of what did not run, where that is another one or has errors in it.
const session::FailedRun* failed_text(const session::Snapshot& now) {
  if (!now.failed || now.failed->source_text.empty()) return nullptr;
  const bool is_of_run = now.run && now.run->source_text == now.failed->source_text;
  return is_of_run && now.failed->errors.empty() ? nullptr : now.failed.get();
}

const compile::LogError* SourcePanel::error_on(const Context& context, int line) const {
  const session::FailedRun* failed = failed_text(context.now);
  if (failed == nullptr) return nullptr;
  const auto found = std::ranges::find_if(failed->errors, [&](const compile::LogError& error) {
    return error.line == line && file_name(error.file) == file_name(failed->source_name);
  });
  return found == failed->errors.end() ? nullptr : &*found;
}

int SourcePanel::current_line(const Context& context) const {
  const session::Snapshot& now = context.now;
  if (is_failed_) {
    for (const compile::LogError& error : now.failed->errors)
      if (error_on(context, error.line) != nullptr) return error.line;
    return 0;
  }
  if (!now.selection.current ||
      now.selection.current->traced.access.site.value >= now.run->trace->sites.size())
    return 0;
  return now.run->trace->sites[now.selection.current->traced.access.site.value].source.line;
}

void SourcePanel::read(const session::Snapshot& now) {
  const session::FailedRun* failed = failed_text(now);
  const bool is_failed = failed != nullptr;
  const std::string& source = is_failed ? failed->source_text : now.run->source_text;
  static const std::string kNone;
  const std::string& ptx = is_failed ? kNone : now.run->ptx_text;
  if (is_failed_ == is_failed && (is_failed || shown_ == now.run.get()) && source_text_ == source &&
      ptx_text_ == ptx)
    return;
  is_failed_ = is_failed;
  shown_ = now.run.get();
  if (source_text_ != source) source_ = read_listing(source_text_ = source, Syntax::Cuda);
  if (ptx_text_ != ptx) ptx_ = read_listing(ptx_text_ = ptx, Syntax::Ptx);
  source_line_of_ = is_failed ? std::vector<int>() : source_lines_of_ptx(ptx_text_, now.run->source_name);
  prices_of_.reset();
  scrolled_to_ = scrolled_ptx_ = 0;
}

void SourcePanel::read_prices(const Context& context) {
  const std::pair wanted{context.now.run_generation, context.language()};
  if (prices_of_ == wanted) return;
  prices_of_ = wanted;
  prices_.clear();
  if (is_failed_) return;
  for (const pipeline::LineCost& cost : context.now.run->lines) prices_.push_back(price_of(context, cost));
}

/// Width of the column of prices: of the widest one.
float SourcePanel::price_width(const Theme& theme) const {
  float width = theme.em(2.5f);
  for (const Price& price : prices_)
    if (!price.text.empty()) width = std::max(width, text_width(theme, Face::Strong, kSmallText, price.text));
  return width + theme.space(Space::Medium);
}

void SourcePanel::draw_source_line(const Context& context, int line, ImVec2 corner, float width) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = code_line_height(theme), middle = corner.y + height / 2;
  const bool current = line == current_line(context);
  const compile::LogError* error = error_on(context, line);
  const float window_left = ImGui::GetWindowPos().x;
  if (error != nullptr)
    list.AddRectFilled({window_left, corner.y}, {window_left + width, corner.y + height},
                       theme.color(Role::Bad, 0.16f));
  else if (current || is_hinted(context, line))
    list.AddRectFilled({window_left, corner.y}, {window_left + width, corner.y + height},
                       theme.color(Role::AccentSoft));
  if (current)
    list.AddRectFilled({window_left, corner.y}, {window_left + 3 * theme.scale, corner.y + height},
                       theme.color(error != nullptr ? Role::Bad : Role::Accent));

  const float number_right = corner.x + theme.em(2), price_right = number_right + price_width_;
  const std::string number = std::to_string(line);
  draw_text(theme, list, {number_right - text_width(theme, Face::Mono, kSmallText, number), middle},
            {Face::Mono, kSmallText, Color::of(current ? Role::Ink : Role::Dim)}, number);
  const auto index = static_cast<size_t>(line) - 1;
  static const Price kNoPrice;
  const Price& price = index < prices_.size() ? prices_[index] : kNoPrice;
  if (!price.text.empty()) {
    const TextStyle style{price.excess ? Face::Strong : Face::Regular, kSmallText,
                          Color::of(price.excess ? Role::Bad : Role::Dim)};
    draw_text(theme, list, {price_right - text_width(theme, style.face, style.relative, price.text), middle},
              style, price.text);
  }
  draw_code(theme, list, {price_right + theme.space(Space::Large), middle}, source_[index]);
  if (error != nullptr) {
    const float code = text_width(theme, Face::Mono, kCode, source_[index].text);
    draw_text(theme, list, {price_right + theme.space(Space::Large) + code + theme.em(1.5f), middle},
              {Face::Strong, kSmallText, Color::of(Role::Bad)}, error->message);
  }

  ImGui::SetCursorScreenPos({window_left, corner.y});
  ImGui::PushID(line);
  if (ImGui::InvisibleButton("line", {width, height})) context.post(session::SelectLine{line});
  if (ImGui::IsItemHovered() && error != nullptr) tooltip(theme, error->message);
  if (ImGui::IsItemHovered() && !price.tip.empty()) tooltip(theme, price.tip);
  ImGui::PopID();
}

void SourcePanel::draw_source(const Context& context, ImVec2 size) {
  const Theme& theme = context.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Sunken));
  price_width_ = price_width(theme);
  const float content = theme.em(3.5f) + price_width_ + code_width(theme, source_);
  ImGui::SetNextWindowContentSize({content, 0});
  if (ImGui::BeginChild("source", size, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    const float width = std::max(content, ImGui::GetWindowWidth());
    const int current = current_line(context);
    // Another size of the panel or of the text may have put the line out of sight.
    const bool is_resized = std::exchange(seen_height_, ImGui::GetWindowHeight() / code_line_height(theme)) !=
                            ImGui::GetWindowHeight() / code_line_height(theme);
    if (current != 0 && (current != scrolled_to_ || is_resized)) {
      const float y = static_cast<float>(current - 1) * code_line_height(theme);
      const float top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight();
      if (y < top + code_line_height(theme) || y > top + view - 3 * code_line_height(theme))
        ImGui::SetScrollY(std::max(0.0f, y - view / 2));
      scrolled_to_ = current;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(source_.size()), code_line_height(theme));
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        draw_source_line(context, row + 1, ImGui::GetCursorScreenPos(), width);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

void SourcePanel::draw_splitter(const Context& context, float room) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, theme.space(Space::Medium)};
  ImGui::InvisibleButton("splitter", size);
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (held) ptx_share_ = std::clamp(ptx_share_ - ImGui::GetIO().MouseDelta.y / room, 0.1f, 0.8f);
  if (held || hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  ImGui::GetWindowDrawList()->AddLine(at + ImVec2(0, size.y / 2), at + ImVec2(size.x, size.y / 2),
                                      theme.color(held || hovered ? Role::Accent : Role::Line), theme.scale);
}

/// Title, and the choice between the line's instructions and all.
void SourcePanel::draw_ptx_header(const Context& context, int line) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float margin = theme.space(Space::Large), head = theme.control_height();
  const ImVec2 start = ImGui::GetCursorScreenPos() + ImVec2(margin, 0);
  draw_text(theme, list, {start.x, start.y + head / 2}, {Face::Strong, kSmallText, Color::of(Role::Dim)},
            extent_ == PtxExtent::Whole || line == 0 ? std::string(context.text(Text::window_ptx))
                                                     : context.phrase(Text::window_ptx_of_line, line));
  const std::vector<Segment> extents{{"line", std::string(context.text(Text::window_ptx_line)), ""},
                                     {"whole", std::string(context.text(Text::window_ptx_whole)), ""}};
  ImGui::SetCursorScreenPos(
      {start.x - margin + ImGui::GetContentRegionAvail().x - segments_width(theme, extents) - margin,
       start.y});
  const int pressed = segments(theme, "ptx_extent", extents, static_cast<int>(extent_));
  if (pressed >= 0) {
    extent_ = static_cast<PtxExtent>(pressed);
    scrolled_ptx_ = 0;
  }
  ImGui::SetCursorScreenPos({start.x - margin, start.y + head + theme.space(Space::Hair)});
}

/// Lines of the PTX from 0: all, or those of this line of the source.
std::vector<int> SourcePanel::shown_ptx_rows(int line) const {
  std::vector<int> rows;
  for (int row = 0; row < static_cast<int>(ptx_.size()); ++row)
    if (extent_ == PtxExtent::Whole || (line != 0 && source_line_of_[static_cast<size_t>(row)] == line))
      rows.push_back(row);
  return rows;
}

void SourcePanel::draw_ptx_line(const Context& context, int row, bool current) {
  const Theme& theme = context.theme;
  const ListingLine& line = ptx_[static_cast<size_t>(row)];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = code_line_height(theme);
  const float left = at.x + theme.space(Space::Large), middle = at.y + height / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (current) {
    list.AddRectFilled(at, at + ImVec2(width, height), theme.color(Role::AccentSoft));
    list.AddRectFilled(at, at + ImVec2(3 * theme.scale, height), theme.color(Role::Accent));
  }
  draw_code(theme, list, {left, middle}, line);
  if (current) {
    const float code = text_width(theme, Face::Mono, kCode, line.text);
    draw_text(theme, list, {left + code + theme.em(1), middle},
              {Face::Strong, kSmallText, Color::of(Role::Accent)}, context.text(Text::window_this_access));
  }
  ImGui::Dummy({width, height});
}

void SourcePanel::draw_ptx(const Context& context) {
  const int line = current_line(context);
  const trace::Trace& trace = *context.now.run->trace;
  const auto& current = context.now.selection.current;
  const int current_ptx = current ? trace.sites[current->traced.access.site.value].ptx_line : 0;
  draw_ptx_header(context, line);
  const std::vector<int> rows = shown_ptx_rows(line);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (ImGui::BeginChild("ptx", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar)) {
    const float height = code_line_height(context.theme);
    const auto current_row = std::ranges::find(rows, current_ptx - 1);
    if (current_ptx != scrolled_ptx_ && current_row != rows.end()) {
      scrolled_ptx_ = current_ptx;
      const float y = static_cast<float>(current_row - rows.begin()) * height;
      // The first visible line is whole.
      const float above = std::floor((ImGui::GetWindowHeight() / 2) / height) * height;
      ImGui::SetScrollY(std::max(0.0f, y - above));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), height);
    while (clipper.Step())
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
        const int row = rows[static_cast<size_t>(n)];
        draw_ptx_line(context, row, row + 1 == current_ptx);
      }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
}

void SourcePanel::draw(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  const session::FailedRun* failed = failed_text(now);
  std::string subtitle;
  if (failed != nullptr)
    subtitle = file_name(failed->source_name);
  else if (now.run)
    subtitle = file_name(now.run->source_name) + " · " + std::string(context.text(Text::window_cost_column));
  draw_header(context, {.subtitle = subtitle});
  if (now.error && now.error->kind == ErrorKind::Compile) {
    paragraph(theme, {Face::Strong, 1, Color::of(Role::Bad)}, context.text(Text::window_compile_failed));
    ImGui::BeginChild("log", {0, failed != nullptr ? ImGui::GetContentRegionAvail().y * 0.3f : 0},
                      ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
    {
      // The face ends before the child does.
      const FaceScope mono(theme, Face::Mono, kCode);
      // Its first line says no more than the heading.
      const std::string& log = now.error->message;
      ImGui::TextUnformatted(begin_of(std::string_view(log).substr(std::min(log.find('\n') + 1, log.size()))),
                             end_of(log));
    }
    ImGui::EndChild();
  }
  if (!now.run && failed == nullptr) {
    if (!now.error)
      empty_state(theme, context.text(now.busy ? Text::window_working : Text::window_no_kernel),
                  context.text(now.busy ? Text::window_working_on : Text::window_choose_kernel));
    else if (now.error->kind != ErrorKind::Compile)
      empty_state(theme, context.text(Text::window_no_run), describe(*now.error));
    return;
  }
  read(now);
  read_prices(context);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (is_failed_) return draw_source(context, room);
  const float ptx =
      std::round(std::max(room.y * ptx_share_, theme.control_height() + 3 * code_line_height(theme)));
  draw_source(context,
              {room.x, std::max(3 * code_line_height(theme), room.y - ptx - theme.space(Space::Medium))});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  draw_splitter(context, room.y);
  draw_ptx(context);
  ImGui::PopStyleVar();
}

std::unique_ptr<Panel> make_source_panel() { return std::make_unique<SourcePanel>(); }

}  // namespace lanescope::view
