#include "view/run_card.h"

#include "session/exercise_state.h"
#include "session/whole_program.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace lanescope::view {
namespace {

using plot::Color;
using plot::Role;

/// Shorter runs would show it for a moment.
constexpr double kSecondsUntilShown = 1;

/// "40 s", "12 min".
std::string duration(double seconds) {
  return seconds < 100 ? fmt::format("{:.0f} s", std::max(1.0, seconds))
                       : fmt::format("{:.0f} min", std::round(seconds / 60));
}

bool begin(const Theme& theme) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos + viewport->WorkSize * ImVec2(0.5f, 0.62f), ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(theme.em(34), viewport->WorkSize.x * 0.9f), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Large), theme.space(Space::Large)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme.space(Space::Medium));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, theme.scale);
  const bool open =
      ImGui::Begin("###run_card", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  return open;
}

void end() {
  ImGui::End();
  ImGui::PopStyleVar(3);
}

void draw_bar(const Theme& theme, float share) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, theme.em(0.5f)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, at + size, theme.color(Role::Sunken), size.y / 2);
  list.AddRectFilled(at, at + ImVec2(std::max(size.y, size.x * share), size.y), theme.color(Role::Accent),
                     size.y / 2);
  ImGui::Dummy(size);
}

void draw_question(const Context& context, const session::LongRun& question) {
  const Theme& theme = context.theme;
  const std::string what =
      question.bytes    ? context.phrase(Text::window_takes_memory,
                                         fmt::format("{:.1f}", static_cast<double>(*question.bytes) / (1 << 30)))
      : question.waited ? context.phrase(Text::window_may_not_end, duration(*question.waited))
                        : context.phrase(Text::window_takes_time, duration(question.seconds.value_or(0)));
  paragraph(theme, {Face::Strong, 1, Color::of(Role::Ink)}, what);
  paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            context.text(question.waited ? Text::window_may_not_end_why : Text::window_asks_before_run));
  gap(theme, Space::Small);
  if (text_button(theme, "run", context.text(question.waited ? Text::window_run_on : Text::window_run_it),
                  Weight::Strong))
    context.post(session::ConfirmRun{});
  ImGui::SameLine(0, theme.space(Space::Medium));
  if (text_button(theme, "cancel",
                  context.text(question.waited ? Text::window_leave_stopped : Text::window_do_not_run)))
    context.post(session::CancelRun{});
}

void draw_progress(const Context& context, const session::RunProgress& progress) {
  const Theme& theme = context.theme;
  const uint64_t done = progress.finished_blocks, all = progress.blocks;
  const auto whole = progress.estimate();
  const std::string text = whole && done < all
                               ? context.phrase(Text::window_blocks_of, done, all,
                                                duration(std::max(0.0, *whole - progress.seconds())))
                               : context.phrase(Text::window_runs_for, duration(progress.seconds()));
  paragraph(theme, {Face::Strong, 1, Color::of(Role::Ink)}, text);
  draw_bar(theme, all > 0 ? static_cast<float>(std::min(done, all)) / static_cast<float>(all) : 0);
  gap(theme, Space::Small);
  if (text_button(theme, "cancel", context.text(Text::window_cancel_run))) context.post(session::CancelRun{});
}

using session::AnswerProgram;
using session::WholeProgram;

void draw_program_question(const Context& context, const WholeProgram& program) {
  const Theme& theme = context.theme;
  const Text asks = program.question == WholeProgram::Question::Changed ? Text::window_program_changed
                                                                        : Text::window_program_asks;
  paragraph(theme, {Face::Strong, 1, Color::of(Role::Ink)},
            context.phrase(asks, program.source.filename().string()));
  paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            context.text(Text::window_program_rights));
  gap(theme, Space::Small);
  if (text_button(theme, "run_program", context.text(Text::window_program_run), Weight::Strong))
    context.post(AnswerProgram{AnswerProgram::Answer::Run});
  ImGui::SameLine(0, theme.space(Space::Medium));
  if (text_button(theme, "kernels_only", context.text(Text::window_program_kernels)))
    context.post(AnswerProgram{AnswerProgram::Answer::KernelsOnly});
}

void draw_program_progress(const Context& context, const WholeProgram& program) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - program.began).count();
  paragraph(
      context.theme, {Face::Strong, 1, Color::of(Role::Ink)},
      context.phrase(Text::window_program_runs_for, program.source.filename().string(), duration(seconds)));
  gap(context.theme, Space::Small);
  if (text_button(context.theme, "cancel", context.text(Text::window_cancel_run)))
    for (session::Command& command : refusal(context.now)) context.post(std::move(command));
}

bool asks_about_program(const session::Snapshot& now) {
  return now.whole_program && now.whole_program->question != WholeProgram::Question::None;
}

bool runs_program(const session::Snapshot& now) { return now.whole_program && now.whole_program->is_running; }

}  // namespace

std::vector<session::Command> refusal(const session::Snapshot& now) {
  std::vector<session::Command> commands;
  if (asks_about_program(now)) commands.emplace_back(AnswerProgram{AnswerProgram::Answer::Later});
  if (runs_program(now)) commands.emplace_back(session::CancelProgram{});
  // The kernels run while a question waits, or after the program.
  if (now.question || now.busy) commands.emplace_back(session::CancelRun{});
  if (now.exercise && now.exercise->checking) commands.emplace_back(session::StopChecking{});
  return commands;
}

bool shows_run_card(const session::Snapshot& now, double busy_seconds) {
  const bool is_long = now.busy && busy_seconds >= kSecondsUntilShown;
  return asks_about_program(now) || now.question || is_long;
}

void draw_run_card(const Context& context, double busy_seconds) {
  const session::Snapshot& now = context.now;
  if (!shows_run_card(now, busy_seconds)) return;
  if (begin(context.theme)) {
    if (asks_about_program(now))
      draw_program_question(context, *now.whole_program);
    else if (runs_program(now))
      draw_program_progress(context, *now.whole_program);
    else if (now.question)
      draw_question(context, *now.question);
    else
      draw_progress(context, *now.progress);
  }
  end();
}

}  // namespace lanescope::view
