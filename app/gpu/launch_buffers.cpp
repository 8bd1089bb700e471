#include "gpu/launch_buffers.h"

#include <cstring>

namespace lanescope::gpu {

std::vector<std::vector<std::byte>> parameter_bytes(const launch::Launch& launch,
                                                    const std::vector<uint64_t>& buffer_addresses,
                                                    const std::vector<uint64_t>& image_handles) {
  std::vector<std::vector<std::byte>> parameters;
  for (const launch::Argument& argument : launch.arguments)
    parameters.push_back(launch::parameter_bytes(
        argument, [&](uint32_t buffer) { return buffer_addresses[buffer]; },
        [&](uint32_t image) { return image_handles[image]; }));
  return parameters;
}

Result<LaunchBuffers> LaunchBuffers::make(const Context& context, const launch::Launch& launch,
                                          Filling filling) {
  LaunchBuffers made;
  std::vector<uint64_t> addresses;
  for (const launch::Buffer& buffer : launch.buffers) {
    TRY(Buffer on_gpu, Buffer::allocate(context, buffer.initial->size()));
    if (filling == Filling::Initial) TRY_VOID(on_gpu.upload(*buffer.initial));
    addresses.push_back(on_gpu.address());
    made.buffers_.push_back(std::move(on_gpu));
    made.initial_.push_back(buffer.initial);
  }
  TRY(made.images_, LaunchImages::make(context, launch, made.buffers_));
  if (filling == Filling::Initial) TRY_VOID(made.images_.fill(made.buffers_));
  made.parameters_ = parameter_bytes(launch, addresses, made.images_.handles());
  for (std::vector<std::byte>& bytes : made.parameters_) made.pointers_.push_back(bytes.data());
  return made;
}

Result<void> LaunchBuffers::keep(const Context& context, const Module& module,
                                 const std::vector<std::string>& variables) {
  kept_.clear();
  variables_.clear();
  for (const std::string& name : variables) {
    TRY(const auto variable, module.variable(name));
    if (!variable) continue;
    TRY(Buffer contents, Buffer::allocate(context, variable->bytes));
    TRY_VOID(contents.queue_copy_from(variable->address));
    variables_.push_back({.address = variable->address, .contents = std::move(contents)});
  }
  for (const Buffer& buffer : buffers_) {
    auto copy = Buffer::allocate(context, buffer.size_bytes());
    if (!copy && copy.error().kind != ErrorKind::Limit) return std::unexpected(copy.error());
    if (copy) TRY_VOID(copy->queue_copy(buffer));
    kept_.push_back(copy ? std::optional(*std::move(copy)) : std::nullopt);
  }
  return {};
}

Result<void> LaunchBuffers::restore() {
  for (size_t n = 0; n < kept_.size(); ++n)
    TRY_VOID(kept_[n] ? buffers_[n].queue_copy(*kept_[n]) : buffers_[n].upload(*initial_[n]));
  for (const KeptVariable& variable : variables_) TRY_VOID(variable.contents.queue_copy_to(variable.address));
  return kept_.empty() ? Result<void>() : images_.fill(buffers_);
}

Result<std::vector<launch::Contents>> LaunchBuffers::download() {
  TRY_VOID(images_.collect(buffers_));
  std::vector<launch::Contents> contents;
  for (const Buffer& buffer : buffers_) {
    TRY(launch::Bytes bytes, buffer.download());
    contents.push_back(std::make_shared<const launch::Bytes>(std::move(bytes)));
  }
  return contents;
}

Result<void> LaunchBuffers::launch(const Module& module, const std::string& entry,
                                   const launch::Launch& launch, LaunchKind kind) {
  return module.launch(entry, launch.grid, launch.block, launch.dynamic_shared_bytes, pointers_, kind);
}

}  // namespace lanescope::gpu
