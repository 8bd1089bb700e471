#include "emulator/schedule/batch_runner.h"

#include <utility>

namespace lanescope::emulator {

BatchRunner::BatchRunner(const Code& code, const Memory& memory, Checkers checkers,
                         std::function<bool(uint64_t)> may_go_on)
    : executor_(code, memory, std::move(checkers), std::move(may_go_on)),
      frames_(executor_, lanes_),
      group_(executor_, frames_) {}

BatchRunner::State BatchRunner::run(CtaId first, trace::Sink& sink) {
  executor_.begin_block(first, sink, nullptr);
  group_.begin_block();
  const Pause pause = group_.run();
  if (pause == Pause::Ended) {
    for (const auto& checker : executor_.state().checkers) checker->end_block();
    return State::Ended;
  }
  if (state().hazard) return State::Stopped;
  // Diverged: all steps were executed, and each block still has to branch, call or exit as the last one says.
  done_ = pause == Pause::Waits ? 0 : code().program->blocks[group_.block()].end;
  for (const Operand& operand : code().written) executor_.state().fill_lanes(operand);
  return State::Parts;
}

}  // namespace lanescope::emulator
