#include "pipeline/gpu_tracer.h"

namespace lanescope::pipeline {
namespace {

std::vector<std::string> not_made_by_a_gpu(emulator::Checks wanted) {
  std::vector<std::string> unchecked{
      "bounds and alignment of each access; a GPU notices only addresses that no memory of its process has"};
  if (wanted == emulator::Checks::All)
    unchecked.emplace_back(
        "data races, uninitialized reads and barriers that not all threads reach; only the "
        "emulator looks for them");
  return unchecked;
}

}  // namespace

Tracer gpu_tracer(std::shared_ptr<gpu::Gpu> gpu, emulator::Checks wanted) {
  return [gpu = std::move(gpu), wanted](const Compiled& compiled, const launch::Launch& launch,
                                        const trace::Keep& keep) -> Result<emulator::Recording> {
    const std::string& entry = compiled.program.kernel;
    TRY(gpu::TracedRun traced, gpu->trace({compiled.ptx_text, entry + ".ptx", entry}, launch,
                                          emulator::trace_header(compiled.program, launch), keep));
    traced.trace.unchecked = not_made_by_a_gpu(wanted);
    return emulator::Recording{
        .trace = std::move(traced.trace), .buffers = std::move(traced.buffers), .variables = {}};
  };
}

}  // namespace lanescope::pipeline
