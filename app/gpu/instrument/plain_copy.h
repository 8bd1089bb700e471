// A second copy of a kernel's body, without recorders, for the blocks of a pass that are not recorded.
// Method: the text of the body again, with other names for its labels, in a scope with registers of its own:
// with shared ones a multiplication and an addition would no longer be seen to belong together.
// Why: a recorder that is skipped still divides the code, so that the driver's compiler neither unrolls the
// loop around it nor moves loads across it. Tests: tests/unit/gpu/instrument_test.cpp

#pragma once

#include "ptx/module.h"

#include <string>

namespace lanescope::gpu {

struct PlainCopy {
  uint32_t end = 0;  // of the body in Module::text: of the brace that closes it
  std::string text;  // the copy: `{ ... }`
};

/// Error: Internal if the body is not at the offset that the module gives.
Result<PlainCopy> plain_copy(const ptx::Module& module, const ptx::Function& kernel);

}  // namespace lanescope::gpu
