// Runs a kernel with the checks on, the way whole warps go and the way single lanes go: both must find the
// same.

#pragma once

#include "kernel_run.h"

namespace lanescope::emulator {

/// Accesses that nobody looks at: whole warps are checked at once.
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

inline std::string text_of(const trace::Hazard& hazard) {
  return fmt::format("{} line {} block {} thread {} x{}: {}", name_of(hazard.kind), hazard.ptx_line,
                     hazard.block.x, hazard.thread.x, hazard.count, hazard.message);
}
inline std::vector<std::string> texts_of(const std::vector<trace::Hazard>& hazards) {
  std::vector<std::string> texts;
  for (const trace::Hazard& hazard : hazards) texts.push_back(text_of(hazard));
  return texts;
}

inline Checked check_kernel(const std::string& text, const launch::Launch& launch) {
  const Result<ptx::Program> program = program_of(text);
  EXPECT_TRUE(program) << describe(program.error()) << "\n" << text;
  if (!program) return {};
  Checked checked;
  for (const bool with_values : {true, false}) {
    AccessList accesses;
    ListSink list(accesses);
    NoValuesSink none;
    trace::Sink& sink = with_values ? static_cast<trace::Sink&>(list) : none;
    const auto outcome = run(*program, launch, [&](unsigned) -> trace::Sink& { return sink; },
                             {.threads = 1, .checks = Checks::All});
    EXPECT_TRUE(outcome) << describe(outcome.error());
    if (!outcome) return {};
    if (!with_values) {
      EXPECT_EQ(texts_of(outcome->hazards), texts_of(checked.hazards));
      EXPECT_EQ(texts_of(outcome->notes), texts_of(checked.notes));
    }
    checked = {outcome->hazards, outcome->notes, outcome->unchecked};
  }
  return checked;
}

/// The one hazard, or the note, of a kernel; the test fails if there is another number.
inline trace::Hazard only(const std::vector<trace::Hazard>& hazards) {
  EXPECT_EQ(hazards.size(), 1u) << fmt::format("{}", fmt::join(texts_of(hazards), "\n"));
  return hazards.empty() ? trace::Hazard{} : hazards[0];
}

}  // namespace lanescope::emulator
