#include "compile/log.h"

#include <charconv>

namespace lanescope::compile {

std::vector<LogError> errors_of(std::string_view log) {
  std::vector<LogError> errors;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    at = end + 1;
    for (const std::string_view word : {"): error", "): catastrophic error"}) {
      const size_t close = line.find(word);
      const size_t open = close == std::string_view::npos ? close : line.rfind('(', close);
      if (open == std::string_view::npos) continue;
      LogError error{.file = std::string(line.substr(0, open))};
      const auto [stop, status] = std::from_chars(line.data() + open + 1, line.data() + close, error.line);
      const size_t message = line.find(": ", close + word.size());
      if (status != std::errc{} || stop != line.data() + close || message == std::string_view::npos) continue;
      error.message = line.substr(message + 2);
      error.is_of_execution_space = error.message.contains("-default-device");
      errors.push_back(std::move(error));
      break;
    }
  }
  return errors;
}

}  // namespace lanescope::compile
