// The machine code of a kernel, and its match with the kernel's PTX. Of PTX that no compiler here made it is
// made by the ptxas of a CUDA toolkit. Tests: tests/cli/level_test.cpp

#pragma once

#include "base/error.h"
#include "compile/toolkit.h"
#include "ptx/program.h"
#include "sass/machine_level.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace lanescope::pipeline {

/// PTX that is to be assembled. `program`: one of its kernels. `name`: of the PTX, for errors.
struct AssembledPtx {
  const ptx::Program& program;
  std::string_view text;
  std::string name;
  std::string arch;  // "sm_80"
};

/// The cubin of the PTX. `cache`: a folder; empty: none. Errors: Unsupported where a line has several memory
/// instructions, those of compile::assemble().
Result<std::string> machine_code_of(const AssembledPtx& ptx, const compile::Toolkit& toolkit,
                                    const std::filesystem::path& cache);

/// What says that there is no ptxas for PTX of this name.
Error no_assembler(const std::string& name);

/// The machine code of the program's kernel, matched with its PTX, without totals. Errors: Syntax for a cubin
/// that cannot be read, Unsupported if it does not have the kernel.
Result<std::shared_ptr<sass::MachineLevel>> machine_level_of(std::string_view cubin,
                                                             const ptx::Program& program, std::string arch);

}  // namespace lanescope::pipeline
