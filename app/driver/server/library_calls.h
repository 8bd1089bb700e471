// Calls of libraries in place of NVIDIA's (driver/libraries) that a program made: how many of each function,
// and what failed. Rows of the table at the end, and entries of run.json. Tests:
// tests/unit/driver/launch_record_test.cpp

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lanescope::driver {

/// All calls of a function.
struct LibraryCalls {
  std::string function;  // "cublasSgemm"
  uint64_t calls = 0, failed = 0;
  double seconds = 0;
  std::string failure = {};  // the status and the reason of the first that failed; empty: none did
  bool operator==(const LibraryCalls&) const = default;
};

/// Adds a call. `failure`: empty if it succeeded. Beyond 1000 functions a further one is not entered.
void add_call(std::vector<LibraryCalls>& all, const std::string& function, double seconds,
              const std::string& failure);

nlohmann::json to_json(const LibraryCalls& calls);

/// One line for a function of which calls failed: "cublasSgemm failed 2 times, first: ...".
std::string failure_text(const LibraryCalls& calls);

}  // namespace lanescope::driver
