// Drawn over the panels: the export dialog, the list of keys, and notices that close after a time.
// Tests: tests/gui/export_test.cpp, tests/gui/toggles_test.cpp

#pragma once

#include "view/dialogs/dialog_window.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::view {

/// Lets the user choose a format and a file, and exports.
class ExportDialog {
 public:
  /// `figure` may be null: then the panel has nothing to export and the dialog says so. `of_a`: the same
  /// figure of the kept run A, if it is shown.
  void open(const Context& context, const plot::Figure* figure, const plot::Figure* of_a);
  /// A picture of everything.
  void open_for_window(const Context& context);
  /// Returns what an export had to say, if one was made.
  std::optional<session::Notice> draw(const Context& context);

 private:
  std::optional<session::Notice> save(const Context& context);
  void begin(const std::filesystem::path& path);
  void draw_runs(const Context& context);
  void draw_formats(const Context& context);
  std::optional<session::Notice> draw_file(const Context& context);

  bool opens_ = false;
  bool is_of_window_ = false;
  std::vector<plot::Figure> chosen_figures() const;
  std::vector<plot::Figure> figures_;  // of A, if it is shown, and of the present run; empty: none
  int runs_ = 0;                       // which of them are chosen
  SavePath path_;
};

/// The keys of the window and of the lesson.
class HelpOverlay {
 public:
  void open() { opens_ = true; }
  void draw(const Context& context);

 private:
  bool opens_ = false;
};

/// Notices in the lower right corner, for some seconds each.
class Notices {
 public:
  void add(session::Notice notice);
  void draw(const Theme& theme);
  bool shown() const { return !shown_.empty(); }
  const std::vector<std::string>& said() const { return said_; }  // everything, for tests

 private:
  struct Shown {
    session::Notice notice;
    double until = 0;
  };
  std::vector<Shown> shown_;
  std::vector<std::string> said_;
};

}  // namespace lanescope::view
