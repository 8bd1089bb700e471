#include "gpu/plain_run.h"

#include <cstring>

namespace lanescope::gpu {

std::vector<std::vector<std::byte>> parameter_bytes(const launch::Launch& launch,
                                                    const std::vector<uint64_t>& buffer_addresses) {
  std::vector<std::vector<std::byte>> parameters;
  for (const launch::Argument& argument : launch.arguments) {
    if (const auto* value = std::get_if<launch::Value>(&argument)) {
      parameters.push_back(value->bytes);
      continue;
    }
    const uint64_t address = buffer_addresses[std::get<launch::BufferArgument>(argument).buffer];
    std::vector<std::byte> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    parameters.push_back(std::move(bytes));
  }
  return parameters;
}

Result<std::vector<launch::Contents>> run_plain(const Context& context, const Kernel& kernel,
                                                const launch::Launch& launch) {
  TRY(const Module module, Module::load(context, kernel.ptx, kernel.name));
  std::vector<Buffer> buffers;
  std::vector<uint64_t> addresses;
  for (const launch::Buffer& buffer : launch.buffers) {
    TRY(Buffer on_gpu, Buffer::allocate(context, buffer.initial->size()));
    TRY_VOID(on_gpu.upload(*buffer.initial));
    addresses.push_back(on_gpu.address());
    buffers.push_back(std::move(on_gpu));
  }
  std::vector<std::vector<std::byte>> parameters = parameter_bytes(launch, addresses);
  std::vector<void*> pointers;
  pointers.reserve(parameters.size());
  for (std::vector<std::byte>& bytes : parameters) pointers.push_back(bytes.data());
  TRY_VOID(module.launch(kernel.entry, launch.grid, launch.block, launch.dynamic_shared_bytes, pointers));
  TRY_VOID(context.synchronize("kernel " + kernel.entry));
  std::vector<launch::Contents> contents;
  for (const Buffer& buffer : buffers) {
    TRY(std::vector<std::byte> bytes, buffer.download());
    contents.push_back(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
  }
  return contents;
}

}  // namespace lanescope::gpu
