// An entry of a module, ready to be executed: what ptx::lower makes and a producer runs.
// Method: a flat vector of trivial instructions whose operands are numbered slots. Constants and special
// registers are slots too, filled before the first instruction, so that an instruction only ever reads slots.
// Nothing here depends on a launch. Tests: tests/unit/ptx/lower_test.cpp

#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ptx {

/// A parameter of the kernel as it lies in parameter space.
struct Parameter {
  std::string name;
  uint32_t offset = 0;
  uint32_t size_bytes = 0;
  bool is_address_size = false;  // 8 bytes: may be a pointer
  bool may_be_written = true;    // false: no store or atomic can reach memory through this pointer
};

/// A memory instruction, once for each state space that it can address. Mirrors trace::Site.
struct MemorySite {
  enum class Space : uint8_t { Global, Shared, Local, Constant };
  enum class Kind : uint8_t { Load, Store, Atomic, Reduction, AsyncCopy };
  Space space = Space::Global;
  Kind kind = Kind::Load;
  uint8_t bytes_per_lane = 4;
  Location source;  // line 0 when the PTX carries no .loc
  int ptx_line = 0;
  std::string ptx_text;
};

struct Program {
  std::string kernel;  // entry name as written in the PTX
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t local_bytes = 0;  // per thread
  std::vector<MemorySite> sites;
};

}  // namespace lanescope::ptx
