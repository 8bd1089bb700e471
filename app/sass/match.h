// What NVIDIA's assembler made of each memory instruction of the PTX. Method: the cubin's table gives each
// machine instruction its line of PTX. One that is wider than the instruction there stands for several: for
// those of its kind whose addresses lie in one window of its width, since an access of W bytes is aligned to
// W, or for the iterations of a loop. Tests: tests/unit/sass/match_test.cpp

#pragma once

#include "ptx/program.h"
#include "sass/cubin.h"
#include "sass/machine_access.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lanescope::sass {

enum class Fate : uint8_t {
  Same,      // one instruction of its width, or copies of it
  Merged,    // a wider instruction makes this access with others: MergedAccess
  Removed,   // no instruction: the data stay in registers, or come with an operand
  Narrower,  // an instruction moves a part of the bytes: MergedAccess, where that is known
  Replaced,  // instructions of another kind: an atomic as a loop
};

/// Which lanes make an atomic of global or shared memory. The assembler lets one lane of a warp, which a vote
/// elects, make an atomic whose address does not depend on the lane.
enum class Election : uint8_t {
  NoAtomic,       // or one that is not matched
  None,           // each lane for itself
  OfFullWarps,    // one lane where all 32 are active, else each for itself
  OfActiveLanes,  // one lane of those that are active
};

struct SiteMatch {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  Fate fate = Fate::Removed;
  uint32_t merged = kNone;                  // index in Match::merged, where that has it
  std::vector<uint32_t> instructions = {};  // indices in Match::accesses
  Election election = Election::NoAtomic;
};

/// Sites whose accesses one instruction makes together; or one site of which an instruction makes a part.
struct MergedAccess {
  MemorySpace space = MemorySpace::Global;
  MemoryKind kind = MemoryKind::Load;
  uint32_t bytes = 0;                       // of a lane: the width of the widest instruction
  uint32_t first_byte = 0;                  // of a part: where it begins in the access of the PTX
  std::vector<uint32_t> narrower = {};      // widths of other copies, of a loop's remainder, in rising order
  std::vector<uint32_t> sites = {};         // in rising order
  std::vector<uint32_t> instructions = {};  // indices in Match::accesses
};

struct Match {
  std::vector<MachineAccess> accesses;  // in the order of the code
  std::vector<SiteMatch> sites;         // [site of the program]
  std::vector<MergedAccess> merged;
  std::vector<uint32_t> spills;     // indices of accesses to registers that were spilled to local memory
  std::vector<uint32_t> unmatched;  // indices of other accesses without a site
};

/// Matches the kernel's sites with its machine code, which was made of the program's PTX.
Match match(const ptx::Program& program, const MachineFunction& function);

}  // namespace lanescope::sass
