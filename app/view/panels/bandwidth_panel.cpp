// Measured or recorded bandwidth of the lesson's kernels, the recording to choose, and the button that
// measures. Tests: what it shows in tests/unit/session/measurement_test.cpp; its picture in assets/gallery

#include "plot/figures.h"
#include "session/recording_list.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/toolbar_groups.h"
#include "view/widgets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::view {
namespace {

class BandwidthPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;
};

/// Whether a recording may have times of the kernel: of the lessons' kernels, but for those with hazards.
bool may_have_times(const Context& context) {
  const session::Choices& choices = context.now.choices;
  return choices.lesson && !lesson::kernel_of(*choices.lesson, choices.settings).hazards;
}

/// Why there are no bars, and what to do.
std::string what_to_do(const Context& context) {
  if (!context.now.choices.lesson) return std::string(context.text(Text::window_no_times_of_file));
  if (!may_have_times(context)) return std::string(context.text(Text::window_no_times_of_hazard));
  const session::RecordingList* list = context.now.timings.recordings.get();
  if (list == nullptr) return {};
  if (list->chosen.empty()) return context.phrase(Text::window_no_recordings_why, list->folder);
  if (list->sizes.empty()) return context.phrase(Text::window_not_recorded_why, list->gpu);
  return context.phrase(Text::window_no_recording_why, list->gpu,
                        fmt::format("{}", fmt::join(list->sizes, ", ")));
}

void draw_chooser(const Context& context, const session::RecordingList& list) {
  if (!begin_menu_button(context.theme, "recording", list.chosen, {.width = context.theme.em(10)})) return;
  for (const std::string& name : list.names)
    if (menu_item(name.c_str(), nullptr, name == list.chosen))
      context.post(session::SetRecording{.name = name});
  end_list();
}

void draw_measuring(const Context& context) {
  if (const auto& progress = context.now.timings.measuring) {
    if (text_button(context.theme, "stop_measuring", context.text(Text::window_measuring_stop)))
      context.post(session::StopMeasuring{});
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(
        context.phrase(Text::window_measuring, progress->done + 1, progress->total).c_str());
    return;
  }
  if (text_button(context.theme, "measure", context.text(Text::window_measure), Weight::Strong))
    context.post(session::MeasureKernels{});
  if (ImGui::IsItemHovered()) tooltip(context.theme, context.text(Text::window_measure_tip));
}

bool has_controls(const Context& context) {
  const session::RecordingList* list = context.now.timings.recordings.get();
  return context.now.available.has_gpu ||
         (list != nullptr && (list->names.size() > 1 || !list->errors.empty()));
}

void draw_controls(const Context& context) {
  const session::RecordingList* list = context.now.timings.recordings.get();
  const bool choose = list != nullptr && list->names.size() > 1;
  if (choose) draw_chooser(context, *list);
  if (choose && context.now.available.has_gpu) ImGui::SameLine();
  if (context.now.available.has_gpu) draw_measuring(context);
  if (list == nullptr) return;
  for (const Error& error : list->errors)
    paragraph(context.theme, {Face::Regular, 0.9f, plot::Color::of(plot::Role::Bad)},
              context.phrase(Text::window_recording_bad, describe(error)));
}

}  // namespace

void BandwidthPanel::draw(const Context& context) {
  if (draw_no_run(context)) return view_.clear();
  const session::Snapshot& now = context.now;
  if (!now.timings.bandwidth) {
    view_.clear();
    draw_header(context);
    draw_controls(context);
    if (const auto& modelling = now.timings.modelling) {
      empty_state(context.theme, context.phrase(Text::window_modelling, modelling->done, modelling->total),
                  now.choices.device.title);
      return;
    }
    const Text title = may_have_times(context) ? Text::window_no_recording : Text::window_no_times;
    empty_state(context.theme, context.text(title), what_to_do(context));
    return;
  }
  FigureRequest request{.version = {now.timings.generation}, .make = [&](const plot::Frame& frame) {
                          return plot::bandwidth_figure(*now.timings.bandwidth, frame);
                        }};
  if (has_controls(context)) request.above = [&] { draw_controls(context); };
  view_.draw(context, request);
}

std::unique_ptr<Panel> make_bandwidth_panel() { return std::make_unique<BandwidthPanel>(); }

}  // namespace lanescope::view
