// The bounds of a launch.

#include "launch/launch.h"

#include <optional>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

constexpr uint64_t kMaximumBlockThreads = 1024;
constexpr uint32_t kMaximumBlockZ = 64;
constexpr uint32_t kMaximumGridX = 0x7fffffff;
constexpr uint32_t kMaximumGridYZ = 65535;

std::string text_of(Dim3 extent) { return fmt::format("{},{},{}", extent.x, extent.y, extent.z); }

Result<void> check_block(Dim3 block) {
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return fail(ErrorKind::Launch,
                fmt::format("a block needs at least one thread in each dimension, --block is {}; "
                            "try --block 32,8",
                            text_of(block)));
  }
  if (block.z > kMaximumBlockZ) {
    return fail(ErrorKind::Launch,
                fmt::format("a block has at most {} threads in z, --block is {}; use x or y, or more blocks",
                            kMaximumBlockZ, text_of(block)));
  }
  // The product of three 32-bit extents may overflow 64 bits, so each is clamped first.
  if (block.x > kMaximumBlockThreads || block.y > kMaximumBlockThreads ||
      volume(block) > kMaximumBlockThreads) {
    return fail(
        ErrorKind::Launch,
        fmt::format("a block has at most {} threads, --block {} makes {}; use a smaller "
                    "block and a larger grid",
                    kMaximumBlockThreads, text_of(block), static_cast<double>(block.x) * block.y * block.z));
  }
  return {};
}

Result<void> check_grid(Dim3 grid) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return fail(ErrorKind::Launch,
                fmt::format("a grid needs at least one block in each dimension, --grid is {}; try --grid 1",
                            text_of(grid)));
  }
  if (grid.x > kMaximumGridX || grid.y > kMaximumGridYZ || grid.z > kMaximumGridYZ) {
    return fail(ErrorKind::Launch,
                fmt::format("a grid has at most {} blocks in x and {} in y and z, --grid is {}",
                            kMaximumGridX, kMaximumGridYZ, text_of(grid)));
  }
  // This program numbers blocks with 32 bits.
  if (grid.x > uint64_t{0xffffffff} / (uint64_t{grid.y} * grid.z)) {
    return fail(ErrorKind::Launch,
                fmt::format("a grid of {} blocks is more than the 4294967295 that this program "
                            "numbers; launch a part of it",
                            text_of(grid)));
  }
  return {};
}

Result<void> check_buffer(const Buffer& buffer, size_t index) {
  uint64_t bytes = size_bytes(buffer.type);
  for (const uint64_t extent : buffer.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      return fail(ErrorKind::Launch,
                  fmt::format("buffer {} '{}' has more bytes than 64 bits can count", index, buffer.name));
    }
  }
  const uint64_t held = buffer.initial ? buffer.initial->size() : 0;
  if (held != bytes) {
    return fail(ErrorKind::Launch,
                fmt::format("buffer {} '{}' has a shape of {} bytes and initial contents of {}", index,
                            buffer.name, bytes, held));
  }
  return {};
}

Result<void> check_address(const Launch& launch, const BufferArgument& to, size_t index) {
  if (to.buffer >= launch.buffers.size())
    return fail(ErrorKind::Launch, fmt::format("argument {} names buffer {}, there are {}", index, to.buffer,
                                               launch.buffers.size()));
  const uint64_t bytes = launch.buffers[to.buffer].initial->size();
  if (to.offset_bytes > bytes)
    return fail(ErrorKind::Launch, fmt::format("argument {} is an address {} bytes into a buffer of {}",
                                               index, to.offset_bytes, bytes));
  return {};
}

}  // namespace

Result<void> check(const Launch& launch) {
  TRY_VOID(check_block(launch.block));
  TRY_VOID(check_grid(launch.grid));
  if (launch.dynamic_shared_bytes > kMaximumSharedBytes) {
    return fail(ErrorKind::Launch,
                fmt::format("a block has at most {} bytes of dynamic shared memory, --shared is {}",
                            kMaximumSharedBytes, launch.dynamic_shared_bytes));
  }
  for (size_t index = 0; index < launch.buffers.size(); ++index) {
    TRY_VOID(check_buffer(launch.buffers[index], index));
  }
  for (const Image& image : launch.images) {
    if (image.buffer >= launch.buffers.size()) {
      return fail(ErrorKind::Launch, fmt::format("a texture or surface names buffer {}, there are {}",
                                                 image.buffer, launch.buffers.size()));
    }
    const Buffer& texels = launch.buffers[image.buffer];
    TRY_VOID(check_image(image, texels.type, texels.initial ? texels.initial->size() : 0));
  }
  for (size_t index = 0; index < launch.arguments.size(); ++index) {
    const Argument& argument = launch.arguments[index];
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      TRY_VOID(check_address(launch, *buffer, index));
      continue;
    }
    if (const auto* image = std::get_if<ImageArgument>(&argument)) {
      if (image->image >= launch.images.size())
        return fail(ErrorKind::Launch, fmt::format("argument {} names texture or surface {}, there are {}",
                                                   index, image->image, launch.images.size()));
      continue;
    }
    const auto& value = std::get<Value>(argument);
    for (const Value::Pointer& pointer : value.pointers) {
      TRY_VOID(check_address(launch, pointer.to, index));
      if (pointer.at + uint64_t{8} > value.bytes.size())
        return fail(ErrorKind::Launch,
                    fmt::format("argument {} has {} bytes, a pointer at byte {} is beyond them", index,
                                value.bytes.size(), pointer.at));
    }
  }
  return {};
}

}  // namespace lanescope::launch
