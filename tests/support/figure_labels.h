// The words that a figure shows, for tests that ask for some of them.

#pragma once

#include "plot/figure.h"

#include <string>
#include <variant>
#include <vector>

namespace lanescope::tests {

/// The texts of the figure's labels, in the order in which they are drawn.
inline std::vector<std::string> labels_of(const plot::Figure& figure) {
  std::vector<std::string> labels;
  for (const plot::Mark& mark : figure.marks)
    if (const auto* label = std::get_if<plot::Label>(&mark)) labels.push_back(label->text);
  return labels;
}

}  // namespace lanescope::tests
