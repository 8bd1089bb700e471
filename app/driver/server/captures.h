// Launches on a GPU that are to be captured: the N-th of a kernel, as the command line names it.
// Safe to use from several threads. Tests: tests/unit/driver/captures_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

struct CaptureRequest {
  std::string kernel;   // as in the table of the run
  uint64_t launch = 0;  // of this kernel, from 0
};

/// "KERNEL" or "KERNEL:N". Errors: Usage.
Result<CaptureRequest> parse_capture(std::string_view text);

class Captures {
 public:
  explicit Captures(std::vector<CaptureRequest> requests) : requests_(std::move(requests)) {}

  bool any() const { return !requests_.empty(); }
  /// Counts a launch. True if it is to be captured.
  bool takes(const std::string& kernel);
  /// A sentence for each request that no launch met.
  std::vector<std::string> unmet() const;

 private:
  std::vector<CaptureRequest> requests_;
  mutable std::mutex mutex_;
  std::map<std::string, uint64_t> launches_;  // [kernel]
};

}  // namespace lanescope::driver
