// Compiles the kernel for each change of a single toggle while the session is idle.
// Tests: tests/unit/session/session_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "pipeline/options.h"
#include "session/snapshot.h"

#include <vector>

namespace lanescope::session {

class Precompilation {
 public:
  explicit Precompilation(const pipeline::Options& options) : options_(options) {}

  bool is_empty() const { return settings_.empty(); }
  void clear() { settings_.clear(); }
  /// The settings that may be chosen next; none where no lesson is open.
  void plan(const Choices& choices);
  /// Compiles one of them. Errors are reported when the user sets the toggle, not before.
  void advance(const Choices& choices, pipeline::Execution& execution);

 private:
  const pipeline::Options& options_;
  std::vector<lesson::Settings> settings_;  // the next one last
};

}  // namespace lanescope::session
