// A defect that a check found while a kernel ran, with source line, block and thread.

#pragma once

#include "base/dim3.h"
#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

enum class HazardKind : uint8_t {
  OutOfBounds,
  Misaligned,
  Race,
  Uninitialized,
  DivergentBarrier,
  Trap,
  Deadlock,           // lanes that wait for each other without end
  StackOverflow,      // calls that go too deep, arrays that are too large
  Assertion,          // a failed assert() of the kernel
  OverlappingArrays,  // of shared memory, that begin at one address
  ArgumentType,       // a buffer of other elements than the parameter is declared for
  WrongImage,         // a texture or surface that is none, or of other dimensions or types than are accessed
};

constexpr std::string_view name_of(HazardKind kind) {
  switch (kind) {
    case HazardKind::OutOfBounds:
      return "out_of_bounds";
    case HazardKind::Misaligned:
      return "misaligned";
    case HazardKind::Race:
      return "race";
    case HazardKind::Uninitialized:
      return "uninitialized";
    case HazardKind::DivergentBarrier:
      return "divergent_barrier";
    case HazardKind::Trap:
      return "trap";
    case HazardKind::Deadlock:
      return "deadlock";
    case HazardKind::StackOverflow:
      return "stack_overflow";
    case HazardKind::Assertion:
      return "assertion";
    case HazardKind::OverlappingArrays:
      return "overlapping_arrays";
    case HazardKind::ArgumentType:
      return "argument_type";
    case HazardKind::WrongImage:
      return "wrong_image";
  }
  return "unknown";
}

/// One access of a hazard: an instruction and the thread that executed it.
struct Culprit {
  Location where;  // source line where the PTX carries it; outside of CUDA's headers if it was called there
  std::vector<Location> called_from = {};            // as Hazard::called_from
  std::optional<Location> in_header = std::nullopt;  // as Hazard::in_header
  int ptx_line = 0;
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
};

/// End of an access that goes beyond the end of a buffer, or of shared memory.
struct Excess {
  std::optional<uint32_t> buffer;  // of the launch; absent: the block's shared memory
  uint64_t end_bytes = 0;          // the size that the memory would have to have
};

struct Hazard {
  HazardKind kind = HazardKind::OutOfBounds;
  Location where;  // source line where the PTX carries it; outside of CUDA's headers if it was called there
  std::vector<Location> called_from =
      {};  // where the inlined function with `where` was called, innermost first
  std::optional<Location> in_header = std::nullopt;  // the line of CUDA's header that `where` calls
  int ptx_line = 0;
  std::string message;  // one sentence: what was done, what was allowed, what to try
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  std::optional<Culprit> other = std::nullopt;  // a race has two sides
  uint64_t count = 1;        // lanes that did the same at these lines; this is the first of them
  std::string element = {};  // "tile[0][16]": what is accessed, where the shape of the array is known
  std::optional<Excess> excess = std::nullopt;  // of OutOfBounds, where a larger size would be enough
  /// True if the hazard may come from a guess about the launch: a question, and no failure of the kernel.
  bool is_question = false;
};

/// "thread (3,0,0) of block (1,2,0) reads ...", without the location.
std::string sentence_of(const Hazard& hazard);

/// True if the hazard's kind, file, element or sentence contains each of the words, in any case: "race",
/// "shared", "tile", "block (1,2,0)". "line 28" has to be the line of one of its accesses.
bool matches(const Hazard& hazard, std::string_view words);

}  // namespace lanescope::trace
