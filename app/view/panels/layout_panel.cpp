// The layout lab: a tile, its swizzle or padding and its accesses as they are typed, and the figure of their
// bank conflicts. Method: the report is a pure function of the texts; it is made when a text has changed, and
// takes less than 2 ms for the tiles that the panel accepts. A lesson about a tile fills in the texts when
// one of its toggles is pressed. Test: tests/gui/layout_panel_test.cpp

#include "base/number.h"
#include "layout/report.h"
#include "pipeline/lesson_tile.h"
#include "plot/layout_figure.h"
#include "session/snapshot.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/widgets.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

class LayoutPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 private:
  /// Asks about the tile of the lesson's kernel when another one, or another toggle, was chosen.
  void follow(const session::Choices& choices);
  /// Whether a text was changed.
  bool draw_fields(const Context& context);
  void answer();

  layout::QuestionText typed_{.layout = "(8,64):(64,1)",
                              .element = "f16",
                              .swizzle = "3,3,3",
                              .triton = {},
                              .padding = {},
                              .accesses = {}};
  std::string accesses_ = "st.row.16 ldmatrix.x4";
  std::optional<layout::QuestionText> followed_;  // the lesson's question last; none: it has no tile
  std::shared_ptr<const layout::Report> report_;  // null: error_ says why
  std::string error_;
  uint64_t version_ = 0;
};

/// The largest tile of a block has seven times as many, which take 11 ms.
constexpr size_t kMostShown = 32768;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

void LayoutPanel::follow(const session::Choices& choices) {
  if (!choices.lesson) return void(followed_.reset());
  const auto question = pipeline::tile_question(*choices.lesson, choices.settings);
  if (!question || *question == followed_) return;
  followed_ = *question;
  if (!followed_) return;
  typed_ = *followed_;
  accesses_ = fmt::format("{}", fmt::join(typed_.accesses, " "));
  answer();
}

bool LayoutPanel::draw_fields(const Context& context) {
  const Theme& theme = context.theme;
  // A class follows the toggles; the fields would take the room of the figure.
  if (theme.audience == Audience::Room && followed_) return false;
  bool changed = false;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  // A field goes to the next row where it finds no room.
  const auto field = [&](const char* id, std::string_view label, Text tip, std::string& text, float ems) {
    const float label_room = text_width(theme, Face::Regular, kSmallText, label) + theme.space(Space::Small);
    const float room = label_room + theme.em(ems) + theme.space(Space::Medium);
    if (!first) {
      ImGui::SameLine(0, theme.space(Space::Medium));
      if (ImGui::GetCursorScreenPos().x + room > right) ImGui::NewLine();
    }
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetFrameHeight() / 2},
              {Face::Regular, kSmallText, Color::of(Role::Dim)}, label);
    ImGui::SetCursorScreenPos({at.x + label_room, at.y});
    const float width = std::min(theme.em(ems), right - at.x - label_room);
    changed |= text_field(theme, id, text, width, false, context.text(tip));
  };
  field("##layout", context.text(Text::window_layout_layout), Text::window_layout_layout_tip, typed_.layout,
        12);
  field("##element", context.text(Text::window_layout_element), Text::window_layout_element_tip,
        typed_.element, 4);
  field("##swizzle", "Swizzle", Text::window_layout_swizzle_tip, typed_.swizzle, 5);
  field("##triton", "Triton", Text::window_layout_triton_tip, typed_.triton, 5);
  field("##padding", context.text(Text::window_layout_padding), Text::window_layout_padding_tip,
        typed_.padding, 4);
  field("##accesses", context.text(Text::window_layout_accesses), Text::window_layout_accesses_tip, accesses_,
        22);
  return changed;
}

void LayoutPanel::answer() {
  ++version_;
  report_.reset();
  error_.clear();
  typed_.accesses = words_of(accesses_);
  const auto question = layout::parse(typed_);
  if (!question) {
    error_ = question.error().message;
    return;
  }
  const layout::Layout& asked = question->tile.layout;
  const size_t elements = size_t{layout::extent_of(asked.rows)} * layout::extent_of(asked.columns);
  if (elements > kMostShown) {
    error_ = fmt::format(
        "the window takes tiles of up to {} elements, and this one has {}; 'lanescope layout' takes larger "
        "ones",
        number(Language::English, kMostShown), number(Language::English, elements));
    return;
  }
  auto report = layout::report_of(*question);
  if (report)
    report_ = std::make_shared<const layout::Report>(*std::move(report));
  else
    error_ = report.error().message;
}

void LayoutPanel::draw(const Context& context) {
  follow(context.now.choices);
  if (version_ == 0) answer();
  bool changed = false;
  if (report_ == nullptr) {
    view_.clear();
    draw_header(context);
    changed = draw_fields(context);
    gap(context.theme, Space::Medium);
    empty_state(context.theme, context.text(Text::window_layout_wrong), error_);
  } else {
    view_.draw(
        context,
        {.version = {version_},
         .make = [report = report_](const plot::Frame& frame) { return plot::layout_figure(*report, frame); },
         .above = [&] { changed = draw_fields(context); }});
  }
  if (changed) answer();
}

}  // namespace

std::unique_ptr<Panel> make_layout_panel() { return std::make_unique<LayoutPanel>(); }

}  // namespace lanescope::view
