// Which memory instructions cost more or less depending on which block of the grid, or which warp of a block,
// comes first: those of a loop that ends by what others write, such as a lock or a flag, and those at a place
// that an atomic gave, as a ticket. Method: natural loops; within each, what is computed from a polling read
// is followed to the branches that leave the loop; and from the result of an atomic to addresses, but not
// through memory. Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.6.6 (natural loops). Tests:
// tests/unit/ptx/order_dependence_test.cpp

#pragma once

#include "ptx/program.h"

#include <vector>

namespace lanescope::ptx {

/// [site of the program] What the site's counts depend on.
struct OrderDependence {
  std::vector<bool> on_blocks;  // the order of blocks: through global memory
  std::vector<bool> on_warps;   // the order of warps of a block: through any memory
};

OrderDependence order_dependence(const Program& program);

}  // namespace lanescope::ptx
