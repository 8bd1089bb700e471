#include "gpu/kernel_check.h"

#include "ptx/lower.h"
#include "ptx/module.h"

#include <fmt/format.h>

namespace lanescope::gpu {

Result<void> check_arguments(const ptx::Program& program, const launch::Launch& launch) {
  if (launch.arguments.size() != program.parameters.size())
    return fail(ErrorKind::Launch,
                fmt::format("kernel {} takes {} arguments, {} were given; use --arg once for each",
                            program.kernel, program.parameters.size(), launch.arguments.size()));
  for (size_t n = 0; n < launch.arguments.size(); ++n) {
    const auto* value = std::get_if<launch::Value>(&launch.arguments[n]);
    const size_t bytes = value == nullptr ? sizeof(uint64_t) : value->bytes.size();
    if (bytes != program.parameters[n].size_bytes)
      return fail(ErrorKind::Launch,
                  fmt::format("argument {} of kernel {} ({}) has {} bytes, {} were given", n, program.kernel,
                              program.parameters[n].name, program.parameters[n].size_bytes, bytes));
  }
  return {};
}

LaunchKind launch_kind_of(const ptx::Program& program) {
  return ptx::uses_workspace(program) ? LaunchKind::Cooperative : LaunchKind::Plain;
}

Result<CheckedKernel> check_kernel(const Kernel& kernel, const launch::Launch& launch) {
  TRY(const ptx::Module module, ptx::parse(kernel.ptx, kernel.name));
  TRY(const ptx::Program program, ptx::lower(module, kernel.entry));
  TRY_VOID(check_arguments(program, launch));
  CheckedKernel checked{.variables = {}, .kind = launch_kind_of(program)};
  for (const ptx::Variable& variable : module.globals)
    if (variable.space == ptx::Space::Global) checked.variables.push_back(variable.name);
  return checked;
}

}  // namespace lanescope::gpu
