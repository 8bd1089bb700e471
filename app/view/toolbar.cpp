#include "view/toolbar.h"

#include "base/number.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"
#include "view/compare_menu.h"
#include "view/control_name.h"
#include "view/file_menu.h"
#include "view/toolbar_groups.h"
#include "view/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// Of the words that started a program the one that names it: "x.py" of "python x.py".
std::string program_name(const std::vector<std::string>& command) {
  for (const std::string& word : command)
    if (const std::filesystem::path file(word); file.has_extension()) return file.filename().string();
  return command.empty() ? std::string() : std::filesystem::path(command.front()).filename().string();
}

/// "tr.cu: transpose" of a program's launch; nothing for another file.
std::optional<std::string> program_label(const session::OpenedFile& file, const Context& context) {
  const pipeline::ProgramRun* program = context.now.program.get();
  if (program == nullptr) return {};
  const auto launch = std::ranges::find(program->launches, file.path, &pipeline::ProgramLaunch::file);
  if (launch == program->launches.end()) return {};
  return fmt::format("{}: {}", program_name(program->command), launch->kernel);
}

/// "saxpy · axpy", and of several launches "2 · scan".
std::string launch_label(const session::OpenedFile& file, const Context& context) {
  if (const auto label = program_label(file, context)) return *label;
  const auto& launches = file.launches.launches;
  const std::string name = file.path.filename().string();
  if (launches.empty()) return name;
  const size_t shown = std::min<size_t>(context.now.choices.launch, launches.size() - 1);
  const std::string kernel = launches[shown].kernel;
  return launches.size() == 1 ? fmt::format("{} · {}", name, kernel)
                              : fmt::format("{} · {} {}", name, shown + 1, kernel);
}

std::string kernel_label(const Context& context) {
  if (const session::OpenedFile* file = context.now.choices.file.get()) return launch_label(*file, context);
  if (!context.now.choices.lesson) return {};
  return lesson::kernel_of(*context.now.choices.lesson, context.now.choices.settings)
      .label.in(context.language());
}

/// Room for the name of any kernel of the lesson: another one moves nothing.
float left_width(const Context& context) {
  const Theme& theme = context.theme;
  const session::Choices& choices = context.now.choices;
  const float width = file_menu_width(context) + theme.space(Space::Large);
  if (!choices.lesson && !choices.file) return width;
  float kernel = text_width(theme, Face::Strong, 1, kernel_label(context));
  if (choices.lesson)
    for (const lesson::Kernel& other : choices.lesson->kernels)
      kernel = std::max(kernel, text_width(theme, Face::Strong, 1, other.label.in(context.language())));
  return width + kernel + theme.em(2.3f) + theme.space(Space::Small) + compare_width(context);
}

/// How long the emulator took. What a trace on the GPU took is no time of the kernel, so it would mislead.
std::string timing_text(const Context& context) {
  const auto& run = context.now.run;
  if (!run || run->trace->provenance != Provenance::Emulated) return {};
  const double seconds = run->seconds.run;
  if (seconds <= 0) return {};  // a saved trace does not know it
  return context.phrase(Text::window_emulated_in,
                        seconds < 0.01 ? decimal(context.language(), seconds * 1e3) + " ms"
                        : seconds < 1  ? fmt::format("{:.0f} ms", seconds * 1e3)
                                       : decimal(context.language(), seconds) + " s");
}

/// Room for the badge, with the arrow that opens the choice of the producer where there is one.
float badge_width(const Context& context) {
  const Theme& theme = context.theme;
  const std::string longest = context.phrase(Text::window_emulated_in, "000 ms");
  return text_width(theme, Face::Strong, 0.8f, longest) + theme.em(1.2f) + theme.space(Space::Large) +
         (context.now.available.has_gpu ? theme.em(1.2f) : 0);
}

float controls_width(const Context& context) {
  const Theme& theme = context.theme;
  const std::vector<Segment> languages{{"en", "EN", ""}, {"fr", "FR", ""}};
  const auto menu = [&](Text text) {
    return text_width(theme, Face::Regular, 1, context.text(text)) + theme.em(2.3f);
  };
  const float help = text_width(theme, Face::Regular, 1, "?") + theme.em(1.4f);
  return segments_width(theme, languages) + menu(Text::window_export) + menu(Text::window_view) +
         theme.control_height() + help + 4 * theme.space(Space::Small);
}

float right_width(const Context& context) { return badge_width(context) + controls_width(context); }

/// Kernels, or launches, of the file that is open.
void list_of_file(const Context& context, const session::OpenedFile& file) {
  const auto& launches = file.launches.launches;
  if (launches.size() > 1) {
    for (size_t n = 0; n < launches.size(); ++n) {
      const std::string label = fmt::format("{}  {}###launch{}", n + 1, launches[n].kernel, n);
      if (menu_item(label.c_str(), nullptr, n == context.now.choices.launch, n < context.now.runs.size()))
        context.post(session::SelectLaunch{static_cast<uint32_t>(n)});
    }
    return;
  }
  for (const pipeline::ListedKernel& kernel : file.kernels) {
    const std::string name = pipeline::choosing_name(file.kernels, kernel);
    const std::string label = name + "###" + kernel.entry;
    const bool is_chosen = !launches.empty() && name == launches.front().kernel;
    if (menu_item(label.c_str(), nullptr, is_chosen, !kernel.refused))
      context.post(session::SetToggle{"kernel", kernel.entry});
    if (kernel.refused && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      tooltip(context.theme, describe(*kernel.refused));
  }
}

void list_of_lesson(const Context& context) {
  for (const lesson::Kernel& kernel : context.now.choices.lesson->kernels) {
    const std::string label = kernel.label.in(context.language()) + "###" + kernel.name;
    if (menu_item(label.c_str(), nullptr, kernel.name == context.now.choices.settings.kernel))
      context.post(session::SetToggle{"kernel", kernel.name});
  }
}

/// The kernel, or launch, that is shown, and the list of the others. Returns where it ends.
float draw_kernel(const Context& context, ImVec2 at) {
  const Theme& theme = context.theme;
  const session::OpenedFile* file = context.now.choices.file.get();
  if (file == nullptr && !context.now.choices.lesson) return at.x;
  const std::string label = kernel_label(context);
  const float end = at.x + text_width(theme, Face::Strong, 1, label) + theme.em(2.3f);
  ImGui::SetCursorScreenPos(at);
  ImGui::SetNextItemShortcut(ImGuiMod_Alt | ImGuiKey_K, ImGuiInputFlags_RouteGlobal);
  const bool open = begin_menu_button(theme, "kernel", label, {.face = Face::Strong});
  if (!open && ImGui::IsItemHovered()) tooltip(theme, context.text(Text::tip_kernel));
  if (!open) return end;
  if (file != nullptr)
    list_of_file(context, *file);
  else
    list_of_lesson(context);
  end_list();
  return end;
}

void draw_left(const Context& context, const Preferences& preferences, ToolbarRequests& requests) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const FileRequests file_requests = draw_file_menu(context, preferences);
  requests.open = file_requests.open;
  requests.save_session = file_requests.save_session;
  requests.save_trace = file_requests.save_trace;
  requests.add_to_lecture = file_requests.add_to_lecture;
  requests.export_lecture = file_requests.export_lecture;
  ImGui::SetCursorScreenPos({at.x + file_menu_width(context) + theme.space(Space::Small), at.y});
  if (!context.now.choices.file && !context.now.choices.lesson) return;
  const float end = draw_kernel(context, ImGui::GetCursorScreenPos());
  ImGui::SetCursorScreenPos({end + theme.space(Space::Small), at.y});
  draw_compare(context);
}

std::string menu_label(const Context& context, const PanelRow& panel) {
  return std::string(context.text(panel.title)) + window_of(panel.id);
}

void draw_export_menu(const Context& context, ToolbarRequests& requests) {
  ImGui::SetNextItemShortcut(ImGuiMod_Alt | ImGuiKey_E, ImGuiInputFlags_RouteGlobal);
  if (!begin_menu_button(context.theme, "export", std::string(context.text(Text::window_export)))) return;
  for (const PanelRow& row : panel_rows())
    if (row.exports == Exports::Figure && menu_item(menu_label(context, row).c_str()))
      *context.export_request = row.id;
  ImGui::Separator();
  if (menu_item((std::string(context.text(Text::window_export_window)) + "###window").c_str()))
    requests.export_window = true;
  if (menu_item((std::string(context.text(Text::window_copy_window)) + "###copy_window").c_str(),
                "Ctrl Shift C"))
    requests.copy = KeyRequests::Copy::Window;
  end_list();
}

void draw_view_menu(const Context& context, Preferences& preferences, ToolbarRequests& requests) {
  ImGui::SetNextItemShortcut(ImGuiMod_Alt | ImGuiKey_V, ImGuiInputFlags_RouteGlobal);
  if (!begin_menu_button(context.theme, "view", std::string(context.text(Text::window_view)))) return;
  ImGui::PushItemFlag(ImGuiItemFlags_AutoClosePopups, false);
  for (const PanelRow& row : panel_rows()) {
    if (context.theme.audience == Audience::Reader)
      menu_item(menu_label(context, row).c_str(), nullptr, &preferences.shown[static_cast<size_t>(row.id)]);
    else if (row.dock != Dock::Bar && menu_item(menu_label(context, row).c_str(), nullptr))
      requests.enlarge = row.id;
  }
  ImGui::Separator();
  const auto resize = [&](Text text, const char* keys, float change) {
    if (menu_item(begin_of(context.text(text)), keys))
      preferences.text = std::clamp(preferences.text + change, kMinimumText, kMaximumText);
  };
  resize(Text::window_larger_text, "Ctrl +", 1);
  resize(Text::window_smaller_text, "Ctrl -", -1);
  ImGui::PopItemFlag();
  if (menu_item(begin_of(context.text(Text::window_projector)), "F2", preferences.is_projected))
    preferences.is_projected = !preferences.is_projected;
  if (menu_item(begin_of(context.text(Text::window_ordinary_text)), "Ctrl 0")) {
    preferences.text = kOrdinaryText;
    preferences.is_projected = false;
  }
  if (menu_item(begin_of(context.text(Text::window_key_full_screen)), "F11") &&
      context.actions.toggle_full_screen)
    context.actions.toggle_full_screen();
  if (menu_item(begin_of(context.text(Text::window_key_frame_rate)), "F12", preferences.shows_frame_rate))
    preferences.shows_frame_rate = !preferences.shows_frame_rate;
  if (menu_item(begin_of(context.text(Text::window_predict_first)), "F3", context.prediction.is_on()))
    context.prediction.turn();
  if (menu_item(begin_of(context.text(Text::window_key_reveal)), "F4", false, context.prediction.is_on()))
    context.prediction.reveal_all();
  ImGui::Separator();
  const bool checks = context.now.choices.checks == emulator::Checks::All;
  if (menu_item(begin_of(context.text(Text::window_checks)), nullptr, checks))
    context.post(session::SetChecks{checks ? emulator::Checks::None : emulator::Checks::All});
  const bool lockstep = context.now.choices.scheduling == emulator::Scheduling::Lockstep;
  if (menu_item(begin_of(context.text(Text::window_lockstep)), nullptr, lockstep))
    context.post(session::SetScheduling{lockstep ? emulator::Scheduling::Independent
                                                 : emulator::Scheduling::Lockstep});
  if (menu_item(begin_of(context.text(Text::window_reset_layout)))) requests.reset_layout = true;
  end_list();
}

/// Where the addresses come from; with a GPU, a click chooses the producer.
void draw_producer(const Context& context, ImVec2 right_middle) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool choice = context.now.available.has_gpu;
  const float arrow = choice ? theme.em(1.2f) : 0;
  ImRect place(right_middle, right_middle);
  if (context.now.run)
    place = draw_badge(context, list, {right_middle.x - arrow, right_middle.y},
                       context.now.run->trace->provenance, timing_text(context));
  if (context.now.run && !choice && ImGui::IsMouseHoveringRect(place.Min, place.Max) &&
      !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))
    tooltip(theme, context.text(tip_of(context.now.run->trace->provenance)));
  if (!choice) return;
  place = ImRect({std::min(place.Min.x, right_middle.x - arrow), right_middle.y - theme.control_height() / 2},
                 {right_middle.x, right_middle.y + theme.control_height() / 2});
  ImGui::SetCursorScreenPos(place.Min);
  const bool pressed = ImGui::InvisibleButton("producer", place.GetSize(), ImGuiButtonFlags_EnableNav);
  name_control(context.text(Text::window_producer_tip));
  const bool hovered = ImGui::IsItemHovered();
  draw_icon(list,
            ImRect({place.Max.x - arrow, place.Min.y + theme.em(0.3f)},
                   {place.Max.x, place.Max.y - theme.em(0.3f)}),
            Icon::Open, theme.color(hovered ? Role::Ink : Role::Dim));
  if (hovered) tooltip(theme, context.text(Text::window_producer_tip));
  if (!begin_list_below(theme, "producer", place, pressed)) return;
  const auto offer = [&](Text text, const char* id, pipeline::Producer producer) {
    const std::string label = std::string(context.text(text)) + id;
    if (menu_item(label.c_str(), nullptr, context.now.choices.producer == producer))
      context.post(session::SetProducer{producer});
  };
  offer(Text::window_run_in_emulator, "###emulator", pipeline::Producer::Emulator);
  offer(Text::window_run_on_gpu, "###gpu", pipeline::Producer::Gpu);
  end_list();
}

/// `left_end`: where the menus on the left end; the badge gives way to them.
void draw_right(const Context& context, Preferences& preferences, ToolbarRequests& requests, float middle,
                float left_end) {
  const Theme& theme = context.theme;
  const float gap = theme.space(Space::Small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::vector<Segment> languages{{"en", "EN", ""}, {"fr", "FR", ""}};
  const float left = at.x + badge_width(context);
  if (at.x >= left_end || context.now.available.has_gpu)
    draw_producer(context, {left - theme.space(Space::Medium), middle});
  ImGui::SetCursorScreenPos({left, at.y});
  const int language = segments(theme, "language", languages, static_cast<int>(context.language()));
  if (language >= 0) context.post(session::SetLanguage{static_cast<Language>(language)});
  ImGui::SameLine(0, gap);
  draw_export_menu(context, requests);
  ImGui::SameLine(0, gap);
  draw_view_menu(context, preferences, requests);
  ImGui::SameLine(0, gap);
  const bool dark = preferences.mode == plot::Theme::Dark;
  if (icon_button(theme, "theme", dark ? Icon::Light : Icon::Dark,
                  context.text(dark ? Text::window_light : Text::window_dark)))
    preferences.mode = dark ? plot::Theme::Light : plot::Theme::Dark;
  ImGui::SameLine(0, gap);
  if (text_button(theme, "help", "?")) requests.help = true;
  if (ImGui::IsItemHovered()) tooltip(theme, context.text(Text::window_help_tip));
}

/// The groups of a bar of several rows. They begin in the first row where two are too few otherwise.
class Flow {
 public:
  Flow(float first, float first_end, float width) : x_(first), row_end_(first_end), width_(width) {}
  /// Where a group goes that is so wide.
  ImVec2 add(float its, float row_height) {
    if (x_ > 0 && x_ + its > row_end_) x_ = 0, ++row_, row_end_ = width_;
    const ImVec2 at{x_, static_cast<float>(row_) * row_height};
    x_ += its;
    return at;
  }
  int rows() const { return row_ + 1; }

 private:
  float x_, row_end_, width_;
  int row_ = 0;
};

/// From what is left of the first row on.
Flow flow_beside(const Context& context, float width) {
  return {left_width(context), width - right_width(context), width};
}
/// From the second row on.
Flow flow_below(float width) { return {width, 0, width}; }

}  // namespace

Toolbar::Plan Toolbar::plan(const Context& context, float width) const {
  std::vector<Group> groups = groups_of(context);
  const float fixed = left_width(context) + right_width(context);
  const auto total = [&] {
    float sum = 0;
    for (const Group& group : groups) sum += width_of(context.theme, group);
    return sum;
  };
  const int most = static_cast<int>(groups.size());
  for (int menus = 0; menus <= most; ++menus) {
    make_menus(groups, menus);
    if (fixed + total() <= width) return {menus, 1, Plan::Start::Beside};
  }
  for (int menus = 0; menus <= most; ++menus) {
    make_menus(groups, menus);
    if (total() <= width) return {menus, 2, Plan::Start::Below};
  }
  Flow flow = flow_beside(context, width);
  for (const Group& group : groups) flow.add(width_of(context.theme, group), 1);
  return {most, flow.rows(), Plan::Start::Beside};
}

int Toolbar::rows(const Context& context, float width) {
  plan_ = plan(context, width);
  return plan_.rows;
}

ToolbarRequests Toolbar::draw(const Context& context, Preferences& preferences) {
  const Theme& theme = context.theme;
  ToolbarRequests requests;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_left(context, preferences, requests);
  std::vector<Group> groups = groups_of(context);
  make_menus(groups, plan_.menus);
  Flow flow = plan_.start == Plan::Start::Below ? flow_below(width) : flow_beside(context, width);
  const float row = theme.control_height() + theme.space(Space::Medium);
  for (const Group& group : groups) {
    ImGui::SetCursorScreenPos(start + flow.add(width_of(theme, group), row));
    draw_group(context, group);
  }
  ImGui::SetCursorScreenPos({start.x + width - right_width(context), start.y});
  draw_right(context, preferences, requests, start.y + theme.control_height() / 2,
             start.x + left_width(context));
  return requests;
}

ToolbarRequests Toolbar::draw_thin(const Context& context, Preferences& preferences) {
  const Theme& theme = context.theme;
  ToolbarRequests requests;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  std::vector<Group> groups = groups_of(context);
  for (Group& group : groups) group.as_menu = true;
  // The device is on the right, whatever has room on the left.
  const float view = menu_button_width(theme, std::string(context.text(Text::window_view)));
  const float end = start.x + width - view - width_of(theme, groups.back());
  ImVec2 at{draw_kernel(context, start) + theme.space(Space::Large), start.y};
  for (const Group& group : std::span(groups).first(groups.size() - 1)) {
    const float its = width_of(theme, group);
    if (!group.applies) continue;
    if (at.x + its > end) break;
    ImGui::SetCursorScreenPos(at);
    draw_group(context, group);
    at.x += its;
  }
  ImGui::SetCursorScreenPos({end, start.y});
  draw_group(context, groups.back());
  ImGui::SetCursorScreenPos({start.x + width - view, start.y});
  draw_view_menu(context, preferences, requests);
  return requests;
}

}  // namespace lanescope::view
