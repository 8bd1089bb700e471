// Counts a loop's accesses without dividing its code: what a recorder does at each access costs a multiple of
// the loop, since branches and votes between its loads undo unrolling and keep loads from being in flight
// together. Method: at each access a lane adds its address to a sum of powers (sum = sum x K + address) and
// at each pass through the code counts one. Before the kernel ends, the sums of the 32 lanes are compared:
// they differ by distance x (1 + K + K^2 + ...) if the lanes kept their expected distances at every access,
// and the active lanes were all of the warp every time. Then the accesses are as many of the expected
// pattern; if not, the site is reported and recorded access by access in another pass. The or and the and of
// all addresses tell which bits of the place in a line changed; if the cost depends on these, the site is
// recorded access by access too. Other sequences of addresses have the same sums in one of 2^32 cases.
// Source: PTX ISA. Tests: tests/gpu/accumulators_test.cpp; tests/gpu compares the totals with the emulator's.

#pragma once

#include "gpu/instrument/recorder_code.h"

#include <string>
#include <vector>

namespace lanescope::gpu {

/// The sum of one site.
struct Accumulator {
  RecorderSite place;     // with its expected steps; `number` is that of the accumulator
  unsigned passes = 0;    // number of the counter of passes through the code around it
  bool counts = false;    // the first of its counter: counts the passes
  bool is_first = false;  // of instructions that the same lanes execute: looks which lanes are active
};

/// Whether the recorder of such a site can be a sum.
bool may_accumulate(const RecorderLayout& plan, const RecorderSite& place);

/// Before the instruction.
std::string accumulate_text(const Accumulator& accumulator);
/// The registers, at the start of the function.
std::string accumulators_prologue(const std::vector<Accumulator>& accumulators);
/// Before an instruction that ends the thread. `number` makes labels unique; `skip_unless` is its guard, as
/// in RecorderSite.
std::string evaluation_text(const RecorderLayout& plan, const std::vector<Accumulator>& accumulators,
                            unsigned number, const std::string& skip_unless);

}  // namespace lanescope::gpu
