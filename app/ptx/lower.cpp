#include "ptx/lower.h"

#include "ptx/lower_passes.h"

namespace lanescope::ptx {

Result<Program> lower(const Module& module, std::string_view entry) {
  TRY(const uint32_t index, find_kernel(module, entry));
  const Function& kernel = module.functions[index];
  Program program;
  program.kernel = kernel.name;
  TRY_VOID(lay_out_memory(module, kernel, program));
  TRY_VOID(lower_steps(module, kernel, program));
  find_reductions(program);
  find_blocks(program);
  contract(program);
  find_uniform_slots(program);
  find_written_parameters(program);
  share_slots(program);
  return program;
}

}  // namespace lanescope::ptx
