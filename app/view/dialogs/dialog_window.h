// What the dialogs of the window share: their place, how one leaves them, and the path that they save to.

#pragma once

#include "view/context.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace lanescope::view {

/// A click beside the dialog that is drawn, or Escape.
bool wants_to_leave();

/// Draws a dialog in the middle of the window, `ems` wide where there is room. It is opened where `opens` is
/// set, which is cleared, and left by Escape or a press of the mouse outside.
void draw_dialog(const Theme& theme, const char* id, bool& opens, float ems,
                 const std::function<void()>& draw_content);

/// The path, or one with a number after its name, where no file is yet; absolute, so that its folder is seen.
std::filesystem::path free_place(const std::filesystem::path& wanted);

/// Next to the file that is open, under its name; of a lesson in the current folder.
std::filesystem::path proposed_place(const session::Snapshot& now, const std::string& ending);

/// The path that a dialog saves to. A file that exists is replaced only where the person presses again for
/// this very file.
class SavePath {
 public:
  /// `ending`: what every name ends with, as in ".lanescope"; empty: as typed.
  void begin(const std::filesystem::path& path, std::string_view ending = {});
  /// A field for the path, a warning where the file exists, and a button that says `save`. Returns whether to
  /// save now.
  bool draw(const Context& context, Text save);
  std::filesystem::path path() const { return text_; }

 private:
  bool confirm();
  bool is_asked() const { return !replaces_.empty() && replaces_ == text_; }

  std::string text_;      // as typed
  std::string replaces_;  // the existing file that a second press replaces
  std::string ending_;
};

/// Name and words of a dialog that saves to a path.
struct SaveWords {
  const char* id = "";
  Text title, what;
};
/// Draws a dialog with a path, a button that saves and one that leaves. Returns what `save` said, if it was
/// called.
std::optional<session::Notice> draw_save_dialog(const Context& context, const SaveWords& dialog, bool& opens,
                                                SavePath& path, const std::function<session::Notice()>& save);

}  // namespace lanescope::view
