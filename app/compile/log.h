// NVRTC's log: its errors, and where they are. Tests: tests/unit/compile/log_test.cpp

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct LogError {
  std::string file = {};
  int line = 0;
  std::string message = {};
  /// True if a function or variable has neither __host__ nor __device__, which an option allows.
  bool is_of_execution_space = false;
};

/// Errors in the order of the log, without warnings.
std::vector<LogError> errors_of(std::string_view log);

}  // namespace lanescope::compile
