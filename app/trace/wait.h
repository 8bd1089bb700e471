// A place where a warp waits for others, or for its own copies: what a timeline of a block needs in addition
// to the accesses. Method: the emulator reports each wait that is over, of the chosen block alone. A GPU's
// recorders report none. Tests: tests/unit/emulator/wait_test.cpp, tests/unit/trace/recorder_test.cpp

#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"

#include <cstdint>
#include <string_view>

namespace lanescope::trace {

struct Wait {
  enum class Kind : uint8_t {
    Barrier,  // of the block: __syncthreads(), bar.sync
    Copies,   // cp.async.wait_group and its like: until earlier copies of these lanes are there
    Phase,    // of an mbarrier: a test that found the phase complete
    Cluster   // barrier.cluster.wait: a test that found all blocks there
  };
  Kind kind = Kind::Barrier;
  WarpId warp;           // of the block
  uint32_t step = 0;     // accesses of the warp before it, as WarpAccess::step
  uint32_t meeting = 0;  // Barrier: warps that wait together have the same number, which rises in the block
  LaneMask lanes;        // that waited
  int line = 0;          // of the source; 0: not known
  bool operator==(const Wait&) const = default;
};

/// "barrier", "copies", "phase", "cluster"
constexpr std::string_view name_of(Wait::Kind kind) {
  switch (kind) {
    case Wait::Kind::Barrier:
      return "barrier";
    case Wait::Kind::Copies:
      return "copies";
    case Wait::Kind::Phase:
      return "phase";
    case Wait::Kind::Cluster:
      break;
  }
  return "cluster";
}

}  // namespace lanescope::trace
