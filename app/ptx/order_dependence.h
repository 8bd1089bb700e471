// Which memory instructions cost more or less depending on which block of the grid comes first: those of a
// loop that ends by what other blocks write, such as a lock or a flag, and those at a place that an atomic
// gave, as a ticket. Method: natural loops; within each, what is computed from a polling read of global
// memory is followed to the branches that leave the loop; and from the result of an atomic to addresses, but
// not through memory. Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.6.6 (natural loops). Tests:
// tests/unit/ptx/order_dependence_test.cpp

#pragma once

#include "ptx/program.h"

#include <vector>

namespace lanescope::ptx {

/// [site of the program]
std::vector<bool> order_dependent_sites(const Program& program);

}  // namespace lanescope::ptx
