#include "emulator/schedule/batch_runner.h"

#include <utility>

namespace lanescope::emulator {

BatchRunner::BatchRunner(const Code& code, const Memory& memory, AccessObserver* observer,
                         std::function<bool(uint64_t)> may_go_on)
    : executor_(code, memory, observer, std::move(may_go_on)),
      frames_(executor_, lanes_),
      group_(executor_, frames_) {}

BatchRunner::State BatchRunner::run(CtaId first, trace::Sink& sink) {
  executor_.begin_block(first, sink, nullptr);
  group_.begin_block();
  const Pause pause = group_.run();
  if (pause == Pause::Ended) {
    if (state().observer != nullptr) state().observer->end_block();
    return State::Ended;
  }
  if (state().hazard) return State::Stopped;
  // Diverged: all steps were executed, and each block still has to branch, call or exit as the last one says.
  done_ = pause == Pause::Waits ? 0 : code().program->blocks[group_.block()].end;
  for (const Operand& operand : code().written) executor_.state().fill_lanes(operand);
  return State::Parts;
}

}  // namespace lanescope::emulator
