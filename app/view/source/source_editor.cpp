#include "view/source/source_editor.h"

#include "view/code.h"
#include "view/source/line_match.h"
#include "view/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <TextEditor.h>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

constexpr double kPauseSeconds = 0.4;

const TextEditor::Language* cuda() {
  static const TextEditor::Language kCuda = [] {
    TextEditor::Language language = *TextEditor::Language::Cpp();
    language.name = "CUDA C++";
    for (const std::string_view word : cuda_keywords()) language.keywords.emplace(word);
    for (const std::string_view word : cuda_types()) {
      language.keywords.erase(std::string(word));
      language.declarations.emplace(word);
    }
    return language;
  }();
  return &kCuda;
}

TextEditor::Palette palette_of(const Theme& theme) {
  TextEditor::Palette palette;
  palette.fill(theme.color(Role::Ink));
  const auto set = [&](TextEditor::Color which, Role role, float opacity = 1) {
    palette[static_cast<size_t>(which)] = theme.color(role, opacity);
  };
  using Part = TextEditor::Color;
  set(Part::keyword, Role::SyntaxKeyword);
  set(Part::declaration, Role::SyntaxType);
  set(Part::number, Role::SyntaxNumber);
  set(Part::string, Role::SyntaxString);
  set(Part::preprocessor, Role::SyntaxKeyword);
  set(Part::comment, Role::SyntaxComment);
  set(Part::background, Role::Sunken);
  set(Part::selection, Role::Accent, 0.35f);
  set(Part::whitespace, Role::Line);
  set(Part::matchingBracketBackground, Role::Accent, 0.2f);
  set(Part::matchingBracketActive, Role::Accent);
  set(Part::matchingBracketError, Role::Bad);
  set(Part::lineNumber, Role::Dim);
  set(Part::currentLineHighlight, Role::Line, 0.25f);
  set(Part::currentLineHighlightBorder, Role::Line, 0);
  return palette;
}

}  // namespace

SourceEditor::SourceEditor() : editor_(std::make_unique<TextEditor>()) {
  editor_->SetWordWrapEnabled(true);
  TextEditor::LineBreakConfig breaks;
  breaks.breakAfter = " \t" + std::string(kBreakAfter);
  breaks.breakBefore.clear();
  editor_->SetLineBreakConfig(breaks);
  editor_->SetFindReplaceEnabled(false);  // its window is wider than a panel
  editor_->SetShowWhitespacesEnabled(false);
  editor_->SetCompletePairedGlyphs(false);
  editor_->SetShowMatchingBrackets(true);
  editor_->SetShowScrollbarMiniMapEnabled(false);
  editor_->SetShowPanScrollIndicatorEnabled(false);
  editor_->SetTabSize(4);
  editor_->SetTransactionCallback([this](const std::vector<TextEditor::Change>&) {
    is_changed_ = true;
    changed_at_ = ImGui::GetTime();
  });
}

SourceEditor::~SourceEditor() = default;

/// The editor ends every line that is not empty, also the last one.
std::string SourceEditor::text() const {
  std::string text = editor_->GetText();
  if (!editor_->GetLineText(editor_->GetLineCount() - 1).empty()) text.pop_back();
  return text;
}

void SourceEditor::load(const std::string& bytes) {
  opened_ = editor_text(bytes);
  posted_ = bytes;
  editor_->SetText(opened_.text);
  opened_.text.clear();  // the editor has it
  is_changed_ = is_matched_ = false;
  marks_key_.clear();
}

void SourceEditor::open(const Context& context, const session::SourceText& text, int line) {
  file_ = text.path;
  editor_->SetLanguage(file_.extension() == ".ptx" ? nullptr : cuda());
  load(*text.text);
  const auto index = static_cast<size_t>(std::max(line, 1)) - 1;
  editor_->SetCursor({index, 0});
  editor_->ScrollToLine(index);
  editor_->SetFocus();
  number_ = std::max(number_, text.edit);
  context.post(session::SetText{file_, posted_, ++number_});
}

void SourceEditor::close(const Context& context) {
  post(context);
  file_.clear();
  has_focus_ = false;
}

void SourceEditor::follow(const session::SourceText& text) {
  if (is_changed_ || text.edit != number_ || *text.text == posted_) return;
  const TextEditor::DocPos cursor = editor_->GetMainCursorPosition();
  load(*text.text);
  editor_->SetCursor(cursor);
}

void SourceEditor::post(const Context& context) {
  if (!is_changed_) return;
  is_changed_ = false;
  is_matched_ = false;
  std::string now = file_bytes(text(), opened_);
  if (now == posted_) return;
  posted_ = std::move(now);
  sent_ = session::EditedText{file_, posted_};
  sent_number_ = ++number_;
  context.post(session::SetText{file_, posted_, number_});
}

std::optional<session::EditedText> SourceEditor::typed(const session::Snapshot& now) const {
  if (is_open() && is_changed_) return session::EditedText{file_, file_bytes(text(), opened_)};
  if (!sent_ || !now.sources) return {};
  const auto known = std::ranges::find(now.sources->files, sent_->file, &session::SourceText::path);
  return known != now.sources->files.end() && known->edit < sent_number_ ? sent_ : std::nullopt;
}

std::optional<double> SourceEditor::posts_at() const {
  return is_changed_ ? std::optional(changed_at_ + kPauseSeconds) : std::nullopt;
}

void SourceEditor::post_rested(const Context& context) {
  if (is_changed_ && ImGui::GetTime() >= changed_at_ + kPauseSeconds) post(context);
}

bool SourceEditor::can_undo() const { return editor_->CanUndo(); }
bool SourceEditor::can_redo() const { return editor_->CanRedo(); }
void SourceEditor::undo() { editor_->Undo(); }
void SourceEditor::redo() { editor_->Redo(); }
void SourceEditor::focus() { editor_->SetFocus(); }

bool SourceEditor::find_next(const std::string& text) {
  if (text.empty()) return false;
  editor_->SelectNextOccurrenceOf(text, false, false);
  const auto selected = editor_->GetMainCursorSelection();
  return editor_->GetSectionText(selected).size() == text.size();
}

void SourceEditor::replace(const std::string& text, const std::string& by) {
  if (text.empty()) return;
  if (editor_->MainCursorHasSelection()) editor_->ReplaceTextInCurrentCursor(by);
  find_next(text);
}

void SourceEditor::replace_all(const std::string& text, const std::string& by) {
  if (!find_next(text)) return;
  editor_->SelectAllOccurrencesOf(text, false, false);
  editor_->ReplaceTextInAllCursors(by);
}

/// Each line keeps its number in the marked text, also when lines are inserted above it.
void SourceEditor::match_lines(const std::string& marked) {
  if (is_matched_ && matched_ == marked) return;
  is_matched_ = true;
  matched_ = marked;
  EditorText ran = editor_text(marked);
  const std::vector<int> matched = matching_lines(ran.text, text());
  for (size_t line = 0; line < matched.size() && line < editor_->GetLineCount(); ++line)
    editor_->SetUserData(line, reinterpret_cast<void*>(static_cast<intptr_t>(matched[line])));
  marks_key_.clear();
}

int SourceEditor::marked_line(size_t line) const {
  return static_cast<int>(reinterpret_cast<intptr_t>(editor_->GetUserData(line)));
}

int SourceEditor::line() const { return marked_line(editor_->GetMainCursorPosition().line); }

/// The colors behind the lines; the editor moves them with their lines.
void SourceEditor::put_marks(const Context& context, const SourceMarks& marks) {
  const Theme& theme = context.theme;
  std::string key = fmt::format("{} {} {}", static_cast<int>(theme.mode), marks.current, marks.hinted);
  for (const auto& [line, message] : marks.errors) key += fmt::format(" e{}", line);
  for (const auto& [line, message] : marks.hazards) key += fmt::format(" h{}", line);
  if (key == marks_key_) return;
  marks_key_ = key;
  editor_->SetPalette(palette_of(theme));
  editor_->ClearMarkers();
  for (size_t line = 0; line < editor_->GetLineCount(); ++line) {
    const int ran = marked_line(line);
    if (ran == 0) continue;
    const bool has_error = marks.errors.contains(ran), has_hazard = marks.hazards.contains(ran);
    const bool is_shown = ran == marks.current || ran == marks.hinted;
    if (!has_error && !has_hazard && !is_shown) continue;
    const ImU32 number =
        has_error || has_hazard ? theme.color(Role::Bad, 0.35f) : theme.color(Role::Accent, 0.3f);
    const ImU32 text = has_error  ? theme.color(Role::Bad, 0.16f)
                       : is_shown ? theme.color(Role::AccentSoft)
                                  : 0;
    editor_->AddMarker(line, number, text, "", "");
  }
}

/// Price in front of the line, an error after it, and what the pointer over it says. The editor's own
/// position of a decoration is wrong after a wrapped line, that of a character is right.
void SourceEditor::draw_beside(const Context& context, const SourceMarks& marks, size_t line, float left,
                               float width) const {
  const Theme& theme = context.theme;
  const int ran = marked_line(line);
  if (ran == 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = editor_->GetLineHeight();
  const float top = editor_->DocPos2ScreenPos({line, 0}).y;
  const Price* price = marks.prices != nullptr && static_cast<size_t>(ran) <= marks.prices->size()
                           ? &(*marks.prices)[static_cast<size_t>(ran) - 1]
                           : nullptr;
  if (price != nullptr) draw_price(theme, list, {left + width, top + height / 2}, *price);
  const auto error = marks.errors.find(ran), hazard = marks.hazards.find(ran);
  const ImVec2 end = editor_->DocPos2ScreenPos({line, editor_->GetLineText(line).size()});
  if (error != marks.errors.end()) {
    const float from = end.x + theme.em(1.5f);
    const float room = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - from - theme.em(1);
    if (room > theme.em(4))
      draw_text(theme, list, {from, end.y + height / 2}, {Face::Strong, kSmallText, Color::of(Role::Bad)},
                error->second, room);
  }
  const float window_left = ImGui::GetWindowPos().x, window_right = window_left + ImGui::GetWindowWidth();
  if (!ImGui::IsWindowHovered() ||
      !ImGui::IsMouseHoveringRect({window_left, top}, {window_right, end.y + height}))
    return;
  const FaceScope plain(theme, Face::Regular);
  const bool is_in_front = ImGui::GetIO().MousePos.x < left + width;
  if (error != marks.errors.end())
    tooltip(theme, error->second);
  else if (hazard != marks.hazards.end())
    tooltip(theme, hazard->second);
  else if (is_in_front && price != nullptr && !price->tip.empty())
    tooltip(theme, price->tip);
}

void SourceEditor::draw(const Context& context, const SourceMarks& marks, const std::string& marked,
                        float width_of_prices, ImVec2 size) {
  const Theme& theme = context.theme;
  match_lines(marked);
  put_marks(context, marks);
  const FaceScope mono(theme, Face::Mono, kCode);
  const float font = theme.font_size(Face::Mono, theme.em(kCode));
  editor_->SetLineSpacing(code_line_height(theme) / font);
  const auto glyphs = static_cast<size_t>(std::ceil(width_of_prices / code_advance(theme)));
  has_focus_ = false;
  editor_->SetLineDecorator(glyphs, [&](const TextEditor::Decorator& at) {
    has_focus_ |= ImGui::IsWindowFocused();
    draw_beside(context, marks, at.line, ImGui::GetCursorScreenPos().x, at.width);
  });
  editor_->Render("editor", size, ImGuiChildFlags_None, ImGuiWindowFlags_NoMove);
  editor_->SetLineDecorator(glyphs, [](const TextEditor::Decorator&) {});
}

}  // namespace lanescope::view
