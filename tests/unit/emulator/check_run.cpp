#include "check_run.h"

namespace lanescope::emulator {

std::string text_of(const trace::Hazard& hazard) {
  return fmt::format("{} line {} block {} thread {} x{}: {}", name_of(hazard.kind), hazard.ptx_line,
                     hazard.block.x, hazard.thread.x, hazard.count, hazard.message);
}

std::vector<std::string> texts_of(const std::vector<trace::Hazard>& hazards) {
  std::vector<std::string> texts;
  for (const trace::Hazard& hazard : hazards) texts.push_back(text_of(hazard));
  return texts;
}

Checked check_with(const ptx::Program& program, const launch::Launch& launch, trace::Sink& sink,
                   Engine engine) {
  const auto outcome = run(program, launch, [&](unsigned) -> trace::Sink& { return sink; },
                           {.threads = 1, .checks = Checks::All, .engine = engine});
  EXPECT_TRUE(outcome) << describe(outcome.error());
  if (!outcome) return {};
  return {outcome->hazards, outcome->notes, outcome->unchecked};
}

Checked check_kernel(const std::string& text, const launch::Launch& launch) {
  const Result<ptx::Program> program = program_of(text);
  EXPECT_TRUE(program) << describe(program.error()) << "\n" << text;
  if (!program) return {};
  AccessList accesses;
  ListSink list(accesses);
  const Checked by_lanes = check_with(*program, launch, list);
  NoValuesSink none;
  Checked by_warps = check_with(*program, launch, none);
  EXPECT_EQ(texts_of(by_warps.hazards), texts_of(by_lanes.hazards));
  EXPECT_EQ(texts_of(by_warps.notes), texts_of(by_lanes.notes));
  // A batch may say less of a race between blocks, of which record() then makes a second run in order.
  const Checked by_batches = check_with(*program, launch, none, Engine::Batches);
  EXPECT_EQ(by_batches.hazards.empty(), by_lanes.hazards.empty());
  EXPECT_EQ(by_batches.notes.empty(), by_lanes.notes.empty());
  return by_warps;
}

trace::Hazard only(const std::vector<trace::Hazard>& hazards) {
  EXPECT_EQ(hazards.size(), 1u) << fmt::format("{}", fmt::join(texts_of(hazards), "\n"));
  return hazards.empty() ? trace::Hazard{} : hazards[0];
}

}  // namespace lanescope::emulator
