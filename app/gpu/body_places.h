// Where the text of a function's body can be added to: behind its declarations, before its first label and
// its first instruction. Method: the lexer of app/ptx walks over the statements that begin with a dot.
// Tests: tests/unit/gpu/instrument_test.cpp

#pragma once

#include "ptx/module.h"

#include <optional>

namespace lanescope::gpu {

/// Offset in Module::text. Errors: Internal where the body is not where the module says.
Result<uint32_t> behind_declarations(const ptx::Module& module, const ptx::Function& function);

/// The line of the first variable that is declared behind that place: in an inner scope, or behind an
/// instruction. Errors: the same.
Result<std::optional<int>> late_declaration(const ptx::Module& module, const ptx::Function& function);

}  // namespace lanescope::gpu
