// The machine code of a kernel by the basic blocks of its PTX: the lines of its instructions lead there.
// Tests: tests/unit/sass/reconvergence_test.cpp

#pragma once

#include "ptx/program.h"
#include "ptx/reconvergence.h"
#include "sass/cubin.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace lanescope::sass {

class CodeBlocks {
 public:
  /// All must outlive the object.
  CodeBlocks(const MachineFunction& function, const ptx::Program& program, const ptx::Successors& successors);

  /// True if lanes that wait at a BSYNC may go on (YIELD), as where others poll.
  bool lets_waiting_lanes_go_on() const { return yields_; }
  /// True if the branch at the end of the block is one in the machine code too.
  bool stays_branch(uint32_t block) const;
  /// Blocks of the PTX where paths meet that the code from `pc` on was made of, or that follow it.
  std::set<uint32_t> meetings_at(uint32_t pc) const;
  /// Block of the branch that ends the basic block of an instruction; no value if it ends otherwise.
  std::optional<uint32_t> branch_after(uint32_t pc) const;
  /// Block of the line of an instruction.
  std::optional<uint32_t> block_at(uint32_t pc) const;

 private:
  bool meets(uint32_t block) const;
  template <class F>
  void for_each_after(uint32_t block, F&& f) const;
  std::set<uint32_t> blocks_from(uint32_t pc) const;

  const MachineFunction& function_;
  const ptx::Program& program_;
  const ptx::Successors& successors_;
  std::map<uint32_t, uint32_t> blocks_of_line_;
  std::set<uint32_t> targets_;
  std::set<uint32_t> conditional_lines_;
  bool yields_ = false;
};

}  // namespace lanescope::sass
