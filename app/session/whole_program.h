// A source with `main` as the program that it is: whether it may run, and what it did. Tests:
// tests/unit/session/active_program_test.cpp

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::session {

struct WholeProgram {
  std::filesystem::path source;        // absolute
  std::vector<std::string> arguments;  // that it is run with
  /// Changed: it was allowed to run, and another program changed its text since.
  enum class Question : uint8_t { None, First, Changed } question = Question::None;  // the person is asked
  bool is_running = false;                                                           // or being compiled
  std::chrono::steady_clock::time_point began{};
  std::string output = {};  // what it printed when it ran last
};

}  // namespace lanescope::session
