// The errors that a session shows. Tests: tests/unit/session/session_test.cpp,
// tests/unit/session/producer_test.cpp

#pragma once

#include "base/error.h"

#include <exception>
#include <optional>

namespace lanescope::session {

/// Errors of the last command, of the program that was compiled and run, and of the last run. They are kept
/// apart since a command that succeeds clears its own error, but not that of the last run.
struct Errors {
  std::optional<Error> command;  // of the last command
  std::optional<Error> program;  // of the opened program's last run, also where it was not compiled
  std::optional<Error> run;      // of the last run of the settings

  const std::optional<Error>& shown() const { return command ? command : program ? program : run; }
};

/// Of a run that a person ended before it could be shown.
Error run_was_stopped();

/// What to report of an exception that ended a piece of work.
Error error_of(const std::exception& exception);

}  // namespace lanescope::session
