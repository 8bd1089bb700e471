// Opens a file: a list of the folders and kernel files of one folder, and a line for a path.
// Tests: tests/gui/file_test.cpp

#pragma once

#include "view/context.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::view {

class FileDialog {
 public:
  /// Begins in the folder of `file`, or in the current one.
  void open(const std::filesystem::path& file);
  /// Posts OpenFile for what is chosen.
  void draw(const Context& context);

 private:
  struct Entry {
    std::string name;
    enum class Kind { Folder, Lesson, File } kind = Kind::File;
  };
  void enter(const std::filesystem::path& folder);
  void choose(const Context& context, const std::filesystem::path& path);
  void draw_entries(const Context& context);

  bool opens_ = false;
  bool is_readable_ = true;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string path_;  // as typed
};

}  // namespace lanescope::view
