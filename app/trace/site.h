// A site: one memory instruction of the program, and its place in the source.

#pragma once

#include "base/error.h"
#include "base/ids.h"
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
  Location source;  // line 0 when the PTX carries no .loc
  std::vector<Location> called_from =
      {};                   // where the inlined function that has `source` was called; innermost first
  std::string source_text;  // the CUDA line, trimmed; empty when unknown
  int ptx_line = 0;         // line in the PTX text, from 1
  std::string ptx_text;     // the instruction as written in the PTX
  // True if the site is in a loop whose end depends on writes of other blocks: how often it executes depends
  // on their order, which differs from run to run on a GPU, or with several threads of the emulator.
  bool depends_on_order = false;
};

}  // namespace lanescope::trace
