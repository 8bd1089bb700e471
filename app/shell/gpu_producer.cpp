#include "shell/gpu_producer.h"

#include <memory>

namespace lanescope::shell {

Result<session::Producer> gpu_producer(const GpuChoice& choice, const Paths& paths) {
  TRY(auto chosen, choose_gpu(choice, paths));
  const std::shared_ptr<gpu::Gpu> gpu = std::move(chosen);
  return [gpu](const session::Compiled& compiled, const launch::Launch& launch,
               const trace::Keep& keep) -> Result<emulator::Recording> {
    const std::string& entry = compiled.program.kernel;
    TRY(gpu::TracedRun traced, gpu->trace({compiled.ptx_text, entry + ".ptx", entry}, launch,
                                          emulator::trace_header(compiled.program, launch), keep));
    return emulator::Recording{.trace = std::move(traced.trace), .buffers = std::move(traced.buffers)};
  };
}

}  // namespace lanescope::shell
