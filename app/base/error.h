// What can go wrong, as a value: the kind, one sentence, and where.
// Method: every fallible function returns Result<T>; the sentence says what was expected, what was found,
// what to try. Tests: tests/unit/base/error_test.cpp

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <utility>

namespace lanescope {

enum class ErrorKind {
  Usage,        // the command line, a toggle or an argument is wrong: exit code 2
  File,         // a file cannot be read or written
  Compile,      // the CUDA compiler refused the source
  Syntax,       // PTX or a data file that does not parse
  Unsupported,  // correct, but this program does not support it
  Launch,       // grid, block or arguments that no device has or that do not fit the kernel: exit code 2
  Memory,       // the kernel accessed memory that it must not
  Hazard,       // the kernel finished or stopped with a race, a divergent barrier, a deadlock
  Limit,        // a bound of this program or of the user was reached
  Cancelled,    // the user cancelled the work
  Internal,     // a bug of this program
};

/// A location in a text file. `line` counts from 1; 0 means the file as a whole.
struct Location {
  std::string file;
  int line = 0;
  bool operator==(const Location&) const = default;
};

struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string message;  // one sentence, no trailing newline; a compiler's log may follow on further lines
  std::optional<Location> where = std::nullopt;
};

template <class T>
using Result = std::expected<T, Error>;

/// "FILE:LINE: message", or the message alone where there is no location.
std::string describe(const Error& error);

/// 2 for a wrong command line, 1 for everything else. What is wrong with a launch is wrong with the command
/// line that asks for it, whether the option alone shows it (--block 0, --block 2000) or only the kernel does
/// (too few
/// --arg).
int exit_code(const Error& error);

inline std::unexpected<Error> fail(ErrorKind kind, std::string message,
                                   std::optional<Location> where = std::nullopt) {
  return std::unexpected(Error{kind, std::move(message), std::move(where)});
}

}  // namespace lanescope

#define LANESCOPE_JOIN_INNER(a, b) a##b
#define LANESCOPE_JOIN(a, b) LANESCOPE_JOIN_INNER(a, b)
#define LANESCOPE_TRY(result, declaration, expression)            \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  declaration = *std::move(result)

/// TRY(auto module, parse(text)); declares `module`, or returns the error to the caller.
#define TRY(declaration, expression) \
  LANESCOPE_TRY(LANESCOPE_JOIN(try_result_, __LINE__), declaration, expression)
/// TRY_VOID(write(file)); for Result<void>.
#define TRY_VOID(expression)                                                \
  do {                                                                      \
    auto try_result = (expression);                                         \
    if (!try_result) return std::unexpected(std::move(try_result).error()); \
  } while (false)
