// Saves the trace of the run that is shown to a file (.lane). Test: tests/gui/file_test.cpp

#pragma once

#include "view/dialogs/dialog_window.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace lanescope::view {

class TraceDialog {
 public:
  /// For the run of the snapshot, which there is.
  void open(const Context& context);
  /// Returns what saving had to say, if it was done.
  std::optional<session::Notice> draw(const Context& context);

 private:
  session::Notice save(const Context& context) const;

  bool opens_ = false;
  std::shared_ptr<const trace::Trace> trace_;
  std::filesystem::path file_;  // of a large saved trace, of which `trace_` has some blocks; else empty
  SavePath path_;
};

}  // namespace lanescope::view
