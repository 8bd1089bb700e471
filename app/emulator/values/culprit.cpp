#include "emulator/values/culprit.h"

#include "base/ids.h"
#include "ptx/own_place.h"

#include <bit>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {

trace::Culprit culprit_at(const Code& code, uint32_t step, Dim3 block, Dim3 thread) {
  const ptx::Origin& origin = code.program->origins[step];
  ptx::OwnPlace own = ptx::own_place_of(origin);
  return {.where = std::move(own.where),
          .called_from = std::move(own.called_from),
          .in_header = std::move(own.in_header),
          .ptx_line = origin.ptx_line,
          .block = block,
          .thread = thread};
}

trace::Hazard hazard_at(const Code& code, uint32_t step, uint32_t thread, Dim3 block,
                        trace::HazardKind kind) {
  trace::Culprit culprit = culprit_at(code, step, block, position_of(thread, code.block));
  return {.kind = kind,
          .where = std::move(culprit.where),
          .called_from = std::move(culprit.called_from),
          .in_header = std::move(culprit.in_header),
          .ptx_line = culprit.ptx_line,
          .message = {},
          .block = culprit.block,
          .thread = culprit.thread};
}

std::string name_lanes(uint32_t mask) {
  std::string text;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    int last = lane;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1)) ++last;
    if (!text.empty()) text += ", ";
    text += last == lane ? fmt::format("{}", lane) : fmt::format("{}-{}", lane, last);
    lane = last;
  }
  return fmt::format("{} {}", std::has_single_bit(mask) ? "lane" : "lanes", text);
}

}  // namespace lanescope::emulator
