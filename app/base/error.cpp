#include "base/error.h"

#include <fmt/format.h>

namespace lanescope {

std::string describe(const Error& error) {
  if (!error.where) return error.message;
  if (error.where->line == 0) return fmt::format("{}: {}", error.where->file, error.message);
  return fmt::format("{}:{}: {}", error.where->file, error.where->line, error.message);
}

int exit_code(const Error& error) {
  return error.kind == ErrorKind::Usage || error.kind == ErrorKind::Launch ? 2 : 1;
}

}  // namespace lanescope
