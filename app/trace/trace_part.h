// Some blocks of a saved trace: a large file has more than fits in memory, and a picture needs those of one
// block. Tests: tests/unit/export/trace_file_test.cpp

#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>

namespace lanescope::trace {

/// Blocks of a saved trace that are to be read.
struct WantedBlocks {
  CtaId first = {};         // whole blocks from this one on, until their accesses fill most_bytes in memory
  uint64_t most_bytes = 0;  // 0: none of them; else at least one
  std::optional<CtaId> also = {};  // a block from `first` on, whatever it takes
};

struct TracePart {
  Trace trace;                // the accesses of other blocks count as dropped
  std::optional<CtaId> next;  // the first block from `first` on that did not fit; none: all did
};

}  // namespace lanescope::trace
