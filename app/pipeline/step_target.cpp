#include "pipeline/step_target.h"

#include <algorithm>

namespace lanescope::pipeline {

uint32_t step_target(uint32_t current, uint32_t count, StepTo to,
                     const std::function<bool(uint32_t)>& on_current_line) {
  if (count == 0) return 0;
  const uint32_t last = count - 1;
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
        if (on_current_line(i)) return i;
      return current;
    case StepTo::NextOnLine:
      for (uint32_t i = current + 1; i <= last; ++i)
        if (on_current_line(i)) return i;
      return current;
  }
  return current;
}

}  // namespace lanescope::pipeline
