// What a check of a submission found. Tests: tests/unit/pipeline/exercise_check_test.cpp

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::pipeline {

struct Check {
  enum class Status : uint8_t { Passed, Failed, NotRun };
  std::string name;  // "compile", "memory", "output", then as in [checks] of the exercise.toml
  Status status = Status::NotRun;
  std::string sentence;  // what was found, with figures; why it was not run
  int line = 0;          // of the submission that it is about; 0: none
};

constexpr std::string_view name_of(Check::Status status) {
  switch (status) {
    case Check::Status::Passed:
      return "passed";
    case Check::Status::Failed:
      return "failed";
    case Check::Status::NotRun:
      return "not_run";
  }
  return "unknown";
}

/// Whether no check failed.
inline bool has_passed(std::span<const Check> checks) {
  return std::ranges::none_of(checks,
                              [](const Check& check) { return check.status == Check::Status::Failed; });
}

}  // namespace lanescope::pipeline
