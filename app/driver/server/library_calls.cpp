#include "driver/server/library_calls.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {

void add_call(std::vector<LibraryCalls>& all, const std::string& function, double seconds,
              const std::string& failure) {
  constexpr size_t kMostFunctions = 1000;
  auto found = std::ranges::find(all, function, &LibraryCalls::function);
  if (found == all.end()) {
    if (all.size() == kMostFunctions) return;
    found = all.insert(all.end(), LibraryCalls{.function = function});
  }
  ++found->calls;
  found->seconds += seconds;
  if (failure.empty()) return;
  ++found->failed;
  if (found->failure.empty()) found->failure = failure;
}

nlohmann::json to_json(const LibraryCalls& calls) {
  nlohmann::json json{{"function", calls.function},
                      {"calls", calls.calls},
                      {"failed", calls.failed},
                      {"seconds", calls.seconds}};
  if (!calls.failure.empty()) json["failure"] = calls.failure;
  return json;
}

std::string failure_text(const LibraryCalls& calls) {
  if (calls.failed == 1) return fmt::format("{} failed: {}", calls.function, calls.failure);
  return fmt::format("{} failed {} times, first: {}", calls.function, calls.failed, calls.failure);
}

}  // namespace lanescope::driver
