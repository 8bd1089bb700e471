// The row of buttons above a source: its files, the line that a toggle changes, and what an editor needs.
// Each is pressed by its name. Tests: tests/gui/editor_test.cpp, tests/gui/source_test.cpp

#pragma once

#include "session/source_texts.h"
#include "view/context.h"

#include <optional>
#include <string>

namespace lanescope::view {

/// What the source panel is asked for in a frame.
struct SourceRequests {
  std::optional<size_t> file;  // to be shown
  bool toggle_line = false;    // the line of the toggle that is offered
  bool edit = false;           // begin or end
  bool undo = false, redo = false, find = false;
  bool save = false, save_as = false;
  std::optional<session::ChooseText::Which> choose;
  bool replace = false;  // the copy from before
};

struct SourceBar {
  const session::SourceTexts* sources = nullptr;
  size_t shown = 0;                             // of the files
  const session::ToggleLine* toggle = nullptr;  // that is offered
  bool is_editing = false, can_undo = false, can_redo = false;
  bool is_too_large = false;  // to be edited
};

/// Draws the row and what is to be decided about the text that is shown. Takes its keys too.
SourceRequests draw_source_bar(const Context& context, const SourceBar& bar);

/// Texts to look for and to put in their place. Returns what was pressed.
class FindBar {
 public:
  /// With the term before selected, so that what is typed replaces it.
  void open() { is_open_ = is_opening_ = is_selecting_ = true; }
  void close() { is_open_ = false; }
  bool is_open() const { return is_open_; }
  struct Request {
    bool next = false, replace = false, replace_all = false, closed = false;
  };
  Request draw(const Context& context, bool is_found);
  const std::string& text() const { return text_; }
  const std::string& by() const { return by_; }

 private:
  bool is_open_ = false, is_opening_ = false;
  bool is_selecting_ = false;  // until the field has the keys
  std::string text_, by_;
};

}  // namespace lanescope::view
