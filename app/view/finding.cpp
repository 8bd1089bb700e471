#include "view/finding.h"

namespace lanescope::view {

namespace {

constexpr uint64_t kWarp = 32;

std::string position_text(Dim3 position) {
  return fmt::format("({},{},{})", position.x, position.y, position.z);
}

}  // namespace

void go_to(const Context& context, const trace::Hazard& hazard) {
  const trace::Trace& trace = *context.now.run->trace;
  const uint64_t block = linear(hazard.block, trace.grid);
  if (block < volume(trace.grid)) {
    const uint64_t thread = linear(hazard.thread, trace.block);
    context.post(session::SelectBlock{CtaId{static_cast<uint32_t>(block)}});
    context.post(session::SelectWarp{WarpId{static_cast<uint32_t>(thread / kWarp)}});
  }
  if (hazard.where.line != 0) context.post(session::SelectLine{hazard.where.line});
}

std::string where_it_goes(const Context& context, const trace::Hazard& hazard) {
  return context.phrase(Text::window_go_to_thread, position_text(hazard.thread), position_text(hazard.block));
}

}  // namespace lanescope::view
