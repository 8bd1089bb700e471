#include "gpu/launch_buffers.h"

namespace lanescope::gpu {

Result<LaunchBuffers> LaunchBuffers::make(const Context& context, const launch::Launch& launch,
                                          Filling filling) {
  LaunchBuffers made;
  std::vector<uint64_t> addresses;
  for (const launch::Buffer& buffer : launch.buffers) {
    TRY(Buffer on_gpu, Buffer::allocate(context, buffer.initial->size()));
    if (filling == Filling::Initial) TRY_VOID(on_gpu.upload(*buffer.initial));
    addresses.push_back(on_gpu.address());
    made.buffers_.push_back(std::move(on_gpu));
  }
  made.parameters_ = parameter_bytes(launch, addresses);
  for (std::vector<std::byte>& bytes : made.parameters_) made.pointers_.push_back(bytes.data());
  return made;
}

Result<void> LaunchBuffers::keep(const Context& context) {
  kept_.clear();
  for (const Buffer& buffer : buffers_) {
    TRY(Buffer copy, Buffer::allocate(context, buffer.size_bytes()));
    TRY_VOID(copy.queue_copy(buffer));
    kept_.push_back(std::move(copy));
  }
  return {};
}

Result<void> LaunchBuffers::restore() {
  for (size_t n = 0; n < kept_.size(); ++n) TRY_VOID(buffers_[n].queue_copy(kept_[n]));
  return {};
}

Result<void> LaunchBuffers::launch(const Module& module, const std::string& entry,
                                   const launch::Launch& launch) {
  return module.launch(entry, launch.grid, launch.block, launch.dynamic_shared_bytes, pointers_);
}

}  // namespace lanescope::gpu
