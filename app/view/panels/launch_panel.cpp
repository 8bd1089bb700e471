// How a person's own kernel is launched: grid, block, shared memory and a text for each argument, as --arg
// has it; of several launches the one that is shown. What is wrong is said below its field. A change runs as
// soon as its field is left. Tests: tests/gui/file_test.cpp

#include "pipeline/program_run.h"
#include "session/opened_file.h"
#include "view/control_name.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/toolbar_groups.h"
#include "view/widgets.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

using pipeline::LaunchFile;
using pipeline::LaunchText;

class LaunchPanel : public Panel {
 public:
  void draw(const Context& context) override;

 private:
  void read(const session::OpenedFile& file);
  void draw_launches(const Context& context);
  void draw_kernel(const Context& context, const session::OpenedFile& file);
  bool draw_shape(const Context& context, LaunchText& launch, const pipeline::LaunchProblems& problems);
  bool draw_buffers(const Context& context);
  bool draw_arguments(const Context& context, const session::OpenedFile& file, LaunchText& launch,
                      const pipeline::LaunchProblems& problems);
  bool draw_macros(const Context& context);
  bool draw_include_folders(const Context& context);
  void draw_buttons(const Context& context, const session::OpenedFile& file, bool changed);

  const session::OpenedFile* drawn_ = nullptr;
  bool is_new_ = false;  // the file was changed or run since the last frame
  LaunchFile seen_;      // in the snapshot
  LaunchFile edited_;    // what the person makes of it
  std::string shared_, macros_, folders_;
  std::optional<uint64_t> given_shared_;  // which shared_ shows
};

/// The launch of a program that is shown; null where it is none.
const pipeline::ProgramLaunch* program_launch_of(const Context& context) {
  const session::OpenedFile* const file = context.now.choices.file.get();
  if (file == nullptr || !context.now.program) return nullptr;
  return pipeline::launch_kept_in(*context.now.program, file->shown_launch());
}

float label_width(const Theme& theme) { return theme.em(8); }

/// A label at the cursor, in front of its field on the same line.
void draw_label(const Theme& theme, std::string_view label, Face face = Face::Regular) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(theme, *ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetFrameHeight() / 2},
            {face, kSmallText, Color::of(Role::Dim)}, label, label_width(theme) - theme.space(Space::Small));
  ImGui::SetCursorScreenPos({at.x + label_width(theme), at.y});
}

/// `is_new`: it is brought into view.
void draw_problem(const Theme& theme, const std::string& problem, bool is_new) {
  if (problem.empty()) return;
  paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Bad)}, problem);
  if (is_new) ImGui::SetScrollHereY(1);
}

std::string joined(const std::vector<std::string>& words, char between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? std::string() : std::string{between}) + word;
  return text;
}

std::vector<std::string> split(const std::string& text, char between) {
  std::vector<std::string> words;
  for (size_t at = text.find_first_not_of(between); at != std::string::npos;) {
    const size_t end = std::min(text.find(between, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(between, end);
  }
  return words;
}

}  // namespace

void LaunchPanel::read(const session::OpenedFile& file) {
  if (seen_ == file.launches) return;
  seen_ = edited_ = file.launches;
  macros_ = joined(file.launches.defines, ' ');
  folders_ = joined(file.launches.include_directories, ':');
  given_shared_.reset();
}

void LaunchPanel::draw_launches(const Context& context) {
  const Theme& theme = context.theme;
  for (size_t n = 0; n < seen_.launches.size(); ++n) {
    const LaunchText& launch = seen_.launches[n];
    const bool has_run = n < context.now.runs.size();
    const std::string times =
        launch.times == 1 ? "" : context.phrase(Text::window_launch_times, launch.times) + " ";
    const std::string label = fmt::format("{}   {}{}   <<<{}, {}>>>###launch{}", n + 1, times, launch.kernel,
                                          launch.grid, launch.block, n);
    const ColorScope ink(ImGuiCol_Text, theme.color(has_run ? Role::Ink : Role::Dim));
    if (ImGui::Selectable(label.c_str(), n == context.now.choices.launch) && has_run)
      context.post(session::SelectLaunch{static_cast<uint32_t>(n)});
    name_control(std::string_view(label).substr(0, label.find("###")), n == context.now.choices.launch);
  }
  gap(theme, Space::Small);
}

void LaunchPanel::draw_kernel(const Context& context, const session::OpenedFile& file) {
  draw_label(context.theme, context.text(Text::window_kernel));
  const std::string& chosen = seen_.launches.front().kernel;
  const MenuButton look{.width = ImGui::GetContentRegionAvail().x};
  if (!begin_menu_button(context.theme, "kernel", chosen, look)) return;
  for (const pipeline::ListedKernel& kernel : file.kernels) {
    const std::string name = pipeline::choosing_name(file.kernels, kernel);
    const std::string label = name + "###" + kernel.entry;
    if (menu_item(label.c_str(), nullptr, name == chosen, !kernel.refused))
      context.post(session::SetToggle{"kernel", kernel.entry});
    if (kernel.refused && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      tooltip(context.theme, describe(*kernel.refused));
  }
  end_list();
}

bool LaunchPanel::draw_shape(const Context& context, LaunchText& launch,
                             const pipeline::LaunchProblems& problems) {
  const Theme& theme = context.theme;
  if (given_shared_ != launch.shared_bytes) {
    given_shared_ = launch.shared_bytes;
    shared_ = std::to_string(launch.shared_bytes);
  }
  const float gap = theme.space(Space::Medium);
  const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  bool changed = false;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  float x = start.x;
  const auto field = [&](const char* id, Text label, Text tip, std::string& text,
                         const std::string& problem) {
    const float label_room =
        text_width(theme, Face::Regular, kSmallText, context.text(label)) + theme.space(Space::Small);
    draw_text(theme, *ImGui::GetWindowDrawList(), {x, start.y + ImGui::GetFrameHeight() / 2},
              {Face::Regular, kSmallText, Color::of(Role::Dim)}, context.text(label));
    ImGui::SetCursorScreenPos({x + label_room, start.y});
    changed |= text_field(theme, id, text, width - label_room, !problem.empty(), context.text(tip));
    x += width + gap;
  };
  field("##grid", Text::window_grid, Text::window_grid_tip, launch.grid, problems.grid);
  field("##block", Text::window_block, Text::window_block_tip, launch.block, problems.block);
  field("##shared", Text::window_shared, Text::window_shared_tip, shared_, problems.shared);
  uint64_t bytes = 0;
  const auto [end, status] = std::from_chars(shared_.data(), shared_.data() + shared_.size(), bytes);
  if (status == std::errc{} && end == shared_.data() + shared_.size())
    given_shared_ = launch.shared_bytes = bytes;
  else if (changed)
    given_shared_.reset();  // no number: what was there comes back
  draw_problem(theme, problems.grid, is_new_);
  draw_problem(theme, problems.block, is_new_);
  draw_problem(theme, problems.shared, is_new_);
  return changed;
}

bool LaunchPanel::draw_buffers(const Context& context) {
  bool changed = false;
  if (!edited_.buffers.empty()) ImGui::Separator();
  for (size_t n = 0; n < edited_.buffers.size(); ++n) {
    std::string& buffer = edited_.buffers[n];
    const size_t equals = std::min(buffer.find('='), buffer.size());
    const std::string name = buffer.substr(0, equals);
    std::string contents = equals == buffer.size() ? std::string() : buffer.substr(equals + 1);
    draw_label(context.theme, name, Face::Mono);
    changed |=
        text_field(context.theme, ("##buffer" + name).c_str(), contents, ImGui::GetContentRegionAvail().x);
    buffer = name + "=" + contents;
  }
  return changed;
}

bool LaunchPanel::draw_arguments(const Context& context, const session::OpenedFile& file, LaunchText& launch,
                                 const pipeline::LaunchProblems& problems) {
  const pipeline::ListedKernel* kernel = pipeline::kernel_named(file.kernels, launch.kernel);
  bool changed = false;
  for (size_t n = 0; n < launch.arguments.size(); ++n) {
    const bool is_known = kernel != nullptr && n < kernel->parameters.size();
    const std::string type = is_known ? kernel->parameters[n].type : std::string();
    const std::string name = is_known ? kernel->parameters[n].name : std::to_string(n);
    draw_label(context.theme, name, Face::Mono);
    const std::string problem = n < problems.arguments.size() ? problems.arguments[n] : std::string();
    // In front of the value the parameter's own name is left out.
    std::string& argument = launch.arguments[n];
    const bool is_named = argument.starts_with(name + "=");
    std::string value = is_named ? argument.substr(name.size() + 1) : argument;
    changed |= text_field(context.theme, ("##argument" + std::to_string(n)).c_str(), value,
                          ImGui::GetContentRegionAvail().x, !problem.empty(),
                          context.phrase(Text::window_argument_tip, type, name));
    argument = is_named && !value.empty() ? name + "=" + value : value;
    draw_problem(context.theme, problem, is_new_);
  }
  return changed;
}

bool LaunchPanel::draw_macros(const Context& context) {
  draw_label(context.theme, context.text(Text::window_macros));
  if (!text_field(context.theme, "##macros", macros_, ImGui::GetContentRegionAvail().x, false,
                  context.text(Text::window_macros_tip)))
    return false;
  edited_.defines = split(macros_, ' ');
  return true;
}

bool LaunchPanel::draw_include_folders(const Context& context) {
  draw_label(context.theme, context.text(Text::window_include_folders));
  if (!text_field(context.theme, "##include", folders_, ImGui::GetContentRegionAvail().x, false,
                  context.text(Text::window_include_folders_tip)))
    return false;
  edited_.include_directories = split(folders_, ':');
  return true;
}

void LaunchPanel::draw_buttons(const Context& context, const session::OpenedFile& file, bool changed) {
  const Theme& theme = context.theme;
  gap(theme, Space::Hair);
  const bool pressed =
      text_button(theme, "run_launch", context.text(Text::window_run_launch), Weight::Strong);
  if (pressed || (changed && edited_ != seen_)) context.post(session::SetLaunches{edited_});
  const pipeline::ProgramLaunch* const launch = program_launch_of(context);
  if (file.has_host_launches() && launch == nullptr) {
    ImGui::SameLine(0, theme.space(Space::Medium));
    if (text_button(theme, "host_launches", context.text(Text::window_launch_of_host)))
      context.post(session::TakeHostLaunches{});
  }
  if (file.is_guess)
    paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
              context.text(Text::window_launch_guessed));
}

void LaunchPanel::draw(const Context& context) {
  const Theme& theme = context.theme;
  const session::OpenedFile* file = context.now.choices.file.get();
  if (file == nullptr) {
    draw_header(context);
    empty_state(theme, context.text(Text::window_launch_of_lesson), context.text(Text::window_launch_open));
    return;
  }
  draw_header(context, {.subtitle = context.shown(file->path)});
  if (file->is_trace()) {
    const pipeline::ProgramLaunch* const launch = program_launch_of(context);
    const bool has_reason = launch != nullptr && !launch->without_inputs.empty();
    return void(empty_state(theme, context.text(Text::window_trace_no_launch),
                            has_reason
                                ? context.phrase(Text::window_launch_without_inputs, launch->without_inputs)
                                : std::string(context.text(Text::window_trace_no_buffers_why))));
  }
  if (file->launches.launches.empty()) {
    draw_no_run(context);
    return;
  }
  is_new_ = std::exchange(drawn_, file) != file;
  read(*file);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, theme.space(Space::Small)));
  if (ImGui::BeginChild("form", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground)) {
    if (const pipeline::ProgramLaunch* const launch = program_launch_of(context))
      paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
                context.phrase(Text::window_launch_of_program, launch->number + 1));
    if (seen_.launches.size() > 1)
      draw_launches(context);
    else if (file->kernels.size() > 1)
      draw_kernel(context, *file);
    const size_t shown = std::min<size_t>(context.now.choices.launch, edited_.launches.size() - 1);
    static const pipeline::LaunchProblems kNone;
    const pipeline::LaunchProblems& problems = shown < file->problems.size() ? file->problems[shown] : kNone;
    bool changed = draw_shape(context, edited_.launches[shown], problems);
    changed |= draw_arguments(context, *file, edited_.launches[shown], problems);
    changed |= draw_buffers(context);
    changed |= draw_macros(context);
    changed |= draw_include_folders(context);
    draw_buttons(context, *file, changed);
    const auto& error = context.now.error;
    const bool is_elsewhere = file->problems.empty();  // not below a field already
    if (error && is_elsewhere && (error->kind == ErrorKind::Launch || error->kind == ErrorKind::Usage))
      draw_problem(theme, error->message, is_new_);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

std::unique_ptr<Panel> make_launch_panel() { return std::make_unique<LaunchPanel>(); }

}  // namespace lanescope::view
