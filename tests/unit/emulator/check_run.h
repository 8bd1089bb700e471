// Runs a kernel with the checks on: whole warps at a time, lane by lane, and several blocks as one group. All
// must find the same.

#pragma once

#include "kernel_run.h"

namespace lanescope::emulator {

/// Ignores accesses: whole warps are checked at once.
class NoValuesSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

struct Checked {
  std::vector<trace::Hazard> hazards;
  std::vector<trace::Hazard> notes;
  std::vector<std::string> unchecked;
};

std::string text_of(const trace::Hazard& hazard);
std::vector<std::string> texts_of(const std::vector<trace::Hazard>& hazards);

Checked check_with(const ptx::Program& program, const launch::Launch& launch, trace::Sink& sink,
                   Engine engine = Engine::Groups);

Checked check_kernel(const std::string& text, const launch::Launch& launch);

/// The one hazard, or the note, of a kernel; the test fails if there is another number.
trace::Hazard only(const std::vector<trace::Hazard>& hazards);

}  // namespace lanescope::emulator
