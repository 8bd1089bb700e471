#include "pipeline/gpu_tracer.h"

namespace lanescope::pipeline {

Tracer gpu_tracer(std::shared_ptr<gpu::Gpu> gpu) {
  return [gpu = std::move(gpu)](const Compiled& compiled, const launch::Launch& launch,
                                const trace::Keep& keep) -> Result<emulator::Recording> {
    const std::string& entry = compiled.program.kernel;
    TRY(gpu::TracedRun traced, gpu->trace({compiled.ptx_text, entry + ".ptx", entry}, launch,
                                          emulator::trace_header(compiled.program, launch), keep));
    return emulator::Recording{.trace = std::move(traced.trace), .buffers = std::move(traced.buffers)};
  };
}

}  // namespace lanescope::pipeline
