// The editor of a source. Method: ImGuiColorTextEdit has the text, its undo and its cursors; this class gives
// it the bytes of a file and takes them back (editor_text.h), posts them when no key was pressed for a
// while, and draws costs, errors and the current line beside them, which stay with their lines while one
// types. Tests: tests/gui/editor_test.cpp

#pragma once

#include "session/command.h"
#include "session/source_texts.h"
#include "view/source/editor_text.h"
#include "view/source/source_marks.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

class TextEditor;

namespace lanescope::view {

/// Larger texts are not edited here.
inline constexpr size_t kMostEditedBytes = size_t{1} << 20;

class SourceEditor {
 public:
  SourceEditor();
  ~SourceEditor();
  SourceEditor(const SourceEditor&) = delete;
  SourceEditor& operator=(const SourceEditor&) = delete;

  bool is_open() const { return !file_.empty(); }
  const std::filesystem::path& file() const { return file_; }
  /// Begins with the text as it is, with the cursor on `line`.
  void open(const Context& context, const session::SourceText& text, int line);
  /// Posts what was not posted yet.
  void close(const Context& context);
  /// Takes the session's text where it was replaced by other means than this editor.
  void follow(const session::SourceText& text);

  /// `marked`: the text that the marks are of.
  void draw(const Context& context, const SourceMarks& marks, const std::string& marked,
            float width_of_prices, ImVec2 size);
  /// The line of the marked text that the cursor is on; 0 where it is a new one.
  int line() const;
  bool has_focus() const { return has_focus_; }
  void focus();

  bool can_undo() const;
  bool can_redo() const;
  void undo();
  void redo();
  /// Selects the next place, ignoring upper and lower case. Returns whether there is one.
  bool find_next(const std::string& text);
  void replace(const std::string& text, const std::string& by);
  void replace_all(const std::string& text, const std::string& by);

  /// Whether there are changes that wait for a pause of the keys.
  bool waits() const { return is_changed_; }
  /// The text where the session does not have it yet: it waits for the pause, or for the session.
  std::optional<session::EditedText> typed(const session::Snapshot& now) const;
  /// When the pause ends, by Dear ImGui's clock; nothing where none is waited for.
  std::optional<double> posts_at() const;
  /// Posts them after the pause.
  void post_rested(const Context& context);
  void post(const Context& context);

 private:
  void load(const std::string& bytes);
  std::string text() const;
  void match_lines(const std::string& marked);
  void put_marks(const Context& context, const SourceMarks& marks);
  void draw_beside(const Context& context, const SourceMarks& marks, size_t line, float left,
                   float width) const;
  int marked_line(size_t line) const;

  std::unique_ptr<TextEditor> editor_;
  std::filesystem::path file_;
  EditorText opened_;
  std::string posted_;                       // bytes
  std::optional<session::EditedText> sent_;  // of the last SetText that changed something
  uint64_t sent_number_ = 0;
  uint64_t number_ = 0;      // of the last SetText
  bool is_changed_ = false;  // since they were posted
  double changed_at_ = 0;
  bool has_focus_ = false;
  bool is_matched_ = false;  // the lines know which ones of the marked text they are
  std::string matched_;      // that text
  std::string marks_key_;    // of the marks that the editor has
};

}  // namespace lanescope::view
