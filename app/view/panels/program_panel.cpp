// The launches of a program that `lanescope run` kept: a row each with its costs against the ideal. A click
// shows the launch in all panels. The list grows while the program runs. Test: tests/gui/program_test.cpp

#include "base/dim3_text.h"
#include "base/number.h"
#include "base/time_text.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"
#include "session/whole_program.h"
#include "view/control_name.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/table_headers.h"
#include "view/widgets.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

using pipeline::ProgramLaunch;
using pipeline::ProgramRun;

class ProgramPanel : public Panel {
 public:
  void draw(const Context& context) override;

 private:
  void choose_rows(const ProgramRun& program);
  void draw_rows(const Context& context, const ProgramRun& program);
  void draw_row(const Context& context, const ProgramLaunch& launch);

  std::string filter_;  // part of a kernel's name
  std::string applied_;
  const ProgramRun* seen_ = nullptr;
  std::vector<size_t> rows_;  // launches that the filter lets through
};

std::string summary(const Context& context, const ProgramRun& program) {
  std::set<std::string_view> kernels;
  for (const ProgramLaunch& launch : program.launches) kernels.insert(launch.kernel);
  std::string command;
  for (const std::string& word : program.command) command += (command.empty() ? "" : " ") + word;
  const std::string state = program.status ? context.phrase(Text::program_ended, *program.status)
                                           : std::string(context.text(Text::program_running));
  return context.phrase(Text::program_launches_of, command, program.launches.size(), kernels.size()) + " · " +
         state;
}

std::string shape_text(const ProgramLaunch& launch) {
  return extent_text(launch.grid, "×") + ", " + extent_text(launch.block, "×");
}

/// On the GPU, else in the emulator.
std::string time_text(const Context& context, const ProgramLaunch& launch) {
  const std::optional<double> known = launch.measured_seconds ? launch.measured_seconds : launch.seconds;
  return known ? lanescope::time_text(context.language(), *known) : "–";
}

/// "1.2 M"
std::string short_number(const Context& context, uint64_t count) {
  constexpr uint64_t kThousand = 1000, kMillion = 1000000;
  if (count < 10 * kThousand) return number(context.language(), count);
  const bool is_millions = count >= kMillion;
  const auto unit = static_cast<double>(is_millions ? kMillion : kThousand);
  return decimal(context.language(), static_cast<double>(count) / unit) + (is_millions ? " M" : " k");
}

/// What the counts of a launch do not cover; empty where they cover it.
std::string reservation_on(const Context& context, const ProgramLaunch& launch) {
  if (launch.sampled_blocks != 0)
    return context.phrase(Text::program_sampled, number(context.language(), launch.sampled_blocks),
                          number(context.language(), volume(launch.grid)));
  return launch.has_incomplete_inputs ? std::string(context.text(Text::program_incomplete)) : "";
}

/// A count, with how many times the ideal it is; in the colors of both. `reservation`: reservation_on().
void draw_cost(const Context& context, uint64_t actual, uint64_t ideal, Text name,
               const std::string& reservation) {
  if (actual == 0) return ImGui::TextUnformatted("–");
  const bool is_more = actual > ideal;
  std::string text = short_number(context, actual);
  if (is_more)
    text += fmt::format(
        " ({}×)", decimal(context.language(),
                          static_cast<double>(actual) / static_cast<double>(std::max<uint64_t>(ideal, 1))));
  if (!reservation.empty()) text = fmt::format("({})", text);
  {
    const Role role = !reservation.empty() ? Role::Dim : is_more ? Role::Bad : Role::Good;
    const ColorScope ink(ImGuiCol_Text, context.theme.color(role));
    ImGui::TextUnformatted(text.c_str());
  }
  if (ImGui::IsItemHovered())
    tooltip(context.theme, context.phrase(Text::program_cost_tip, number(context.language(), actual),
                                          context.text(name), number(context.language(), ideal)) +
                               "\n" + std::string(context.text(Text::emulated_badge)) +
                               (reservation.empty() ? "" : "\n" + reservation));
}

/// Of a source that is open: runs it again, or leaves it for its kernels.
void draw_program_buttons(const Context& context, const session::WholeProgram& program) {
  using session::AnswerProgram;
  Pills pills(context.theme);
  if (pills.add("run_again", context.text(Text::program_again), Role::Accent, Role::OnAccent))
    context.post(session::RunProgram{});
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
    tooltip(context.theme, context.text(Text::program_again_tip));
  if (pills.add("kernels_only", context.text(Text::window_program_kernels), Role::AccentSoft, Role::Ink)) {
    context.post(AnswerProgram{AnswerProgram::Answer::KernelsOnly});
    context.post(
        session::OpenFile{.path = program.source, .include_directories = {}, .arguments = program.arguments});
  }
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
    tooltip(context.theme, context.text(Text::program_kernels_tip));
  pills.finish();
}

void draw_no_program(const Context& context) {
  const session::WholeProgram* program = context.now.whole_program.get();
  if (program == nullptr)
    return void(
        empty_state(context.theme, context.text(Text::program_none), context.text(Text::program_none_why)));
  const std::string title = context.phrase(Text::program_not_run, program->source.filename().string());
  if (empty_state(context.theme, title, context.text(Text::program_not_run_why),
                  context.text(Text::window_program_run)))
    context.post(session::RunProgram{});
}

}  // namespace

void ProgramPanel::choose_rows(const ProgramRun& program) {
  if (seen_ == &program && applied_ == filter_) return;
  seen_ = &program;
  applied_ = filter_;
  rows_.clear();
  for (size_t n = 0; n < program.launches.size(); ++n)
    if (program.launches[n].kernel.find(filter_) != std::string::npos) rows_.push_back(n);
}

void ProgramPanel::draw_row(const Context& context, const ProgramLaunch& launch) {
  const bool is_shown = !launch.file.empty() && context.now.choices.file &&
                        context.now.choices.file->shown_launch() == launch.file;
  const bool is_wrong = !launch.findings.empty() || !launch.error.empty();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const bool is_kept = !launch.file.empty();
  const std::string reservation = reservation_on(context, launch);
  if (ImGui::Selectable(fmt::format("{}##{}", launch.number + 1, launch.number).c_str(), is_shown,
                        ImGuiSelectableFlags_SpanAllColumns)) {
    if (is_kept)
      context.post(session::OpenFile{launch.file});
    else
      context.notify(std::string(context.text(Text::program_not_kept)));
  }
  name_control(fmt::format("{} {}", launch.number + 1, launch.kernel), is_shown);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
    std::string tip =
        fmt::format("{}\n{} · {}\n", launch.kernel, shape_text(launch), time_text(context, launch));
    tip += context.text(is_kept ? Text::program_open_tip : Text::program_not_kept);
    if (!reservation.empty()) tip += "\n" + reservation;
    for (const std::string& sentence : launch.comparison) tip += "\n" + sentence;
    for (const std::string& finding : launch.findings) tip += "\n" + finding;
    if (launch.findings.empty() && !launch.error.empty()) tip += "\n" + launch.error;
    tooltip(context.theme, tip);
  }
  ImGui::TableNextColumn();
  {
    const Role role = is_wrong ? Role::Bad : is_kept ? Role::Ink : Role::Dim;
    const ColorScope ink(ImGuiCol_Text, context.theme.color(role));
    ImGui::TextUnformatted(launch.kernel.c_str());
  }
  if (launch.is_equal_to_gpu) {  // the memory after it
    const ColorScope ink(ImGuiCol_Text,
                         context.theme.color(*launch.is_equal_to_gpu ? Role::Good : Role::Bad));
    ImGui::SameLine();
    ImGui::TextUnformatted(*launch.is_equal_to_gpu ? "= GPU" : "≠ GPU");
  }
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(shape_text(launch).c_str());
  ImGui::TableNextColumn();
  draw_cost(context, launch.sectors, launch.ideal_sectors, Text::figure_sectors, reservation);
  ImGui::TableNextColumn();
  draw_cost(context, launch.wavefronts, launch.ideal_wavefronts, Text::figure_wavefronts, reservation);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(time_text(context, launch).c_str());
}

void ProgramPanel::draw_rows(const Context& context, const ProgramRun& program) {
  choose_rows(program);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_Resizable |
                                     ImGuiTableFlags_Hideable | ImGuiTableFlags_NoSavedSettings |
                                     ImGuiTableFlags_PadOuterX;
  constexpr int kColumns = 6, kShapeColumn = 2, kTimeColumn = 5;
  constexpr float kRoomForAll = 44, kRoomForTime = 34;  // ems
  if (!ImGui::BeginTable("launches", kColumns, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("#");
  ImGui::TableSetupColumn(begin_of(context.text(Text::program_kernel)), ImGuiTableColumnFlags_WidthStretch);
  for (const Text title :
       {Text::program_shape, Text::figure_sectors, Text::figure_wavefronts, Text::program_time})
    ImGui::TableSetupColumn(begin_of(context.text(title)));
  // What a narrow panel has no room for stands in the tooltip of the row.
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::TableSetColumnEnabled(kShapeColumn, room >= context.theme.em(kRoomForAll));
  ImGui::TableSetColumnEnabled(kTimeColumn, room >= context.theme.em(kRoomForTime));
  draw_table_headers();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows_.size()));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
      draw_row(context, program.launches[rows_[static_cast<size_t>(row)]]);
  ImGui::EndTable();
}

void ProgramPanel::draw(const Context& context) {
  const Theme& theme = context.theme;
  const ProgramRun* program = context.now.program.get();
  if (program == nullptr) {
    draw_header(context);
    return draw_no_program(context);
  }
  draw_header(context, {.provenance = program->is_of_gpu ? Provenance::Measured : Provenance::Emulated});
  paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)}, summary(context, *program));
  if (context.now.whole_program) draw_program_buttons(context, *context.now.whole_program);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string_view label = context.text(Text::program_filter);
  const float label_width = text_width(theme, Face::Regular, kSmallText, label) + theme.space(Space::Small);
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetFrameHeight() / 2},
            {Face::Regular, kSmallText, Color::of(Role::Dim)}, label);
  ImGui::SetCursorScreenPos({at.x + label_width, at.y});
  text_field(theme, "##filter", filter_, theme.em(14));
  draw_rows(context, *program);
}

std::unique_ptr<Panel> make_program_panel() { return std::make_unique<ProgramPanel>(); }

}  // namespace lanescope::view
