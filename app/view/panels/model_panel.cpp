// The panel of the models' figures. It keeps the request; the session has the figure.
// Test: tests/gui/model_panel_test.cpp

#include "model/address_maps.h"
#include "session/study_state.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/toolbar_groups.h"
#include "view/widgets.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using study::Study;

namespace {

class ModelPanel : public FigurePanel {
 public:
  void draw(const Context& context) override;

 private:
  /// What the figure depends on: asked for again when it changes.
  struct Asked {
    study::StudyRequest request;
    model::Device device;
    uint64_t run_generation = 0;  // of figures of the current run
    bool operator==(const Asked&) const = default;
  };

  void draw_chooser(const Context& context);
  static void draw_progress(const Context& context, size_t done, size_t runs);
  void draw_waiting(const Context& context, const session::StudyState* state);
  void ask(const Context& context);

  std::optional<study::StudyRequest> wanted_;
  std::optional<Asked> asked_;
};

/// Continues in the same row where there is room for `width`, else in the next.
void next_control(const Theme& theme, float width) {
  ImGui::SameLine(0, theme.space(Space::Small));
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

float menu_width(const Theme& theme, std::string_view value) {
  return text_width(theme, Face::Regular, 1, value) + theme.em(2.3f);
}

/// A menu of the maps; changes `chosen`.
void choose_map(const Context& context, const char* id, std::string& chosen) {
  std::string shown = chosen;
  for (char& c : shown) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  next_control(context.theme, menu_width(context.theme, shown));
  if (!begin_menu_button(context.theme, id, shown)) return;
  for (const model::AddressMap& map : model::address_maps()) {
    const std::string label = std::string(context.text(map.title)) + "###" + std::string(map.name);
    if (menu_item(label.c_str(), nullptr, map.name == chosen)) chosen = map.name;
  }
  end_list();
}

/// A menu of the kernels of the lesson that is studied, if it is open; changes `chosen`, which is empty for
/// the lesson's own second kernel.
void choose_kernel(const Context& context, const char* id, std::string& chosen) {
  const auto& lesson = context.now.choices.lesson;
  if (!lesson || !lesson->studies || lesson->studies->queues.size() < 2) return;
  const std::string& name = chosen.empty() ? lesson->studies->queues[1] : chosen;
  const auto& kernels = lesson->kernels;
  const auto found = std::ranges::find(kernels, name, &lesson::Kernel::name);
  const std::string shown = found == kernels.end() ? name : found->label.in(context.language());
  next_control(context.theme, menu_width(context.theme, shown));
  if (!begin_menu_button(context.theme, id, shown)) return;
  for (const lesson::Kernel& kernel : kernels) {
    const std::string label = kernel.label.in(context.language()) + "###" + kernel.name;
    if (menu_item(label.c_str(), nullptr, kernel.name == name)) chosen = kernel.name;
  }
  end_list();
}

}  // namespace

void ModelPanel::draw_chooser(const Context& context) {
  study::StudyRequest& wanted = *wanted_;
  if (begin_menu_button(context.theme, "study", std::string(context.text(title_of(wanted.study))),
                        {.face = Face::Strong})) {
    for (const Study study : study::kStudies) {
      const std::string label =
          std::string(context.text(title_of(study))) + "###" + std::string(name_of(study));
      if (menu_item(label.c_str(), nullptr, study == wanted.study)) wanted.study = study;
    }
    end_list();
  }
  switch (wanted.study) {
    case Study::Strides:
      choose_map(context, "left_map", wanted.left_map);
      choose_map(context, "right_map", wanted.right_map);
      break;
    case Study::Queues:
      choose_kernel(context, "beside", wanted.beside);
      break;
    case Study::Published:
    case Study::Assumptions:
    case Study::Widths:
    case Study::Traffic:
    case Study::Remedies:
    case Study::Roofline:
    case Study::Bound:
    case Study::Device:
      break;
  }
}

void ModelPanel::ask(const Context& context) {
  const session::Snapshot& now = context.now;
  Asked question{.request = *wanted_, .device = now.choices.device, .run_generation = 0};
  if (study::shows_current_run(wanted_->study)) question.run_generation = now.run_generation;
  if (asked_ == question) return;
  asked_ = question;
  context.post(session::ShowStudy{*wanted_});
}

void ModelPanel::draw_waiting(const Context& context, const session::StudyState* state) {
  const Theme& theme = context.theme;
  draw_header(context);
  draw_chooser(context);
  gap(theme, Space::Medium);
  if (state != nullptr && state->error) {
    empty_state(theme, context.text(Text::window_no_study), state->error->message);
    return;
  }
  if (state != nullptr && state->cancelled) {
    if (empty_state(theme, context.text(Text::window_study_cancelled), "",
                    context.text(Text::window_study_again)))
      asked_.reset();
    return;
  }
  draw_progress(context, state == nullptr ? 0 : state->runs_done, state == nullptr ? 0 : state->runs);
}

/// Of a figure that is not finished.
void ModelPanel::draw_progress(const Context& context, size_t done, size_t runs) {
  const Theme& theme = context.theme;
  paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
            context.phrase(Text::window_study_runs, done, runs));
  progress_bar(theme, runs == 0 ? 0 : static_cast<float>(done) / static_cast<float>(runs));
  gap(theme, Space::Small);
  if (text_button(theme, "cancel", context.text(Text::window_cancel))) context.post(session::CancelStudy{});
}

void ModelPanel::draw(const Context& context) {
  const session::Snapshot& now = context.now;
  // A screenshot, or a session that was shown before, may have asked already.
  if (!wanted_) wanted_ = now.study ? now.study->request : study::StudyRequest{};
  ask(context);
  const bool answers = now.study && now.study->request == *wanted_;
  if (!answers || !now.study->make) {
    view_.clear();
    return draw_waiting(context, answers ? now.study.get() : nullptr);
  }
  view_.draw(context, {.version = {now.study->version}, .make = now.study->make, .above = [&] {
                         draw_chooser(context);
                         if (now.study->runs_done < now.study->runs && !now.study->cancelled)
                           draw_progress(context, now.study->runs_done, now.study->runs);
                       }});
}

std::unique_ptr<Panel> make_models_panel() { return std::make_unique<ModelPanel>(); }

}  // namespace lanescope::view
