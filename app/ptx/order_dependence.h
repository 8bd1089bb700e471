// Which memory instructions cost more or less depending on which block of the grid, or which warp of a block,
// comes first: those of a loop that ends by what others write, such as a lock or a flag, and those at a place
// that an atomic gave, as a ticket. Method: natural loops; within each, what is computed from a polling read
// is followed to the branches that leave the loop; and from the result of an atomic to addresses, but not
// through memory. Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.6.6 (natural loops). Tests:
// tests/unit/ptx/order_dependence_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>
#include <vector>

namespace lanescope::ptx {

/// Threads whose order matters.
enum class Others : uint8_t {
  Blocks,  // of the grid: through global memory
  Warps    // of a block: through any memory
};

/// [site of the program] True if its counts depend on the order of the others.
std::vector<bool> sites_that_depend_on(Others others, const Program& program);

}  // namespace lanescope::ptx
