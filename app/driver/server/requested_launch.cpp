#include "driver/server/requested_launch.h"

namespace lanescope::driver {

Dim3 extent_of(const uint32_t (&numbers)[3]) { return {numbers[0], numbers[1], numbers[2]}; }

KernelLaunch launch_of(const LanescopeLaunch& shape, const LoadedModule& module, const ptx::Program& program,
                       std::string_view parameters) {
  const Dim3 cluster = extent_of(shape.cluster);
  return {.module = module,
          .program = program,
          .grid = extent_of(shape.grid),
          .block = extent_of(shape.block),
          .dynamic_shared_bytes = shape.dynamic_shared_bytes,
          .cluster = volume(cluster) > 0 ? std::optional(cluster) : std::nullopt,
          .parameters = std::as_bytes(std::span(parameters)),
          .has_inputs = shape.has_inputs != 0,
          .reached = shape.reached};
}

}  // namespace lanescope::driver
