// The line table of a cubin, .nv_debug_line_sass: for each function a program, whose steps move an address
// and a line. Source: DWARF 2, section 6.2. Tests: tests/unit/sass/cubin_test.cpp

#pragma once

#include "base/error.h"
#include "sass/elf.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::sass {

/// From this instruction on, up to that of the next entry, the code was made of this line.
struct LineEntry {
  uint32_t pc = 0;    // offset in the function's code, in bytes
  uint32_t line = 0;  // of the PTX, from 1
  bool operator==(const LineEntry&) const = default;
};

/// Entries of each function, in rising order of addresses: [section of its code] index in Elf::sections.
/// Empty where the file has no table. Errors: Syntax for a table that is cut.
Result<std::map<uint16_t, std::vector<LineEntry>>> read_line_tables(const Elf& elf);

}  // namespace lanescope::sass
