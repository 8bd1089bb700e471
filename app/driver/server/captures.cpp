#include "driver/server/captures.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::driver {

Result<CaptureRequest> parse_capture(std::string_view text) {
  const auto wrong = [&] {
    return fail(
        ErrorKind::Usage,
        fmt::format("--capture takes KERNEL or KERNEL:N, N counted from 0, as in transpose:2; found '{}'",
                    text));
  };
  // The colons of "space::kernel" are the name's.
  const size_t colon = text.rfind(':');
  const bool has_number = colon != std::string_view::npos && (colon == 0 || text[colon - 1] != ':');
  CaptureRequest request{.kernel = std::string(text.substr(0, has_number ? colon : text.size())),
                         .launch = 0};
  if (request.kernel.empty()) return wrong();
  if (!has_number) return request;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + colon + 1, end, request.launch);
  if (problem != std::errc() || stop != end) return wrong();
  return request;
}

bool Captures::takes(const std::string& kernel) {
  const std::lock_guard lock(mutex_);
  const uint64_t launch = launches_[kernel]++;
  return std::ranges::any_of(requests_, [&](const CaptureRequest& request) {
    return request.kernel == kernel && request.launch == launch;
  });
}

std::vector<std::string> Captures::unmet() const {
  constexpr size_t kMostNames = 20;
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names, sentences;
  for (const auto& [kernel, count] : launches_)
    if (names.size() < kMostNames) names.push_back(kernel);
  for (const CaptureRequest& request : requests_) {
    const auto found = launches_.find(request.kernel);
    const std::string option = fmt::format("--capture {}:{}", request.kernel, request.launch);
    if (found == launches_.end())
      sentences.push_back(fmt::format("{}: no kernel of this name was launched; launched were: {}", option,
                                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    else if (found->second <= request.launch)
      sentences.push_back(fmt::format("{}: the kernel was launched {} time{}, and the first is number 0",
                                      option, found->second, found->second == 1 ? "" : "s"));
  }
  return sentences;
}

}  // namespace lanescope::driver
