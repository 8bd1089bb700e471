// What an instruction must satisfy in addition to its spelling: operands that fit its types, required
// modifiers. Method: a row of opcode.def gives the type of each operand; rules that a row cannot express are
// written out, one function each. Tests: tests/unit/ptx/check_test.cpp

#pragma once

#include "base/error.h"
#include "ptx/module.h"
#include "ptx/opcode.h"

#include <expected>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ptx {

/// What these checks find.
inline std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorKind::Syntax, std::move(message));
}

/// Whether what is written between name and operands makes sense, and says enough to execute it.
/// Errors: Syntax, without a location.
Result<void> check_modifiers(const OpcodeRow& row, const Instruction& instruction);

/// Whether each operand is of a form and a type that its place takes. `registers` are the function's.
/// Errors: Syntax, without a location.
Result<void> check_operands(const OpcodeRow& row, const Instruction& instruction,
                            const std::vector<Register>& registers);

/// Whether a matrix instruction's shape exists for its types and its fragments have as many registers.
/// Errors: Syntax, without a location.
Result<void> check_matrices(const Instruction& instruction, const std::vector<Register>& registers);

/// wgmma.mma_async: imm-scale and imm-trans, which follow its operands, as modifiers. check_matrices() says
/// what is wrong with them.
void take_matrix_constants(Instruction& instruction);

}  // namespace lanescope::ptx
