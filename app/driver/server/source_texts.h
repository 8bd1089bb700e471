// Lines of a program's sources, by the names that its PTX gives them: texts that the program passed, such as
// cells of a notebook, else files. Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"

#include <map>
#include <string>
#include <vector>

namespace lanescope::driver {

class SourceTexts {
 public:
  void add(const std::string& name, std::string text);
  /// Line `where.line`, from 1, without the blanks around it; empty where it is not known.
  std::string line(const Location& where);
  /// The whole text; empty where it is not known.
  std::string text(const std::string& name);

 private:
  struct Text {
    std::string whole;
    std::vector<std::string> lines;
  };
  const Text& read(const std::string& name);

  std::map<std::string, Text> texts_;  // [name]
};

/// Adds the file of a place to `files`, unless the place is not known or the file is there.
void add_file(std::vector<std::string>& files, const Location& place);

/// Names of the files with a trace's accesses, and with the calls that lead to them; each once.
std::vector<std::string> files_of(const trace::Trace& trace);

}  // namespace lanescope::driver
