// Finds the texture or surface that a lane accesses, and reports what is wrong with the access: a handle that
// is none, other dimensions or types than the object has, coordinates outside of a surface.
// Tests: tests/unit/emulator/{texture,surface}_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/memory/image.h"

#include <array>
#include <cstdint>

namespace lanescope::emulator {

/// Null if it is not there or not as the instruction reads it; then the block has stopped.
const Image* find_texture(BlockState& block, const Step& step, ptx::Geometry geometry, uint64_t handle,
                          uint32_t thread);

/// What one thread accesses of a surface; x counts bytes.
struct SurfaceAccess {
  uint64_t handle = 0;
  uint32_t thread = 0;
  uint32_t bytes = 0;
  std::array<int32_t, 3> at{};  // x, y, z
  uint32_t layer = 0;
};

/// The bytes; null where nothing is accessed, because the boundary mode says so or because it is wrong. Then
/// the block has stopped.
std::byte* find_surface_bytes(BlockState& block, const Step& step, const ptx::Modifiers& modifiers,
                              const SurfaceAccess& access);

}  // namespace lanescope::emulator
