// Which kernel of a module a job means. Tests: tests/cli/{trace,command_line}_test.cpp

#pragma once

#include "compile/find_kernels.h"
#include "pipeline/job.h"
#include "ptx/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::pipeline {

/// The PTX name of the kernel that the job names, as written in the source or in the PTX, with or without its
/// namespace and its template's arguments; for an empty name the only one. Errors: Usage where none or
/// several fit. `kernels`: those that the job's text declares.
Result<std::string> entry_of(const ptx::Module& module, const Job& job,
                             const std::vector<compile::KernelDeclaration>& kernels);

/// The error for PTX without a kernel: a template is in the PTX only where it is instantiated, and a kernel
/// may be in one of the includes that were not found.
std::unexpected<Error> no_kernel(const Job& job, const std::vector<compile::KernelDeclaration>& kernels,
                                 const std::vector<std::string>& missing);

/// "f" of "a::f<int>".
std::string kernel_name_of(std::string_view name);

/// The name without the list of parameters that a list of kernels prints after it.
std::string without_parameters(std::string_view name);

/// Of overloads those with the types of "paint(uchar4* o, const float* s)"; all where none has them.
std::vector<std::string> overloads_named(const std::vector<std::string>& entries, std::string_view written);

/// The instance as a compiler reads it: "apply<one>" of "apply<&(one(float*, int))>", which demanglers write.
std::string instance_of(std::string_view name);

/// Whether `written`, as "f<int,256>" or "f", means the kernel "a::f<int, 256u>".
bool is_name_of_kernel(std::string_view written, std::string_view kernel);

}  // namespace lanescope::pipeline
