// Adds what the window shows to a lecture, as its last step. Test: tests/gui/lecture_bar_test.cpp

#pragma once

#include "session/lecture_writing.h"
#include "view/dialogs/dialog_window.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

class LectureDialog {
 public:
  /// `panels`: those in sight.
  void open(std::vector<std::string> panels);
  /// What adding had to say, if it was done.
  std::optional<session::Notice> draw(const Context& context);

 private:
  session::Notice add(const Context& context) const;

  bool opens_ = false;
  std::vector<std::string> panels_;
  std::string path_;  // as typed; that of the last time at first
};

}  // namespace lanescope::view
