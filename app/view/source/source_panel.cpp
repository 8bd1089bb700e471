// The kernel's text with what each line costs, its headers, the editor, and the PTX of a line below it. A
// compile error shows the compiler's log, with its lines marked. Tests: tests/gui/stepping_test.cpp,
// tests/gui/output_test.cpp, tests/gui/source_test.cpp, tests/gui/editor_test.cpp

#include "lesson/source_mark.h"
#include "session/failed_run.h"
#include "view/dialogs/save_dialog.h"
#include "view/panel.h"
#include "view/panel_header.h"
#include "view/source/ptx_listing.h"
#include "view/source/source_bar.h"
#include "view/source/source_editor.h"
#include "view/source/source_listing.h"
#include "view/source/source_marks.h"
#include "view/stepping.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// Which access is shown: another one is looked for in the source again.
struct ShownAccess {
  uint64_t run = 0;
  uint32_t block = 0, warp = 0, access = 0;
  bool operator==(const ShownAccess&) const = default;
};

class SourcePanel : public Panel {
 public:
  void draw(const Context& context) override;
  bool fills_window() const override { return true; }
  void advance(const Context& context) override { editor_.post_rested(context); }
  std::optional<double> moves_at() const override { return editor_.posts_at(); }
  std::optional<session::EditedText> typed(const session::Snapshot& now) const override {
    return editor_.typed(now);
  }

 private:
  void follow(const Context& context);
  void follow_toggles(const session::Choices& choices);
  void read_prices(const Context& context);
  void draw_log(const Context& context);
  void draw_bar(const Context& context);
  void take(const Context& context, const SourceRequests& requests);
  void take_edit(const Context& context);
  void save(const Context& context, session::SaveText::Existing existing);
  void draw_find(const Context& context);
  void draw_text(const Context& context, const SourceMarks& marks, ImVec2 size);
  void draw_ptx(const Context& context, const SourceMarks& marks);
  void draw_splitter(const Context& context, float room);
  const session::SourceText* shown(const session::Snapshot& now) const;
  const std::string& text_of(const session::Snapshot& now) const;
  std::string name_of(const session::Snapshot& now) const;
  std::string subtitle_of(const Context& context) const;

  SourceListing listing_;
  std::string marked_text_, unmarked_text_;  // of a lesson, as it was read last; without the marks
  PtxListing ptx_;
  SourceEditor editor_;
  FindBar find_;
  bool is_found_ = true;
  SaveDialog save_dialog_;
  size_t file_ = 0;           // of the sources, the one that is shown
  std::filesystem::path of_;  // the source that file_ counts from
  ShownAccess access_;
  lesson::Settings settings_;   // of the last frame
  std::string offered_toggle_;  // was changed last
  int marked_line_ = 0;         // that a person asked for
  int hovered_line_ = 0;        // in the listing, in the last frame
  int hovered_ptx_line_ = 0;    // the line of the instruction under the pointer
  float ptx_share_ = 0.24f;     // of the panel's height
  std::vector<Price> prices_;   // of the run and in the language of prices_of_
  std::optional<std::pair<uint64_t, Language>> prices_of_;
};

const session::ToggleLine* line_of_toggle(const session::SourceTexts& sources, const std::string& toggle) {
  const auto found = std::ranges::find(sources.toggles, toggle, &session::ToggleLine::toggle);
  return found == sources.toggles.end() ? nullptr : &*found;
}

}  // namespace

const session::SourceText* SourcePanel::shown(const session::Snapshot& now) const {
  return now.sources && file_ < now.sources->files.size() ? &now.sources->files[file_] : nullptr;
}

const std::string& SourcePanel::text_of(const session::Snapshot& now) const {
  if (file_ != 0 && shown(now) != nullptr) return *shown(now)->text;
  const session::FailedRun* failed = failed_text(now);
  return failed != nullptr ? failed->source_text : now.run->source_text;
}

std::string SourcePanel::name_of(const session::Snapshot& now) const {
  if (file_ != 0 && shown(now) != nullptr) return shown(now)->name;
  const session::FailedRun* failed = failed_text(now);
  return failed != nullptr ? failed->source_name : now.run->source_name;
}

/// What is shown, and whether it is saved.
std::string SourcePanel::subtitle_of(const Context& context) const {
  const session::Snapshot& now = context.now;
  if (!now.run && failed_text(now) == nullptr) return {};
  std::string subtitle = file_name(name_of(now));
  const session::SourceText* text = shown(now);
  if (text != nullptr && text->is_edited)
    subtitle += " · " + (text->is_saved ? context.phrase(Text::window_saved_in, context.shown(text->target))
                                        : std::string(context.text(Text::window_not_saved)));
  else if (failed_text(now) == nullptr)
    subtitle += " · " + std::string(context.text(pipeline::units_of(*now.run) == model::CostUnits::Sectors
                                                     ? Text::window_cost_column
                                                     : Text::window_device_cost_column));
  return subtitle;
}

/// The toggle that was changed last, by whatever means, is offered.
void SourcePanel::follow_toggles(const session::Choices& choices) {
  if (choices.settings == settings_) return;
  const bool is_same_lesson = choices.settings.values.size() == settings_.values.size();
  std::string changed;
  for (const auto& [name, value] : choices.settings.values)
    if (const auto before = settings_.values.find(name);
        before != settings_.values.end() && before->second != value)
      changed = name;
  settings_ = choices.settings;
  if (!is_same_lesson)
    offered_toggle_.clear();
  else if (!changed.empty())
    offered_toggle_ = changed;
}

void SourcePanel::follow(const Context& context) {
  const session::Snapshot& now = context.now;
  follow_toggles(now.choices);
  const std::filesystem::path own =
      now.sources && !now.sources->files.empty() ? now.sources->files.front().path : std::filesystem::path();
  if (std::exchange(of_, own) != own || shown(now) == nullptr) file_ = 0;
  if (editor_.is_open()) {
    const auto& files = now.sources->files;
    const auto edited = std::ranges::find(files, editor_.file(), &session::SourceText::path);
    if (edited == files.end()) {
      editor_.close(context);
    } else {
      file_ = static_cast<size_t>(edited - files.begin());
      editor_.follow(*edited);
    }
  }
  const pipeline::Selection& selection = now.selection;
  const ShownAccess access{now.run_generation, selection.cta.value, selection.warp.value, selection.access};
  if (std::exchange(access_, access) == access) return;
  marked_line_ = 0;
  // A header in which the access is not gives way to the source.
  if (file_ != 0 && !editor_.is_open() && now.run &&
      marks_of(context, name_of(now), false, prices_).current == 0)
    file_ = 0;
}

void SourcePanel::read_prices(const Context& context) {
  const std::pair wanted{context.now.run_generation, context.language()};
  if (prices_of_ == wanted) return;
  prices_of_ = wanted;
  prices_ = prices_of(context);
}

/// What the compiler says, in full; while one edits, the first error, since each is on its line.
void SourcePanel::draw_log(const Context& context) {
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  if (!now.error || now.error->kind != ErrorKind::Compile) return;
  if (editor_.is_open()) {
    const bool is_placed = now.failed && !now.failed->errors.empty();
    const std::string message =
        is_placed ? fmt::format("{}:{}: {}", file_name(now.failed->errors.front().file),
                                now.failed->errors.front().line, now.failed->errors.front().message)
                  : now.error->message.substr(0, now.error->message.find('\n'));
    ImGui::Indent(theme.space(Space::Large));
    paragraph(theme, {Face::Strong, kSmallText, Color::of(Role::Bad)}, message);
    ImGui::Unindent(theme.space(Space::Large));
    return;
  }
  paragraph(theme, {Face::Strong, 1, Color::of(Role::Bad)}, context.text(Text::window_compile_failed));
  const bool has_text = failed_text(now) != nullptr;
  ImGui::BeginChild("log", {0, has_text ? ImGui::GetContentRegionAvail().y * 0.3f : 0}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_HorizontalScrollbar);
  {
    // The face ends before the child does.
    const FaceScope mono(theme, Face::Mono, kCode);
    // Its first line says no more than the heading.
    const std::string& log = now.error->message;
    ImGui::TextUnformatted(begin_of(std::string_view(log).substr(std::min(log.find('\n') + 1, log.size()))),
                           end_of(log));
  }
  ImGui::EndChild();
}

void SourcePanel::take_edit(const Context& context) {
  const session::SourceText& text = *shown(context.now);
  if (editor_.is_open()) {
    find_.close();
    editor_.close(context);
    listing_.follow();
    return;
  }
  const SourceMarks marks = marks_of(context, name_of(context.now), file_ == 0, prices_);
  editor_.open(context, text, marked_line_ != 0 ? marked_line_ : marks.current);
}

void SourcePanel::save(const Context& context, session::SaveText::Existing existing) {
  if (editor_.is_open()) editor_.post(context);
  context.post(session::SaveText{shown(context.now)->path, {}, existing});
}

void SourcePanel::take(const Context& context, const SourceRequests& requests) {
  using Existing = session::SaveText::Existing;
  const session::SourceTexts& sources = *context.now.sources;
  const auto show = [&](size_t file) {
    if (file == file_) return;
    if (editor_.is_open()) editor_.close(context);
    file_ = file;
    marked_line_ = 0;
    listing_.follow();
  };
  if (requests.file) show(*requests.file);
  if (const auto* line = line_of_toggle(sources, offered_toggle_); requests.toggle_line && line != nullptr) {
    show(line->file);
    marked_line_ = line->line;
    listing_.show_line(line->line);
  }
  const session::SourceText& text = *shown(context.now);
  const bool has_edits = text.is_edited || editor_.waits();
  if (requests.save && has_edits) save(context, Existing::Keep);
  if (requests.replace) save(context, Existing::Replace);
  if (requests.save_as) {
    if (editor_.is_open()) editor_.post(context);
    save_dialog_.open(text.path, text.target);
  }
  if (requests.choose) context.post(session::ChooseText{text.path, *requests.choose});
  if (requests.undo) editor_.undo();
  if (requests.redo) editor_.redo();
  if (requests.find) find_.open();
  const bool is_typing_on =
      requests.undo || requests.redo || requests.save || requests.replace || requests.choose;
  if (is_typing_on && editor_.is_open()) editor_.focus();
  if (requests.edit) take_edit(context);
}

void SourcePanel::draw_bar(const Context& context) {
  const session::Snapshot& now = context.now;
  if (shown(now) == nullptr) return;
  SourceBar bar{.sources = now.sources.get(), .shown = file_};
  bar.toggle = line_of_toggle(*now.sources, offered_toggle_);
  bar.is_editing = editor_.is_open();
  bar.can_undo = editor_.can_undo();
  bar.can_redo = editor_.can_redo();
  bar.is_too_large = shown(now)->text->size() > kMostEditedBytes;
  take(context, draw_source_bar(context, bar));
}

void SourcePanel::draw_find(const Context& context) {
  if (!editor_.is_open()) return;
  const FindBar::Request request = find_.draw(context, is_found_);
  if (request.next) is_found_ = editor_.find_next(find_.text());
  if (request.replace) editor_.replace(find_.text(), find_.by());
  if (request.replace_all) editor_.replace_all(find_.text(), find_.by());
  if (!request.closed) return;
  find_.close();
  editor_.focus();
}

void SourcePanel::draw_text(const Context& context, const SourceMarks& marks, ImVec2 size) {
  const float width = price_width(context.theme, prices_);
  if (editor_.is_open()) {
    editor_.draw(context, marks, text_of(context.now), width, size);
    hovered_line_ = 0;
    return;
  }
  // The marks of a lesson's lines are for its text, not for who reads the source.
  const std::string& text = text_of(context.now);
  if (context.now.choices.lesson && text != marked_text_) {
    marked_text_ = text;
    unmarked_text_ = lesson::without_marks(text);
  }
  listing_.read(context.now.choices.lesson ? unmarked_text_ : text, syntax_of_source(name_of(context.now)));
  const int marked = hovered_ptx_line_ != 0 ? hovered_ptx_line_ : marked_line_;
  const SourceListing::Pointer pointer = listing_.draw(context, marks, width, marked, size);
  hovered_line_ = pointer.hovered;
  if (pointer.clicked == 0) return;
  marked_line_ = pointer.clicked;
  if (file_ == 0) go_to_line(context, pointer.clicked);
}

void SourcePanel::draw_splitter(const Context& context, float room) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, theme.space(Space::Medium)};
  ImGui::InvisibleButton("splitter", size);
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  if (held) ptx_share_ = std::clamp(ptx_share_ - ImGui::GetIO().MouseDelta.y / room, 0.1f, 0.8f);
  if (held || hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
  ImGui::GetWindowDrawList()->AddLine(at + ImVec2(0, size.y / 2), at + ImVec2(size.x, size.y / 2),
                                      theme.color(held || hovered ? Role::Accent : Role::Line), theme.scale);
}

/// Of the line under the pointer, else of the cursor, of the line that was clicked, of the current access.
void SourcePanel::draw_ptx(const Context& context, const SourceMarks& marks) {
  const int picked = editor_.is_open() ? editor_.line() : marked_line_ != 0 ? marked_line_ : marks.current;
  ptx_.read(context.now.run->ptx_text, name_of(context.now));
  const bool is_hovered = hovered_line_ != 0;
  hovered_ptx_line_ = ptx_.draw(context, is_hovered ? hovered_line_ : picked, is_hovered);
}

void SourcePanel::draw(const Context& context) {
  const bool has_text = context.now.run && !context.now.run->source_text.empty();
  if (!has_text && draw_not_saved(context, Text::window_trace_no_source, Text::window_trace_no_source_why))
    return;
  const Theme& theme = context.theme;
  const session::Snapshot& now = context.now;
  const session::FailedRun* failed = failed_text(now);
  follow(context);
  draw_header(context, {.subtitle = subtitle_of(context)});
  if (!now.run && failed == nullptr) {
    draw_log(context);
    if (!now.error)
      empty_state(theme, context.text(now.busy ? Text::window_working : Text::window_no_kernel),
                  context.text(now.busy ? Text::window_working_on : Text::window_choose_kernel));
    else if (now.error->kind != ErrorKind::Compile)
      empty_state(theme, context.text(Text::window_no_run), describe(*now.error));
    return;
  }
  read_prices(context);
  // What was pinned is not edited.
  const bool is_a = context.compared != nullptr && context.compared->side == session::Side::A;
  if (!is_a) draw_bar(context);
  draw_find(context);
  draw_log(context);
  const SourceMarks marks = marks_of(context, name_of(now), file_ == 0, prices_);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float least = 3 * code_line_height(theme);
  // While one types, the place of the PTX stays where it is.
  const bool wants_ptx = failed == nullptr || (editor_.is_open() && now.run);
  const bool has_ptx = wants_ptx && room.y > least + theme.control_height() + 2 * least;
  if (!has_ptx) {
    draw_text(context, marks, room);
  } else {
    const float ptx = std::round(std::max(room.y * ptx_share_, theme.control_height() + least));
    draw_text(context, marks, {room.x, std::max(least, room.y - ptx - theme.space(Space::Medium))});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    draw_splitter(context, room.y);
    if (failed == nullptr)
      draw_ptx(context, marks);
    else
      paragraph(
          theme, {Face::Regular, kSmallText, Color::of(Role::Dim)},
          "   " + std::string(context.text(now.busy ? Text::window_running : Text::window_compile_failed)));
    ImGui::PopStyleVar();
  }
  save_dialog_.draw(context);
}

std::unique_ptr<Panel> make_source_panel() { return std::make_unique<SourcePanel>(); }

}  // namespace lanescope::view
