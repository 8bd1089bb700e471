// Where text can be inserted into a function's body: after its declarations, before its first label and its
// first instruction. Method: the lexer of app/ptx skips the statements that begin with a dot.
// Tests: tests/unit/gpu/instrument_test.cpp

#pragma once

#include "ptx/module.h"

#include <optional>
#include <string>

namespace lanescope::gpu {

/// Offset in Module::text. Error: Internal if the body is not at the offset that the module gives.
Result<uint32_t> after_declarations(const ptx::Module& module, const ptx::Function& function);

/// The statements there that declare registers. Error: the same.
Result<std::string> register_declarations(const ptx::Module& module, const ptx::Function& function);

/// The line of the first variable that is declared after that offset: in an inner scope, or after an
/// instruction. Error: the same.
Result<std::optional<int>> late_declaration(const ptx::Module& module, const ptx::Function& function);

}  // namespace lanescope::gpu
