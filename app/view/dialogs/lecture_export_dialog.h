// Asks where the lecture goes as slides or as a film, and which of its steps. Test:
// tests/gui/lecture_bar_test.cpp

#pragma once

#include "view/dialogs/dialog_window.h"

#include <string>

namespace lanescope::view {

class LectureExportDialog {
 public:
  /// The snapshot has a lecture.
  void open(const session::Snapshot& now);
  void draw(const Context& context);

 private:
  void draw_formats(const Theme& theme);
  void start(const Context& context) const;

  bool opens_ = false;
  SavePath path_;
  std::string steps_;  // as typed: "2-5"; empty: all
};

}  // namespace lanescope::view
