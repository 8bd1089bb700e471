#include "view/workspace.h"

#include "plot/wording.h"
#include "session/lecture_state.h"
#include "session/opened_file.h"
#include "session/whole_program.h"
#include "view/error_banner.h"
#include "view/file_menu.h"
#include "view/frame_readout.h"
#include "view/keys.h"
#include "view/lecture_panels.h"
#include "view/run_card.h"
#include "view/stepper.h"
#include "view/veil.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// Commands that take longer than this show progress; shorter ones would only flicker.
constexpr double kSecondsUntilBusy = 0.15;

void draw_card(const Theme& theme, ImDrawList& list, const ImRect& box) {
  list.AddRectFilled(box.Min, box.Max, theme.color(Role::Surface), theme.space(Space::Medium));
  list.AddRect(box.Min, box.Max, theme.color(Role::Line), theme.space(Space::Medium), theme.scale);
}

/// Between the cards, and between a card and the edge of the window. For a class the figures have the room.
float gap_of_cards(const Theme& theme) {
  return theme.space(theme.audience == Audience::Room ? Space::Small : Space::Medium);
}

/// Of the contents of a card.
ImVec2 margin_of_card(const Theme& theme) {
  return theme.audience == Audience::Room ? ImVec2(theme.space(Space::Medium), theme.space(Space::Small))
                                          : ImVec2(theme.space(Space::Large), theme.space(Space::Medium));
}

/// Around a card that the class should look at.
void draw_frame(const Theme& theme, const ImRect& box) {
  ImGui::GetWindowDrawList()->AddRect(box.Min, box.Max, theme.color(Role::Accent), theme.space(Space::Medium),
                                      theme.space(Space::Small));
}

/// A child window of the root, drawn on a card.
bool begin_card(const Theme& theme, const char* id, ImVec2 corner, ImVec2 size) {
  draw_card(theme, *ImGui::GetWindowDrawList(), ImRect(corner, corner + size));
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, margin_of_card(theme));
  const bool open = ImGui::BeginChild(
      id, size, ImGuiChildFlags_AlwaysUseWindowPadding,
      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  return open;
}

constexpr ImGuiWindowFlags kRootFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoDocking |
                                        ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoScrollWithMouse |
                                        // The frame is cleared to the background color already.
                                        ImGuiWindowFlags_NoBackground;

void begin_root() {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(viewport->WorkSize);
  ImGui::SetNextWindowViewport(viewport->ID);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("Lanescope", nullptr, kRootFlags);
  ImGui::PopStyleVar(3);
}

/// Dear ImGui takes the colors of a tab where its window begins: the tab in front is in ink, the others are
/// dim, and a line marks the front one where there are several.
bool begin_panel(const Context& context, PanelId id, const Panel& panel) {
  const Theme& theme = context.theme;
  const std::string title = std::string(context.text(title_of(id))) + window_of(id);
  const ImGuiWindow* known = ImGui::FindWindowByName(title.c_str());
  const bool docked = known != nullptr && known->DockNode != nullptr &&
                      ImGui::DockNodeGetRootNode(known->DockNode)->IsDockSpace();
  const bool in_front = !docked || known->DockTabIsVisible;
  const bool alone = !docked || known->DockNode->Windows.Size < 2;
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                           ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoFocusOnAppearing;
  if (docked) flags |= ImGuiWindowFlags_NoBackground;  // the card is drawn below
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      panel.fills_window() ? ImVec2(0, theme.space(Space::Hair))
                                           : ImVec2(theme.space(Space::Large), theme.space(Space::Medium)));
  const ColorScope text(ImGuiCol_Text, theme.color(in_front ? Role::Ink : Role::Dim));
  const ColorScope line(ImGuiCol_TabSelectedOverline, theme.color(Role::Accent, alone ? 0 : 1));
  const ColorScope dimmed(ImGuiCol_TabDimmedSelectedOverline, theme.color(Role::Accent, alone ? 0 : 1));
  return ImGui::Begin(title.c_str(), nullptr, flags);
}

/// A lesson has its launch and no program of a person's.
bool has_use_for(const session::Snapshot& now, PanelId id) {
  return !now.choices.lesson || (id != PanelId::Launch && id != PanelId::Program);
}

/// Whether the tab of the panel was clicked twice.
bool takes_double_click(PanelId id) {
  const ImGuiWindow* window = ImGui::FindWindowByName(window_of(id).c_str());
  return window != nullptr && window->DockNode != nullptr &&
         ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) &&
         window->DC.DockTabItemRect.Contains(ImGui::GetIO().MousePos) &&
         !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace

Workspace::Workspace() {
  for (const PanelRow& row : panel_rows()) panels_[static_cast<size_t>(row.id)] = row.make();
}

const plot::Figure* Workspace::figure(PanelId id) const {
  // A panel that is hidden now may have drawn an older run.
  return place(id) ? panel(id).figure() : nullptr;
}

double Workspace::seconds_until_motion() const {
  if (busy_shown_ || notices_.shown() || export_request_ || first_draws_.go_on()) return 0;
  double seconds = std::numeric_limits<double>::infinity();
  const auto wait_until = [&](const std::optional<double>& when) {
    if (when) seconds = std::min(seconds, std::max(0.0, *when - ImGui::GetTime()));
  };
  for (const auto& panel : panels_) wait_until(panel->moves_at());
  wait_until(announcement_.moves_at());
  return seconds;
}

void Workspace::draw_panel(PanelId id, const Context& around) {
  Context context = around;
  context.panel = id;
  if (id != PanelId::Timeline && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) hovered_panel_ = id;
  if (context.now.run && is_of_run(id) && !first_draws_.may_draw(id)) return;
  drawn_at_[static_cast<size_t>(id)] = ImGui::GetCurrentWindow()->Rect();
  const auto draw_present = [&](const Context& present) {
    panel(id).draw(present);
    draw_veil(present, busy_seconds());
  };
  if (Comparison::shows_both(context))
    comparison_.draw(context, panel(id), draw_present);
  else
    draw_present(context);
}

void Workspace::open_file(const Context& context) {
  if (context.actions.choose_file) return context.actions.choose_file();
  const session::Snapshot& now = context.now;
  file_dialog_.open(now.whole_program             ? now.whole_program->source
                    : now.choices.file            ? now.choices.file->path
                    : preferences_.recent.empty() ? std::filesystem::path()
                                                  : std::filesystem::path(preferences_.recent.front()));
}

void Workspace::draw_toolbar(const Context& context, ImVec2 corner, float width, float height) {
  if (begin_card(context.theme, "toolbar", corner, {width, height})) {
    if (focus_.starts()) {
      ImGui::FocusWindow(ImGui::GetCurrentWindow());
      ImGui::NavInitWindow(ImGui::GetCurrentWindow(), true);
      ImGui::SetNavCursorVisible(true);
    }
    const bool is_thin = context.theme.audience == Audience::Room;
    const ToolbarRequests requests =
        is_thin ? toolbar_.draw_thin(context, preferences_) : toolbar_.draw(context, preferences_);
    if (is_thin) announcement_.draw(context.theme, ImRect(corner, corner + ImVec2(width, height)));
    if (requests.enlarge) enlarged_ = requests.enlarge;
    if (requests.help) help_.open();
    if (requests.open) open_file(context);
    if (requests.export_window) export_dialog_.open_for_window(context);
    copy(context, requests.copy);
    if (requests.add_to_lecture) lecture_dialog_.open(names_of(shown_));
    if (requests.export_lecture) lecture_export_dialog_.open(context.now);
    if (requests.save_session) session_dialog_.open(context, session_of_window());
    if (requests.save_trace) trace_dialog_.open(context);
    if (requests.reset_layout) reset_layout();
  }
  ImGui::EndChild();
}

void Workspace::draw_progress(const Context& context, ImVec2 corner, float width) {
  const double time = ImGui::GetTime();
  if (!context.now.busy)
    busy_since_ = -1;
  else if (busy_since_ < 0)
    busy_since_ = time;
  busy_shown_ = context.now.busy;
  if (busy_since_ < 0 || time - busy_since_ < kSecondsUntilBusy) return;
  // A short bar that runs along the toolbar: the duration is unknown.
  const Theme& theme = context.theme;
  const float part = 0.18f, at = static_cast<float>(std::fmod(time * 0.6, 1.0)) * (1 + part) - part;
  const float left = corner.x + std::max(0.0f, at) * width,
              right = corner.x + std::min(1.0f, at + part) * width;
  ImGui::GetWindowDrawList()->AddRectFilled({left, corner.y}, {right, corner.y + 3 * theme.scale},
                                            theme.color(Role::Accent), 2 * theme.scale);
}

void Workspace::draw_dock_space(const Context& context, ImVec2 corner, ImVec2 size) {
  const Theme& theme = context.theme;
  const ImGuiID id = ImGui::GetID("panels");
  arrange(theme, id, corner, size);
  for_each_visible_node(id, [&](const ImGuiDockNode& node) {
    draw_card(theme, *ImGui::GetWindowDrawList(), node.Rect());
    if (is_looked_at(context.now, node)) draw_frame(theme, node.Rect());
  });
  ImGui::SetCursorScreenPos(corner);
  {
    // Tab bars are titles here: no background, and the strong face.
    const ColorScope title(ImGuiCol_TitleBg, 0), active(ImGuiCol_TitleBgActive, 0),
        node(ImGuiCol_DockingEmptyBg, 0);
    const ColorScope gap(ImGuiCol_WindowBg, theme.color(Role::Background)), edge(ImGuiCol_Border, 0);
    const FaceScope strong(theme, Face::Strong);
    ImGui::DockSpace(
        id, size,
        ImGuiDockNodeFlags_None | static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoWindowMenuButton));
  }
  // Panels come after the root window: they are separate windows.
}

/// The panels of the lesson in fixed places, without tabs. The docks stay as they are.
void Workspace::draw_stage(const Context& context, ImVec2 corner, ImVec2 size) {
  const Theme& theme = context.theme;
  ImGui::DockSpace(ImGui::GetID("panels"), {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
  const std::vector<PanelId> panels = staged_panels(shown_);
  const std::vector<ImRect> places =
      stage_places(panels.size(), ImRect(corner, corner + size), gap_of_cards(theme));
  for (size_t n = 0; n < panels.size(); ++n) {
    const ImRect& place = places[n];
    if (begin_card(theme, std::string(name_of(panels[n])).c_str(), place.Min, place.GetSize()))
      draw_panel(panels[n], context);
    ImGui::EndChild();
    if (std::ranges::count(looked_at(context.now), panels[n]) != 0) draw_frame(theme, place);
  }
}

void Workspace::draw_enlarged(const Context& context, ImVec2 corner, ImVec2 size) {
  // The docks of the others stay as they are.
  ImGui::DockSpace(ImGui::GetID("panels"), {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
  if (begin_card(context.theme, "enlarged", corner, size)) {
    const ImRect head(corner, corner + ImVec2(size.x, context.theme.control_height() * 1.3f));
    draw_panel(*enlarged_, context);
    if (head.Contains(ImGui::GetIO().MousePos) && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
      enlarged_.reset();
  }
  ImGui::EndChild();
}

void Workspace::draw_stepper(const Context& context, ImVec2 corner, ImVec2 size) {
  const bool is_compared = context.now.pinned && context.now.run;
  if (begin_card(context.theme, "stepper", corner, size)) {
    if (is_compared)
      ImGui::SetCursorPosY(ImGui::GetCursorPosY() + Comparison::timeline_height(context.theme));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_panel(PanelId::Timeline, context);
    if (is_compared) comparison_.draw_timeline(context, at.y);
  }
  ImGui::EndChild();
  // Bubbles are drawn above all else, also above a menu.
  if (!context.now.run || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  float left = context.theme.space(Space::Large);
  // Until it was done once.
  if (!preferences_.has_stepped && context.theme.audience == Audience::Reader)
    left = draw_bubble(context.theme, corner, left, context.text(Text::window_press_right));
  if (const LaneMask pinned = context.highlight.pinned; pinned.any())
    draw_bubble(context.theme, corner, left,
                context.phrase(Text::window_pinned, plot::lanes_name(context.language(), pinned)));
}

void Workspace::draw_lecture(const Context& context, ImVec2 corner, ImVec2 size) {
  if (begin_card(context.theme, "lecture", corner, size)) lecture_bar_.draw(context, corner, size);
  ImGui::EndChild();
}

void Workspace::draw_bars_and_panels(const Context& context) {
  const Theme& theme = context.theme;
  begin_root();
  const ImVec2 origin = ImGui::GetWindowPos(), whole = ImGui::GetWindowSize();
  const float gap = gap_of_cards(theme), width = whole.x - 2 * gap;
  ImVec2 corner = origin + ImVec2(gap, gap);
  const bool is_staged = theme.audience == Audience::Room;
  const auto rows =
      static_cast<float>(is_staged ? 1 : toolbar_.rows(context, width - 2 * theme.space(Space::Large)));
  const float toolbar =
      rows * theme.control_height() + (rows - 1) * theme.space(Space::Medium) + 2 * margin_of_card(theme).y;
  draw_toolbar(context, corner, width, toolbar);
  draw_progress(context, corner + ImVec2(theme.space(Space::Medium), 0),
                width - 2 * theme.space(Space::Medium));
  corner.y += toolbar + gap;
  // A finding may be what the class is to predict.
  const bool is_covered = LectureBar::is_covered(context.now, prediction_);
  if (context.now.error && !is_covered) draw_error_banner(context, corner, width);
  if (context.now.error || expects_errors(context.now)) corner.y += theme.control_height() + gap;
  // In front of a class the figures and the sentence have the room.
  const bool stepper =
      preferences_.shows(PanelId::Timeline) && !(context.now.lecture && preferences_.is_projected);
  const float row_of_a = context.now.pinned && context.now.run ? Comparison::timeline_height(theme) : 0;
  const float bar_height = stepper ? stepper_height(theme) + row_of_a : 0;
  float bottom = origin.y + whole.y - gap;
  if (const float lecture = LectureBar::height(context); lecture > 0) {
    draw_lecture(context, {corner.x, bottom - lecture}, {width, lecture});
    bottom -= lecture + gap;
  }
  const ImVec2 room{width, bottom - corner.y - (stepper ? bar_height + gap : 0)};
  if (enlarged_) {
    draw_enlarged(context, corner, room);
  } else if (is_staged) {
    draw_stage(context, corner, room);
  } else {
    draw_dock_space(context, corner, room);
  }
  if (stepper) draw_stepper(context, {corner.x, bottom - bar_height}, {width, bar_height});
  ImGui::End();

  if (enlarged_ || is_staged) return;
  for (const PanelRow& row : panel_rows()) {
    if (row.dock == Dock::Bar || !preferences_.shows(row.id) || !has_use_for(context.now, row.id)) continue;
    if (begin_panel(context, row.id, panel(row.id))) draw_panel(row.id, context);
    ImGui::End();
    ImGui::PopStyleVar();
    if (takes_double_click(row.id)) enlarged_ = row.id;
  }
}

void Workspace::take_export_request(const Context& context) {
  if (!export_request_) return;
  // A file is what the screen shows: a hidden panel is brought to the front first.
  constexpr int kFramesToAppear = 10;
  const auto panel = static_cast<size_t>(*export_request_);
  if (!drawn_at_[panel] && frames_until_export_++ < kFramesToAppear) {
    preferences_.shown[panel] = true;
    if (context.theme.audience == Audience::Room) enlarged_ = export_request_;
    ImGui::SetWindowFocus(window_of(*export_request_).c_str());
    return;
  }
  const bool has_a = context.now.pinned != nullptr;
  export_dialog_.open(context, figure(*export_request_),
                      has_a ? comparison_.figure_of_a(*export_request_) : nullptr);
  export_request_.reset();
  frames_until_export_ = 0;
}

void Workspace::say_written(const session::Snapshot& now, const Result<void>& done,
                            const std::string& place) {
  const Language language = now.choices.language;
  if (!done)
    notices_.add({true, describe(done.error())});
  else if (place.empty())
    notices_.add({false, std::string(say(language, Text::window_copied))});
  else
    notices_.add({false, phrase(language, Text::window_exported, place)});
}

void Workspace::copy(const Context& context, KeyRequests::Copy what) {
  if (what == KeyRequests::Copy::Nothing || !context.actions.take_picture) return;
  PictureRequest request;
  if (what == KeyRequests::Copy::Panel && hovered_panel_)
    if (const plot::Figure* shown = figure(*hovered_panel_)) request.figures = {*shown};
  context.actions.take_picture(std::move(request));
}

double Workspace::busy_seconds() const { return busy_since_ < 0 ? -1 : ImGui::GetTime() - busy_since_; }

void Workspace::take_keys(const Context& context) {
  // A dialog has the keys to itself.
  if (ImGui::GetTopMostPopupModal() != nullptr) return;
  if (ImGui::GetIO().WantTextInput && shows_run_card(context.now, busy_seconds()) &&
      ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    // The card's "Cancel (Esc)" counts before the text: an editor does not see the key.
    ImGui::SetKeyOwner(ImGuiKey_Escape, ImHashStr("run_card"), ImGuiInputFlags_LockThisFrame);
    for (session::Command& refused : refusal(context.now)) context.post(std::move(refused));
    return;
  }
  const KeyRequests requests = post_keys(context, preferences_, focus_.has_keys());
  if (requests.help) help_.open();
  if (requests.open) open_file(context);
  if (requests.full_screen && context.actions.toggle_full_screen) context.actions.toggle_full_screen();
  if (requests.frame_rate) preferences_.shows_frame_rate = !preferences_.shows_frame_rate;
  // Escape closes a menu first, then ends a run, then a panel's filling of the window, then the pin.
  const bool has_menu = focus_.has_menu();
  if (requests.leave && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::ClosePopupToLevel(0, true);
  std::vector<session::Command> refused = refusal(context.now);
  const bool has_work = !refused.empty();
  if (requests.leave && !has_menu)
    for (session::Command& command : refused) context.post(std::move(command));
  if (requests.leave && !has_menu && !has_work) {
    if (!enlarged_) hovered_.pinned = {};
    enlarged_.reset();
  }
  if (requests.enlarge && !has_menu) enlarged_ = enlarged_ ? std::nullopt : hovered_panel_;
  copy(context, requests.copy);
  if (requests.play) panel(PanelId::Timeline).toggle_play(context);
  if (requests.next_step) turn_lecture(Turn::Forwards);
  if (requests.previous_step) turn_lecture(Turn::Backwards);
}

Context Workspace::begin_frame(const session::Snapshot& now, const Theme& theme, const Actions& actions) {
  hovered_ = {};
  hovered_.pinned = highlight_.pinned;
  prediction_.follow(now);
  first_draws_.begin_frame();
  drawn_at_.fill({});
  return {now,          theme,       highlight_,   hovered_,        actions,
          preferences_, prediction_, new_notices_, &export_request_};
}

void Workspace::draw(const session::Snapshot& now, const Theme& theme, const Actions& actions) {
  const Context context = begin_frame(now, theme, actions);
  focus_.advance();
  lecture_bar_.follow(context);
  take_keys(context);
  while (!lecture_turns_.empty() && !lecture_bar_.waits()) {
    lecture_turns_.front() == Turn::Forwards ? lecture_bar_.next(context) : lecture_bar_.back(context);
    lecture_turns_.erase(lecture_turns_.begin());
  }
  for (const auto& panel : panels_) panel->advance(context);
  follow_opening(now);
  announcement_.follow(context);
  follow_session(now);
  follow_lecture(now);
  draw_bars_and_panels(context);
  bring_forward(now);
  turns_.follow(now);
  note_recent(now, preferences_);
  take_export_request(context);
  file_dialog_.draw(context);
  leave_dialog_.draw(context, typing(now));
  if (auto notice = session_dialog_.draw(context)) notices_.add(*std::move(notice));
  if (auto notice = trace_dialog_.draw(context)) notices_.add(*std::move(notice));
  if (auto notice = lecture_dialog_.draw(context)) notices_.add(*std::move(notice));
  lecture_export_dialog_.draw(context);
  if (auto notice = export_dialog_.draw(context)) notices_.add(*std::move(notice));
  help_.draw(context);
  draw_run_card(context, busy_seconds());
  continue_card_.draw(context);
  for (session::Notice& notice : std::exchange(new_notices_, {})) notices_.add(std::move(notice));
  notices_.draw(theme);
  focus_.go_on();
  if (preferences_.shows_frame_rate && actions.frame_rate) draw_frame_readout(context, actions.frame_rate());
  highlight_ = hovered_;
}

void Workspace::draw_alone(PanelId id, const session::Snapshot& now, const Theme& theme,
                           const Actions& actions) {
  const Context context = begin_frame(now, theme, actions);
  begin_root();
  const float gap = theme.space(Space::Medium);
  if (begin_card(theme, "alone", ImGui::GetWindowPos() + ImVec2(gap, gap),
                 ImGui::GetWindowSize() - ImVec2(2 * gap, 2 * gap)))
    draw_panel(id, context);
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace lanescope::view
