// Where diverged threads reconverge: post-dominators of a graph of basic blocks.
// Method: dominators of the reversed graph by iteration to a fixed point, with one virtual exit after every
// block that ends the thread. A block from which no exit can be reached (an endless loop) counts as one that
// ends. Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". Tests:
// tests/unit/ptx/reconvergence_test.cpp

#pragma once

#include <cstdint>
#include <vector>

namespace lanescope::ptx {

/// [block] -> blocks that may follow it. A block without successors ends the thread.
using Successors = std::vector<std::vector<uint32_t>>;

inline constexpr uint32_t kExit = 0xffffffff;

/// [block] -> the first block that every path from it to the end passes; kExit if there is none. Blocks that
/// no path reaches from block 0 have one too.
std::vector<uint32_t> immediate_post_dominators(const Successors& successors);

}  // namespace lanescope::ptx
