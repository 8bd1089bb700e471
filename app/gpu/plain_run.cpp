#include "gpu/plain_run.h"

#include "gpu/launch_buffers.h"

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
  TRY(LaunchBuffers set, LaunchBuffers::make(context, launch, Filling::Initial));
  TRY_VOID(set.launch(module, kernel.entry, launch));
  TRY_VOID(context.synchronize("kernel " + kernel.entry));
  std::vector<launch::Contents> contents;
  for (const Buffer& buffer : set.buffers()) {
    TRY(std::vector<std::byte> bytes, buffer.download());
    contents.push_back(std::make_shared<const std::vector<std::byte>>(std::move(bytes)));
  }
  return contents;
}

}  // namespace lanescope::gpu
