#include "shell/gpu_producer.h"

#include "pipeline/gpu_tracer.h"

namespace lanescope::shell {

Result<pipeline::Tracer> gpu_producer(const GpuChoice& choice, const Paths& paths, emulator::Checks wanted) {
  TRY(auto gpu, choose_gpu(choice, paths));
  return pipeline::gpu_tracer(std::move(gpu), wanted);
}

}  // namespace lanescope::shell
