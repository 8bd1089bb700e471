// The lesson: its kernels, what to observe in the chosen one, whether the output is right, questions to guess
// at before the answer is shown, and what the lesson is about. Test: tests/gui/lesson_panel_test.cpp

#include "lesson/live_text.h"
#include "pipeline/lesson_prose.h"
#include "view/lesson_progress.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/prose.h"
#include "view/widgets.h"

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

class LessonPanel : public Panel {
 public:
  void draw(const Context& context) override;

 private:
  void draw_question(const Context& context, const pipeline::LessonProse& prose);

  size_t asked_ = 0;                       // the question that is shown
  std::map<std::string, size_t> guesses_;  // [folder of the lesson and name of the question]
};

/// What a correct output is.
Text text_of(const lesson::Kernel& kernel) {
  using enum lesson::OutputRule;
  if (!kernel.expect || !kernel.expect->rule) return Text::window_output_expected;
  switch (*kernel.expect->rule) {
    case Copy:
      return Text::window_output_copy;
    case Transpose:
      return Text::window_output_transpose;
    default:
      return Text::window_output_expected;
  }
}

void draw_check(const Context& context) {
  const session::Snapshot& now = context.now;
  if (!now.run || !now.run->output_correct) return;
  const Theme& theme = context.theme;
  const bool right = *now.run->output_correct;
  const Role role = right ? Role::Good : Role::Bad;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = std::round(theme.em(1.5f));
  draw_icon(list, ImRect(at, at + ImVec2(side, side)), right ? Icon::Check : Icon::Cross, theme.color(role));
  const lesson::Kernel& kernel = lesson::kernel_of(*now.choices.lesson, now.choices.settings);
  const Text text = right ? text_of(kernel) : Text::window_output_wrong;
  draw_text(theme, list, {at.x + side + theme.space(Space::Small), at.y + side / 2},
            {Face::Strong, kSmallText, Color::of(role)}, context.text(text));
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, side});
}

void draw_kernels(const Context& context) {
  const lesson::Lesson& lesson = *context.now.choices.lesson;
  ImGui::PushID("kernel");
  Pills pills(context.theme);
  for (const lesson::Kernel& kernel : lesson.kernels) {
    const bool current = kernel.name == context.now.choices.settings.kernel;
    if (pills.add(kernel.name.c_str(), kernel.label.in(context.language()),
                  current ? Role::Accent : Role::Sunken, current ? Role::OnAccent : Role::Ink))
      context.post(session::SetToggle{"kernel", kernel.name});
  }
  pills.finish();
  ImGui::PopID();
}

/// The numbers of a text that is about another device count as GPUs of today do.
void draw_rules(const Context& context) {
  if (!context.now.prose || context.now.selection.units == context.now.prose->units) return;
  paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            context.phrase(Text::window_rules_of_text, context.now.choices.device.title));
}

/// What shows the numbers of the text again.
void draw_cover(const Context& context) {
  const Theme& theme = context.theme;
  if (text_button(theme, "cover", context.text(Text::predict_lesson)))
    context.prediction.reveal(PanelId::Lesson);
  if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::window_click_to_reveal));
  gap(theme, Space::Small);
}

/// The way on, after all that is said of the lesson.
void draw_next(const Context& context) {
  const session::Available& available = context.now.available;
  const auto next = next_lesson(context);
  if (!next) return;
  gap(context.theme, Space::Medium);
  paragraph(context.theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            progress_text(context, *next - 1));
  gap(context.theme, Space::Small);
  const std::string label =
      context.phrase(Text::window_next_lesson, available.lesson_titles[*next].in(context.language()));
  if (text_button(context.theme, "next_lesson", label))
    context.post(session::OpenLesson{available.lessons[*next]});
}

/// What a guess looks like before and after one was chosen; `value` is the answer, once it is known.
std::pair<Role, Role> look_of_guess(double guess, bool is_chosen, std::optional<double> value) {
  if (value && lesson::is_right_guess(guess, *value)) return {Role::Good, Role::OnAccent};
  if (is_chosen) return {value ? Role::Bad : Role::Accent, Role::OnAccent};
  return {Role::Sunken, Role::Ink};
}

}  // namespace

void LessonPanel::draw_question(const Context& context, const pipeline::LessonProse& prose) {
  const Theme& theme = context.theme;
  const lesson::Lesson& lesson = *context.now.choices.lesson;
  const size_t count = prose.questions.size();
  asked_ %= count;
  const pipeline::LessonProse::Question& question = prose.questions[asked_];
  paragraph(theme, {Face::Strong, 1, Color::of(Role::Accent)},
            context.phrase(Text::window_predict, asked_ + 1, count));
  gap(theme, Space::Small);
  draw_prose(theme, {Face::Regular, 1, Color::of(Role::Ink)}, question.text);
  gap(theme, Space::Small);

  const std::string key = lesson.folder.string() + "/" + question.name;
  const auto guessed = guesses_.find(key);
  const bool is_answered = guessed != guesses_.end() && question.value.has_value();
  ImGui::PushID(question.name.c_str());
  Pills pills(theme);
  for (size_t n = 0; n < question.guesses.size(); ++n) {
    const bool is_chosen = guessed != guesses_.end() && guessed->second == n;
    const auto [fill, ink] =
        look_of_guess(question.guesses[n], is_chosen, is_answered ? question.value : std::nullopt);
    if (!pills.add(fmt::format("guess {}", n).c_str(),
                   lesson::live_number_text(context.language(), question.guesses[n]), fill, ink))
      continue;
    guesses_[key] = n;
    context.post(session::SetToggles{lesson.questions[asked_].set});
  }
  if (count > 1 &&
      pills.add("next", context.text(Text::window_next_question), Role::AccentSoft, Role::Accent))
    ++asked_;
  pills.finish();
  ImGui::PopID();
  if (!is_answered) return;
  gap(theme, Space::Small);
  draw_prose(theme, {Face::Regular, 1, Color::of(Role::Ink)}, question.answer);
}

void LessonPanel::draw(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  if (!now.choices.lesson) {
    draw_header(context);
    empty_state(theme, context.text(Text::window_no_lesson), context.text(Text::window_choose_lesson));
    return;
  }
  draw_header(context, {.subtitle = now.choices.lesson->title.in(now.choices.language)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("text", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    draw_kernels(context);
    gap(theme, Space::Medium);
    const bool is_covered = context.prediction.covers(PanelId::Lesson);
    const pipeline::LessonProse* told = is_covered ? now.blank_prose.get() : now.prose.get();
    if (is_covered) draw_cover(context);
    if (told != nullptr) draw_prose(theme, {Face::Regular, 1, Color::of(Role::Ink)}, told->kernel);
    draw_rules(context);
    gap(theme, Space::Small);
    draw_check(context);
    gap(theme, Space::Medium);
    if (now.prose && !now.prose->questions.empty()) {
      draw_question(context, *now.prose);
      gap(theme, Space::Medium);
    }
    if (told != nullptr)
      draw_prose(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, told->introduction);
    draw_next(context);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

std::unique_ptr<Panel> make_lesson_panel() { return std::make_unique<LessonPanel>(); }

}  // namespace lanescope::view
