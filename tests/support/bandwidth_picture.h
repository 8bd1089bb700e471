// What the figure Bandwidth says, read back from its marks as a person reads it, and whether it agrees with
// itself: sentence, lengths of the bars, numbers and percents.

#pragma once

#include "plot/figures.h"

#include <string>
#include <vector>

namespace lanescope::tests {

/// What a picture says: of each bar its name, its length as a share of the track, its number and its percent.
struct BandwidthReading {
  struct Bar {
    std::string name;
    double length = 0;
    double number = 0;
    double percent = -1;  // none is drawn
    bool is_current = false;
  };
  std::vector<Bar> bars;
  double copy = 0;  // of its label
  double copy_length = 0;
  std::string unit;
};

/// The figure must be high and wide enough for every name and number.
BandwidthReading read(const plot::Figure& figure);

/// Expects that what is written of one kernel agrees with what is drawn of all. `where` is said of a failure.
void expect_consistent(const plot::Figure& figure, const std::string& where);

}  // namespace lanescope::tests
