// Where the paths of a kernel part and meet in its PTX. Tests: tests/unit/sass/reconvergence_test.cpp

#pragma once

#include "ptx/program.h"
#include "ptx/reconvergence.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::sass {

class Paths {
 public:
  /// Both must outlive the object.
  Paths(const ptx::Program& program, const ptx::Successors& successors);

  bool is_in_loop(uint32_t header, uint32_t block) const;
  /// Edges over which lanes come for the loop's next round.
  uint32_t ways_to_round(uint32_t header) const;
  /// The first block that every path from the block passes; ptx::kExit if there is none.
  uint32_t meeting_of(uint32_t block) const { return meets_[block]; }
  /// Where lanes that meet at the block were last together: its dominator outside of loops that it is not in;
  /// no value if that is not known.
  std::optional<uint32_t> parting_of(uint32_t block) const;
  /// Blocks that end in a branch from which lanes can come to `meeting` over several ways. `positions`: of
  /// lanes that can still come there.
  std::vector<uint32_t> branches_to(uint32_t meeting, const std::vector<ptx::PositionRange>& positions) const;

 private:
  std::optional<uint32_t> outermost_without(uint32_t block, uint32_t other) const;

  const ptx::Program& program_;
  const ptx::Successors& successors_;
  std::vector<uint32_t> meets_;
  std::vector<uint32_t> dominators_;
  std::map<uint32_t, uint32_t> rounds_;  // [header] edges to its next round
};

}  // namespace lanescope::sass
