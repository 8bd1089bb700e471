// The shape of a launch as an expression of a combination's values: "16x16", "ceil(N/block.x)", "2*N x 4".
// Method: recursive descent over real numbers, so that a division is exact or needs ceil(). Grammar: up to
// three sums with x between them; + - * / and parentheses; a whole number, block.x, block.y, block.z, the
// name of a -D, or ceil(sum). Tests: tests/unit/sweep/extent_expression_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::sweep {

/// What names in an expression mean.
struct ExtentNames {
  std::vector<std::pair<std::string, std::string>> values = {};  // of each -D, as written
  std::optional<Dim3> block = {};                                // none: block.x and so on are not known
};

/// Errors: Usage, with the place in the text, for what is no expression, a name that is not known or has no
/// number, a division by zero, and a size that is no whole number from 1 to 2^31 - 1.
Result<Dim3> extent_of(std::string_view text, const ExtentNames& names);

}  // namespace lanescope::sweep
