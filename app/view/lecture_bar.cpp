#include "view/lecture_bar.h"

#include "session/lecture_state.h"
#include "view/lecture_notes.h"
#include "view/prose.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr float kSentenceSize = 1.3f;
constexpr float kLines = 3;  // of the sentence

const session::LectureTexts::Paragraphs& sentence(const Context& context) {
  const session::LectureState& lecture = *context.now.lecture;
  const session::LectureTexts& texts = lecture.texts_in(context.language());
  const bool is_revealed =
      lecture.shown().predicts && !LectureBar::is_covered(context.now, context.prediction);
  return is_revealed && !texts.reveal.empty() ? texts.reveal : texts.say;
}

}  // namespace

bool LectureBar::is_covered(const session::Snapshot& now, const Prediction& prediction) {
  if (!now.lecture || !now.lecture->shown().predicts) return false;
  return std::ranges::any_of(now.lecture->shown().look, [&](const std::string& name) {
    const auto panel = panel_named(name);
    return panel && prediction.covers(*panel);
  });
}

float LectureBar::height(const Context& context) {
  if (!context.now.lecture) return 0;
  const Theme& theme = context.theme;
  return kLines * std::round(theme.em(kSentenceSize) * kLineSpacing) + 2 * theme.space(Space::Medium);
}

void LectureBar::draw(const Context& context, ImVec2 corner, ImVec2 size) {
  const Theme& theme = context.theme;
  const session::LectureState& lecture = *context.now.lecture;
  const ImVec2 inner = ImGui::GetCursorScreenPos();
  const float middle = corner.y + (size.y - theme.control_height()) / 2;
  ImGui::SetCursorScreenPos({inner.x, middle});
  if (icon_button(theme, "lecture_back", Icon::Previous, context.text(Text::lecture_back))) back(context);
  const std::string count = count_text(lecture);
  const std::string widest = fmt::format("{0} / {0}", lecture.lecture->steps.size());
  const float count_width = text_width(theme, Face::Strong, 1, widest);
  ImGui::SameLine(0, theme.space(Space::Medium));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + theme.control_height() / 2},
            {Face::Strong, 1, Color::of(Role::Dim)}, count);
  ImGui::Dummy({count_width, theme.control_height()});
  ImGui::SameLine(0, theme.space(Space::Medium));
  const bool covered = is_covered(context.now, context.prediction);
  if (icon_button(theme, "lecture_next", covered ? Icon::Shown : Icon::Next,
                  context.text(covered ? Text::lecture_reveal : Text::lecture_next), Weight::Strong))
    next(context);
  ImGui::SameLine(0, theme.space(Space::Huge));

  const std::string_view notes = context.text(Text::lecture_notes_title);
  const float close = theme.control_height(), gaps = 2 * theme.space(Space::Medium);
  const float notes_width =
      context.actions.open_notes ? text_width(theme, Face::Regular, 1, notes) + theme.em(2) : 0;
  const float left = ImGui::GetCursorScreenPos().x, right = corner.x + size.x - theme.space(Space::Large);
  ImGui::SetCursorScreenPos({left, corner.y + theme.space(Space::Medium)});
  if (ImGui::BeginChild("sentence",
                        {right - left - close - notes_width - gaps, size.y - 2 * theme.space(Space::Medium)},
                        ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    const float room = ImGui::GetContentRegionAvail().y, top = ImGui::GetCursorPosY();
    // In the middle, by the height of the last frame: prose is laid out as it is drawn.
    ImGui::SetCursorPosY(top + std::max(0.0f, std::floor((room - sentence_height_) / 2)));
    const float begin = ImGui::GetCursorPosY();
    draw_prose(theme, {Face::Regular, kSentenceSize, Color::of(Role::Ink)}, sentence(context));
    sentence_height_ = ImGui::GetCursorPosY() - begin;
  }
  ImGui::EndChild();
  if (context.actions.open_notes) {
    ImGui::SetCursorScreenPos({right - close - notes_width, middle});
    if (text_button(theme, "lecture_notes", notes)) context.actions.open_notes();
    if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::lecture_notes));
  }
  ImGui::SetCursorScreenPos({right - close, middle});
  if (icon_button(theme, "lecture_close", Icon::Cross, context.text(Text::lecture_close)))
    context.post(session::CloseLecture{});
}

void LectureBar::follow(const Context& context) {
  const session::LectureState* const lecture = context.now.lecture.get();
  const uint64_t showings = lecture != nullptr ? lecture->showings : 0;
  // A step that cannot be shown is not waited for.
  if (wanted_ && (lecture == nullptr || (context.now.error && !context.now.busy))) wanted_.reset();
  if (showings == showings_) return;
  const bool was_open = showings_ != 0;
  showings_ = showings;
  if (wanted_ && lecture != nullptr && lecture->step == *wanted_) wanted_.reset();
  const bool predicts = lecture != nullptr && lecture->shown().predicts;
  if (context.prediction.is_on() && (predicts || was_open)) context.prediction.turn();
  if (predicts) context.prediction.turn();
}

void LectureBar::show(const Context& context, size_t step) {
  wanted_ = static_cast<uint32_t>(step);
  context.post(session::ShowLectureStep{*wanted_});
}

void LectureBar::next(const Context& context) {
  if (!context.now.lecture) return;
  if (is_covered(context.now, context.prediction)) return context.prediction.turn();
  if (const size_t after = context.now.lecture->step + 1; after < context.now.lecture->lecture->steps.size())
    show(context, after);
}

void LectureBar::back(const Context& context) {
  if (context.now.lecture && context.now.lecture->step > 0) show(context, context.now.lecture->step - 1);
}

}  // namespace lanescope::view
