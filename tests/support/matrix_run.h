// A stored kernel on a matrix: its launch, as the lesson would make it from the toggles.

#pragma once

#include "lesson/matrix_launch.h"
#include "support/stored_kernel.h"

#include <fmt/format.h>

namespace lanescope::tests {

inline Result<launch::Launch> launch_of(const StoredKernel& kernel, lesson::MatrixSize size) {
  lesson::Settings settings;
  settings.kernel = "any";
  settings.values = {{"size", fmt::format("{}x{}", size.width, size.height)},
                     {"tile", std::to_string(kernel.number("TILE", 32))},
                     {"element", std::to_string(kernel.number("ELEMENT_BYTES", 4))}};
  return lesson::matrix_launch(settings);
}

}  // namespace lanescope::tests
