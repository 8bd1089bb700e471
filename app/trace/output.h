// Text that a kernel printed with printf: by block in rising order, within a block in the order of execution.

#pragma once

#include <cstddef>
#include <string>

namespace lanescope::trace {

struct Output {
  /// The default size of a GPU's printf buffer: CUDA C++ Programming Guide, "Formatted Output".
  static constexpr size_t kMostBytes = size_t{1} << 20;
  std::string text = {};
  bool is_cut = false;  // there was more
};

}  // namespace lanescope::trace
