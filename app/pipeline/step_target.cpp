#include "pipeline/step_target.h"

#include <algorithm>

namespace lanescope::pipeline {

uint32_t step_target(uint32_t current, uint32_t count, StepTo to,
                     const std::function<bool(uint32_t, uint32_t)>& same_line) {
  if (count == 0) return 0;
  const uint32_t last = count - 1;
  const auto first_of_stretch = [&](uint32_t i) {
    while (i > 0 && same_line(i - 1, i)) --i;
    return i;
  };
  switch (to) {
    case StepTo::First:
      return 0;
    case StepTo::Last:
      return last;
    case StepTo::Previous:
      return current == 0 ? 0 : current - 1;
    case StepTo::Next:
      return std::min(current + 1, last);
    case StepTo::PreviousOnLine:
      for (uint32_t i = current; i-- > 0;)
        if (same_line(i, current)) return i;
      return current;
    case StepTo::NextOnLine:
      for (uint32_t i = current + 1; i <= last; ++i)
        if (same_line(i, current)) return i;
      return current;
    case StepTo::PreviousLine: {
      const uint32_t first = first_of_stretch(current);
      return first == 0 ? 0 : first_of_stretch(first - 1);
    }
    case StepTo::NextLine:
      for (uint32_t i = current + 1; i <= last; ++i)
        if (!same_line(i, current)) return i;
      return current;
  }
  return current;
}

}  // namespace lanescope::pipeline
