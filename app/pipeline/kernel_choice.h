// Which kernel of a module a job means. Tests: tests/cli/{trace,command_line}_test.cpp

#pragma once

#include "pipeline/job.h"
#include "ptx/module.h"

#include <string>

namespace lanescope::pipeline {

/// The PTX name of the kernel that the job names, as written in the source or in the PTX, with or without its
/// namespace and its template's arguments; for an empty name the only one. Errors: Usage where none or
/// several fit, Compile where the module has no kernel.
Result<std::string> entry_of(const ptx::Module& module, const Job& job);

/// The error for PTX without a kernel: a template is in the PTX only where it is instantiated.
std::unexpected<Error> no_kernel(const Job& job);

}  // namespace lanescope::pipeline
