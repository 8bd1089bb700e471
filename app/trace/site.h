// A site: one memory instruction of the program, and where it stands in the source.

#pragma once

#include "base/error.h"
#include "base/ids.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::trace {

enum class Space : uint8_t { Global, Shared, Local, Constant };
enum class Kind : uint8_t { Load, Store, Atomic, Reduction, AsyncCopy };

constexpr std::string_view name_of(Space space) {
  switch (space) {
    case Space::Global:
      return "global";
    case Space::Shared:
      return "shared";
    case Space::Local:
      return "local";
    case Space::Constant:
      return "constant";
  }
  return "unknown";
}

constexpr std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::Load:
      return "load";
    case Kind::Store:
      return "store";
    case Kind::Atomic:
      return "atomic";
    case Kind::Reduction:
      return "reduction";
    case Kind::AsyncCopy:
      return "async_copy";
  }
  return "unknown";
}

/// What else the hardware's cost of a shared-memory access depends on (measured:
/// tests/data/h200_wavefronts.csv.gz).
enum class Detail : uint8_t {
  Plain,
  CompareAndSwap,   // atom.cas
  UnusedIncrement,  // atomicAdd(p, 1) whose result is not used
  Matrix,           // ldmatrix, stmatrix: the lanes supply row addresses of 16 bytes
};

constexpr std::string_view name_of(Detail detail) {
  switch (detail) {
    case Detail::Plain:
      return "plain";
    case Detail::CompareAndSwap:
      return "compare_and_swap";
    case Detail::UnusedIncrement:
      return "unused_increment";
    case Detail::Matrix:
      return "matrix";
  }
  return "unknown";
}

/// What the cost of an access depends on beside its addresses. A generic access gets a site per space it met.
struct Operation {
  Space space = Space::Global;
  Kind kind = Kind::Load;
  uint8_t bytes_per_lane = 4;  // 1..32: element size x vector width
  Detail detail = Detail::Plain;
  bool operator==(const Operation&) const = default;
};

struct Site {
  SiteId id;
  Operation operation;
  Location source;          // line 0 when the PTX carries no .loc
  std::string source_text;  // the CUDA line, trimmed; empty when unknown
  int ptx_line = 0;         // line in the PTX text, from 1
  std::string ptx_text;     // the instruction as written in the PTX
};

}  // namespace lanescope::trace
