// The exercises of the open lesson: the task, the student's file, what the checks found in it, hints one by
// one, and the solution. What was revealed is kept here; everything else is the session's.
// Test: tests/gui/exercise_panel_test.cpp

#include "session/exercise_state.h"
#include "view/code.h"
#include "view/lesson_progress.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/prose.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

using pipeline::Check;
using session::ExerciseState;
using session::ListedExercise;
using Use = session::SubmissionFile::Use;

constexpr TextStyle kProse{Face::Regular, 1, Color::of(Role::Ink)};
constexpr TextStyle kHeading{Face::Strong, 1, Color::of(Role::Accent)};
constexpr TextStyle kNote{Face::Regular, kSmallText, Color::of(Role::Dim)};

class ExercisePanel : public Panel {
 public:
  void draw(const Context& context) override;
  void advance(const Context& context) override;

 private:
  enum class Solution { Hidden, Asked, Shown };
  struct Revealed {
    size_t hints = 0;
    Solution solution = Solution::Hidden;
  };

  void draw_hints(const Context& context, const ListedExercise& exercise, Revealed& revealed);
  void draw_solution(const Context& context, const ListedExercise& exercise, Revealed& revealed);

  std::map<std::string, Revealed> revealed_;  // [folder of the exercise]
  std::string shown_;  // exercise and use of the file that were drawn last: others begin at their top
  bool hint_comes_ = false, solution_comes_ = false;  // revealed in this frame: to be scrolled to
  std::string listing_of_;                            // the text of listing_
  std::vector<ListingLine> listing_;
  bool in_sight_ = false;  // it was drawn in this frame
  bool watches_ = false;   // what the session was told
};

void draw_choice(const Context& context, const ExerciseState& state) {
  ImGui::PushID("exercise");
  Pills pills(context.theme);
  for (const auto& listed : state.listed) {
    const bool current = listed == state.chosen;
    const bool is_done = is_solved(context, listed->name);
    if (pills.add(listed->name.c_str(), listed->title.in(context.language()),
                  current ? Role::Accent : Role::Sunken, current ? Role::OnAccent : Role::Ink,
                  is_done ? std::optional(Icon::Check) : std::nullopt))
      context.post(session::OpenExercise{listed->name});
    if (is_done && ImGui::IsItemHovered()) tooltip(context.theme, context.text(Text::window_progress_solved));
  }
  pills.finish();
  ImGui::PopID();
  gap(context.theme, Space::Medium);
}

/// A path breaks anywhere.
void draw_path(const Theme& theme, const std::string& path) {
  const FaceScope mono(theme, Face::Mono, kCode);
  const ColorScope ink(ImGuiCol_Text, theme.color(Role::Ink));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(path.c_str());
  ImGui::PopTextWrapPos();
}

/// Continues in the same row where there is room for the button, else in the next.
void next_button(const Theme& theme, std::string_view label) {
  const float space = theme.space(Space::Small);
  const float width = text_width(theme, Face::Regular, 1, label) + theme.em(2);
  const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (ImGui::GetItemRectMax().x + space + width <= end)
    ImGui::SameLine(0, space);
  else
    gap(theme, Space::Small);
}

void draw_start(const Context& context, const ExerciseState& state) {
  const bool is_found = state.file.use == Use::Found;
  paragraph(context.theme, kNote,
            context.text(is_found ? Text::window_starter_found : Text::window_starter_where));
  draw_path(context.theme, context.shown(state.file.path));
  gap(context.theme, Space::Small);
  if (text_button(context.theme, "start",
                  context.text(is_found ? Text::window_starter_use : Text::window_starter_write),
                  Weight::Strong))
    context.post(session::StartExercise{});
  if (ImGui::IsItemHovered())
    tooltip(context.theme,
            context.text(is_found ? Text::window_starter_use_tip : Text::window_starter_write_tip));
}

void draw_file(const Context& context, const ExerciseState& state) {
  const Theme& theme = context.theme;
  paragraph(theme, kNote, context.text(Text::window_submission));
  draw_path(theme, context.shown(state.file.path));
  gap(theme, Space::Small);
  // A browser has no path to paste elsewhere.
  const bool has_path = !context.actions.choose_file;
  if (has_path && text_button(theme, "copy", context.text(Text::window_submission_copy)))
    ImGui::SetClipboardText(state.file.path.c_str());
  const std::string_view open = context.text(Text::window_submission_open);
  if (has_path) next_button(theme, open);
  if (text_button(theme, "open", open)) context.post(session::OpenFile{state.file.path});
  if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::window_submission_open_tip));
  const std::string_view beside = context.text(Text::window_beside_solution);
  next_button(theme, beside);
  if (text_button(theme, "beside", beside)) context.post(session::CompareWithSolution{});
  if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::window_beside_solution_tip));
  const std::string_view again = context.text(Text::window_check_again);
  next_button(theme, again);
  // What is gone is written again.
  if (text_button(theme, "again", again)) {
    if (state.error)
      context.post(session::StartExercise{});
    else
      context.post(session::CheckSubmission{});
  }
  if (!context.actions.hand_in) return;
  const std::string_view hand_in = context.text(Text::window_hand_in);
  next_button(theme, hand_in);
  if (text_button(theme, "hand_in", hand_in))
    context.actions.hand_in(state.chosen->exercise.name, state.file.path);
  if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::window_hand_in_tip));
}

std::string label_of(const Context& context, const Check& check) {
  if (check.name == "compile") return std::string(context.text(Text::check_compile));
  if (check.name == "memory") return std::string(context.text(Text::check_memory));
  if (check.name == "output") return std::string(context.text(Text::check_output));
  if (check.name == "coalesced") return std::string(context.text(Text::check_coalesced));
  if (check.name == "sectors") return std::string(context.text(Text::check_sectors));
  if (check.name == "requests") return std::string(context.text(Text::check_requests));
  if (check.name == "conflict_free") return std::string(context.text(Text::check_conflict_free));
  if (check.name == "wavefronts") return std::string(context.text(Text::check_wavefronts));
  if (check.name == "l1_misses") return std::string(context.text(Text::check_l1_misses));
  if (check.name == "barriers") return std::string(context.text(Text::check_barriers));
  if (check.name == "active_share") return std::string(context.text(Text::check_active_share));
  if (check.name == "instructions") return std::string(context.text(Text::check_instructions));
  if (check.name == "microseconds") return std::string(context.text(Text::check_microseconds));
  if (check.name == "copy_share") return std::string(context.text(Text::check_copy_share));
  return check.name;
}

/// Faded: of the file before the last change.
enum class Age { Current, Old };

std::pair<Icon, Role> look_of(Check::Status status) {
  switch (status) {
    case Check::Status::Passed:
      return {Icon::Check, Role::Good};
    case Check::Status::Failed:
      return {Icon::Cross, Role::Bad};
    case Check::Status::NotRun:
      break;
  }
  return {Icon::Minus, Role::Dim};
}

/// An icon, the name, and what was found in a column of its own.
void draw_check(const Context& context, const Check& check, float label_width, Age age) {
  const Theme& theme = context.theme;
  const auto [icon, own] = look_of(check.status);
  const Role role = age == Age::Old ? Role::Dim : own;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = std::round(theme.em(1.2f)), line = std::round(theme.em() * kLineSpacing);
  const ImVec2 corner{at.x, at.y + (line - side) / 2};
  draw_icon(list, ImRect(corner, corner + ImVec2(side, side)), icon, theme.color(role));
  const float left = at.x + side + theme.space(Space::Small);
  draw_text(theme, list, {left, at.y + line / 2}, {Face::Strong, kSmallText, Color::of(role)},
            label_of(context, check));
  ImGui::SetCursorScreenPos({left + label_width, at.y});
  const bool is_ink = check.status == Check::Status::Failed && age == Age::Current;
  paragraph(theme, {Face::Regular, kSmallText, Color::of(is_ink ? Role::Ink : Role::Dim)}, check.sentence);
  const float bottom = std::max(ImGui::GetCursorScreenPos().y, at.y + line);
  ImGui::SetCursorScreenPos({at.x, bottom + theme.space(Space::Hair)});
}

/// How many passed; of the same height as the progress of the next.
void draw_summary(const Context& context, const ExerciseState& state) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = theme.control_height(), width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (state.checking) {
    const std::string text =
        context.phrase(Text::window_checking, state.checking->cases_done, state.checking->cases);
    const float end = draw_text(theme, list, {at.x, at.y + height / 2},
                                {Face::Strong, 1, Color::of(Role::Accent)}, text, width);
    ImGui::SetCursorScreenPos({end + theme.space(Space::Medium), at.y});
    if (text_button(theme, "stop", context.text(Text::window_cancel))) context.post(session::StopChecking{});
  } else {
    const auto passed = std::ranges::count(state.checks, Check::Status::Passed, &Check::status);
    const bool is_solved = !state.checks.empty() && pipeline::has_passed(state.checks);
    const bool all = passed == std::ssize(state.checks);
    const std::string text = state.checks.empty() ? std::string(context.text(Text::window_checks_none))
                             : all                ? context.phrase(Text::window_checks_passed, passed)
                                   : context.phrase(Text::window_checks_some, passed, state.checks.size());
    draw_text(theme, list, {at.x, at.y + height / 2},
              {Face::Strong, 1, Color::of(is_solved ? Role::Good : Role::Ink)}, text, width);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + theme.space(Space::Small)});
  const auto [done, cases] = state.checking.value_or(ExerciseState::Progress{});
  if (state.checking && cases > 1) progress_bar(theme, static_cast<float>(done) / static_cast<float>(cases));
}

void draw_checks(const Context& context, const ExerciseState& state) {
  const Theme& theme = context.theme;
  draw_summary(context, state);
  if (state.error) paragraph(theme, {Face::Regular, 1, Color::of(Role::Bad)}, describe(*state.error));
  float width = 0;
  for (const Check& check : state.checks)
    width = std::max(width, text_width(theme, Face::Strong, kSmallText, label_of(context, check)));
  const Age age = state.checking || state.error ? Age::Old : Age::Current;
  for (const Check& check : state.checks) draw_check(context, check, width + theme.space(Space::Large), age);
}

}  // namespace

void ExercisePanel::draw_hints(const Context& context, const ListedExercise& exercise, Revealed& revealed) {
  const Theme& theme = context.theme;
  const auto& hints = exercise.texts_in(context.language()).hints;
  for (size_t n = 0; n < std::min(revealed.hints, hints.size()); ++n) {
    if (n + 1 == revealed.hints && std::exchange(hint_comes_, false)) ImGui::SetScrollHereY(0);
    paragraph(theme, kHeading, context.phrase(Text::window_hint_of, n + 1, hints.size()));
    draw_prose(theme, kProse, hints[n]);
    gap(theme, Space::Medium);
  }
  if (revealed.hints >= hints.size()) return;
  const Text label = revealed.hints == 0 ? Text::window_hint_first : Text::window_hint_next;
  if (text_button(theme, "hint", context.text(label))) {
    ++revealed.hints;
    hint_comes_ = true;
  }
  gap(theme, Space::Small);
}

void ExercisePanel::draw_solution(const Context& context, const ListedExercise& exercise,
                                  Revealed& revealed) {
  const Theme& theme = context.theme;
  using enum Solution;
  const Text label = revealed.solution == Hidden  ? Text::window_solution
                     : revealed.solution == Asked ? Text::window_solution_sure
                                                  : Text::window_solution_hide;
  const Weight weight = revealed.solution == Asked ? Weight::Strong : Weight::Plain;
  if (text_button(theme, "solution", context.text(label), weight)) {
    revealed.solution = revealed.solution == Hidden ? Asked : revealed.solution == Asked ? Shown : Hidden;
    solution_comes_ = revealed.solution == Shown;
  }
  if (revealed.solution != Shown) return;
  gap(theme, Space::Medium);
  if (std::exchange(solution_comes_, false)) ImGui::SetScrollHereY(0);
  paragraph(theme, kHeading, context.text(Text::window_solution_title));
  if (listing_of_ != exercise.solution) {
    listing_of_ = exercise.solution;
    listing_ = read_listing(listing_of_, Syntax::Cuda);
  }
  const float line = code_line_height(theme), width = code_width(theme, listing_);
  const float bar = width > ImGui::GetContentRegionAvail().x ? ImGui::GetStyle().ScrollbarSize : 0;
  const auto lines = static_cast<float>(listing_.size());
  if (ImGui::BeginChild("code", {0, lines * line + bar}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar)) {
    ImVec2 at = ImGui::GetCursorScreenPos() + ImVec2(0, line / 2);
    for (const ListingLine& text : listing_) {
      draw_code(theme, *ImGui::GetWindowDrawList(), at, text);
      at.y += line;
    }
    ImGui::Dummy({width, lines * line});
  }
  ImGui::EndChild();
  gap(theme, Space::Small);
  draw_prose(theme, kProse, exercise.texts_in(context.language()).explanation);
}

void ExercisePanel::draw(const Context& context) {
  in_sight_ = true;
  const Theme& theme = context.theme;
  const ExerciseState* const state = context.now.exercise.get();
  if (state == nullptr || !state->chosen) {
    draw_header(context);
    const bool has_lesson = state != nullptr;
    empty_state(theme, context.text(has_lesson ? Text::window_no_exercise : Text::window_no_lesson),
                context.text(has_lesson ? Text::window_no_exercise_why : Text::window_choose_lesson));
    return;
  }
  const ListedExercise& exercise = *state->chosen;
  draw_header(context, {.subtitle = exercise.title.in(context.language())});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginChild("text", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    const std::string shown = fmt::format("{} {}", exercise.name, static_cast<int>(state->file.use));
    const bool is_new = std::exchange(shown_, shown) != shown;
    if (is_new) ImGui::SetScrollY(0);
    draw_choice(context, *state);
    if (exercise.error) {
      paragraph(theme, {Face::Strong, 1, Color::of(Role::Bad)},
                context.text(Text::window_exercise_unreadable));
      paragraph(theme, kProse, describe(*exercise.error));
    } else {
      const bool is_started = state->file.use == Use::Checked;
      // What changes with each save is on top.
      if (is_started) {
        if (is_new) ImGui::SetScrollHereY(0);
        draw_checks(context, *state);
        gap(theme, Space::Small);
        draw_file(context, *state);
        gap(theme, Space::Large);
      }
      draw_prose(theme, kProse, exercise.texts_in(context.language()).task);
      gap(theme, Space::Medium);
      if (!is_started) {
        if (state->error) paragraph(theme, {Face::Regular, 1, Color::of(Role::Bad)}, describe(*state->error));
        draw_start(context, *state);
        gap(theme, Space::Large);
      }
      Revealed& revealed = revealed_[exercise.exercise.folder.string()];
      draw_hints(context, exercise, revealed);
      draw_solution(context, exercise, revealed);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

/// The file is watched only while someone looks at it.
void ExercisePanel::advance(const Context& context) {
  if (in_sight_ != watches_) {
    watches_ = in_sight_;
    context.post(session::WatchSubmission{watches_});
  }
  in_sight_ = false;
}

std::unique_ptr<Panel> make_exercise_panel() { return std::make_unique<ExercisePanel>(); }

}  // namespace lanescope::view
