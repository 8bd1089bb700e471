#include "shell/gpu_producer.h"

#include "session/gpu_handle.h"

namespace lanescope::shell {

Result<pipeline::Tracer> gpu_producer(const GpuChoice& choice, const Paths& paths) {
  TRY(auto gpu, choose_gpu(choice, paths));
  return session::tracer_of(std::move(gpu));
}

}  // namespace lanescope::shell
