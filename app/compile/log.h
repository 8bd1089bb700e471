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
  /// That something has neither __host__ nor __device__: an option lets that pass.
  bool is_of_execution_space = false;
};

/// In the order of the log. Warnings are none.
std::vector<LogError> errors_of(std::string_view log);

}  // namespace lanescope::compile
