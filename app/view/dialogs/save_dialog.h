// Asks where an edited text is to be saved. A file that is there is replaced on a second press.
// Tests: tests/gui/editor_test.cpp

#pragma once

#include "view/dialogs/dialog_window.h"

#include <filesystem>

namespace lanescope::view {

class SaveDialog {
 public:
  /// `file`: whose text it is; `suggested`: the path to begin with.
  void open(const std::filesystem::path& file, const std::filesystem::path& suggested);
  /// Posts SaveText for what is chosen.
  void draw(const Context& context);

 private:
  bool opens_ = false;
  std::filesystem::path file_;
  SavePath path_;
};

}  // namespace lanescope::view
