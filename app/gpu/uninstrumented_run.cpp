#include "gpu/uninstrumented_run.h"

#include "gpu/kernel_check.h"
#include "gpu/launch_buffers.h"

namespace lanescope::gpu {

Result<std::vector<launch::Contents>> run_uninstrumented(const Context& context, const Kernel& kernel,
                                                         const launch::Launch& launch) {
  TRY(const Module module, Module::load(context, kernel.ptx, kernel.name));
  const auto checked = check_kernel(kernel, launch);  // what is wrong with it, the driver tells
  TRY(LaunchBuffers set, LaunchBuffers::make(context, launch, Filling::Initial));
  TRY_VOID(set.launch(module, kernel.entry, launch, checked ? checked->kind : LaunchKind::Plain));
  TRY_VOID(context.synchronize("kernel " + kernel.entry));
  return set.download();
}

}  // namespace lanescope::gpu
