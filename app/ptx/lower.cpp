#include "ptx/lower.h"

#include "ptx/lower_passes.h"

#include <algorithm>
#include <iterator>

namespace lanescope::ptx {

Result<Program> lower(const Module& module, std::string_view entry) {
  TRY(const uint32_t index, find_kernel(module, entry));
  Program program;
  program.kernel = module.functions[index].name;
  const LaunchBounds& bounds = module.functions[index].bounds;
  if (bounds.required_cluster) program.cluster = *bounds.required_cluster;
  program.max_threads = bounds.max_threads;
  program.required_threads = bounds.required_threads;
  TRY(const std::vector<uint32_t> functions, find_functions(module, index, program));
  TRY_VOID(lay_out_memory(module, functions, program));
  TRY_VOID(lower_steps(module, functions, program));
  find_reductions(program);
  find_blocks(program);
  TRY_VOID(measure_stack(program));
  contract(program);
  find_written_parameters(program);
  find_timed_steps(program);
  find_address_bases(program);
  find_symbolic_addresses(program);
  share_slots(program);
  find_live_slots(program);
  std::vector<int> nounroll_lines;
  for (const uint32_t function : functions)
    std::ranges::copy(module.functions[function].nounroll_lines, std::back_inserter(nounroll_lines));
  find_load_waits(program, nounroll_lines);
  return program;
}

}  // namespace lanescope::ptx
