#include "view/preferences.h"

namespace lanescope::view {

std::string_view name_of(StepUnit unit) {
  switch (unit) {
    case StepUnit::Access:
      return "access";
    case StepUnit::Line:
      return "line";
    case StepUnit::Instruction:
      break;
  }
  return "instruction";
}

}  // namespace lanescope::view
