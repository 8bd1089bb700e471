// Random structured control flow: a kernel as PTX, and what a warp does that reconverges at the end of each
// if, at a loop's next round, and after a loop. Method: a tree of statements is written as PTX without a
// compiler, so that each load keeps its place, and interpreted lane by lane with sets of lanes. Every load
// takes its index from the state of its lane and changes that state, so a lane that goes astray shows in the
// output.

#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lanescope::tests {

struct Statement {
  enum class Kind : uint8_t {
    Load,      // state = state * factor + in[state >> shift & 63]
    If,        // with `condition`: `body`, or else `other`
    For,       // `body`, `rounds` times, a number that may differ from lane to lane
    Forever,   // `body` until a lane breaks or returns; it begins with a break or return after `rounds`
    Break,     // of the lanes with `condition`
    Continue,  // of the lanes with `condition`
    Return,    // of the lanes with `condition`: they store their state and end
  };
  /// What decides: bits of the state, of the thread, or of a loop's counter.
  struct Condition {
    enum class Of : uint8_t { State, Thread, Counter };
    Of of = Of::State;
    uint32_t shift = 0;
    uint32_t mask = 1;
    uint32_t below = 1;    // true if the bits are less
    uint32_t counter = 0;  // number of the loop
  };
  Kind kind = Kind::Load;
  uint32_t number = 0;  // of a load, of a loop
  uint32_t factor = 1;
  uint32_t shift = 0;
  Condition condition = {};
  uint32_t rounds = 0;
  bool rounds_from_state = false;  // then (state >> shift) & 3
  bool returns = false;            // a Forever ends by return
  std::vector<Statement> body = {};
  std::vector<Statement> other = {};
};

struct StructuredKernel {
  std::vector<Statement> statements;
  uint32_t loads = 0;
  uint32_t loops = 0;
};

StructuredKernel random_kernel(uint32_t seed);

/// The kernel as PTX: parameters `in` (64 words) and `out` (a word for each of 32 threads). Load n is at the
/// source line n + 1.
std::string ptx_of(const StructuredKernel& kernel);

struct StructuredRun {
  std::vector<uint32_t> requests;  // [load]
  std::vector<uint32_t> lanes;     // [load] in all requests together
  std::array<uint32_t, 32> out{};
  bool too_long = false;  // stopped after many loads
};

StructuredRun interpret(const StructuredKernel& kernel, const std::array<uint32_t, 64>& in);

}  // namespace lanescope::tests
