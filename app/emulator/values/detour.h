// Branches after which the paths of a warp soon reconverge, with no step on the way that waits, calls or
// ends: an if, with or without an else. All warps of a block take such a branch as one group, each with its
// own lanes. Method: the blocks between the branch and where all paths meet are run in the order of their
// positions, each by all lanes that came to it; as the lowest lanes of a warp always run first, this is what
// a LaneTree does. Tests: tests/unit/emulator/divergence_test.cpp

#pragma once

#include "ptx/convergence_barriers.h"
#include "ptx/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::emulator {

struct Detour {
  /// A basic block, and the parts that its lanes go to.
  struct Part {
    uint32_t block = 0;
    uint32_t taken = 0;  // index in `parts`: of the lanes that pass the guard of its last step, if it has one
    uint32_t next = 0;   // of the others
  };
  std::vector<Part> parts;  // the first is the branch itself; the last is where all paths meet
};

/// [basic block] the detour that its last step begins; no value if there is none.
using Detours = std::vector<std::optional<Detour>>;
/// `barriers`: where lanes reconverge; null: wherever paths meet. No detour passes a place where they do not.
Detours find_detours(const ptx::Program& program, const ptx::ConvergenceBarriers* barriers = nullptr);

/// [step] true if, whenever its basic block is executed as a part of a detour, no thread in another part
/// still needs the old values of the destinations: then all lanes may be written.
std::vector<bool> find_free_destinations(const ptx::Program& program, const Detours& detours);

}  // namespace lanescope::emulator
