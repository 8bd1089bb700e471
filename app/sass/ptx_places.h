// The line of the source that a line of the PTX was compiled from. Tests:
// tests/unit/sass/local_memory_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>
#include <iterator>
#include <map>

namespace lanescope::sass {

class PtxPlaces {
 public:
  explicit PtxPlaces(const ptx::Program& program) {
    for (const ptx::Origin& origin : program.origins)
      if (origin.source.line != 0) places_.emplace(static_cast<uint32_t>(origin.ptx_line), origin.source);
  }
  /// That of the last instruction up to this line that has one: the assembler gives any line to what it adds.
  /// Line 0 where that is not known.
  Location at(uint32_t ptx_line) const {
    const auto after = places_.upper_bound(ptx_line);
    return after == places_.begin() ? Location{} : std::prev(after)->second;
  }

 private:
  std::map<uint32_t, Location> places_;  // [line of the PTX]
};

}  // namespace lanescope::sass
