#include "gpu/instrument/loops.h"

#include <algorithm>
#include <variant>

namespace lanescope::gpu {

std::vector<bool> in_loops(const ptx::Function& function) {
  std::vector<bool> looped(function.instructions.size());
  for (uint32_t n = 0; n < function.instructions.size(); ++n)
    for (const ptx::Operand& operand : function.instructions[n].operands) {
      const auto* target = std::get_if<ptx::LabelOperand>(&operand);
      if (target == nullptr) continue;
      const uint32_t first = function.labels[target->index].instruction;
      if (first <= n) std::fill(looped.begin() + first, looped.begin() + n + 1, true);
    }
  return looped;
}

}  // namespace lanescope::gpu
