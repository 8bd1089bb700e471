// A site: one memory instruction of the program, and its place in the source.

#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "base/load_wait.h"
#include "base/memory_operation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::trace {

using Space = MemorySpace;
using Kind = MemoryKind;
using Detail = MemoryDetail;
using Operation = MemoryOperation;
using lanescope::name_of;

struct Site {
  SiteId id;
  Operation operation;
  CacheUse cache_use = {};
  LoadWait wait = {};  // of loads that fill a register; none of a program that is not known
  Location source;     // line 0 when the PTX carries no .loc
  std::vector<Location> called_from =
      {};                   // where the inlined function that has `source` was called; innermost first
  std::string source_text;  // the CUDA line, trimmed; empty when unknown
  int ptx_line = 0;         // line in the PTX text, from 1
  std::string ptx_text;     // the instruction as written in the PTX
  // True if the counts depend on the order of blocks: the site is in a loop that ends by what other blocks
  // write, or at a place that an atomic gave. They differ from run to run on a GPU, or with several threads
  // of the emulator.
  bool depends_on_order = false;
  // True if the counts depend on the order of warps in a block alone, which the emulator always gives alike,
  // and a GPU does not.
  bool depends_on_warp_order = false;
};

}  // namespace lanescope::trace
