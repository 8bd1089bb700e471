// Finds the texture or surface that a lane accesses, and reports what is wrong with the access: a handle that
// is none, other dimensions or types than the object has, coordinates outside of a surface.
// Tests: tests/unit/emulator/{texture,surface}_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/memory/image.h"

#include <array>
#include <cstdint>

namespace lanescope::emulator {

/// Texture that the handle names; null if there is none that the instruction can read, and then the block has
/// stopped.
const Image* find_texture(BlockState& block, const Step& step, ptx::Geometry geometry, uint64_t handle,
                          uint32_t thread);

/// Access of one thread to a surface; x counts bytes.
struct SurfaceAccess {
  uint64_t handle = 0;
  uint32_t thread = 0;
  uint32_t bytes = 0;
  std::array<int32_t, 3> at{};  // x, y, z
  uint32_t layer = 0;
};

/// Address of the bytes; null where nothing is accessed: the boundary mode says so, or the access is wrong
/// and the block has stopped.
std::byte* find_surface_bytes(BlockState& block, const Step& step, const ptx::Modifiers& modifiers,
                              const SurfaceAccess& access);

}  // namespace lanescope::emulator
