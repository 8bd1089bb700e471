// The texture and surface objects of a run, and what a read of a texture gives.
// Method: texels are a buffer of the launch, in rows. A coordinate from 0 to 1 is cut to 21 bits of fraction
// and becomes a number of texels. For a linear filter that is rounded to fixed point with 8 bits of fraction,
// the weight of the next texel; the address mode acts on the whole texels. The weights of 2, 4 or 8 texels
// are whole 256ths: the sum is split by z, then x, then y, each part rounded. What is summed is exact and
// rounded once: to 32 bits, of half-precision texels to 16, of normalized integers to 16 bits of fraction. A
// cube is six layers: the coordinate of the largest magnitude chooses one, the other two are divided by it.
// Source: CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA, "Texture Instructions: tex, tld4". All
// bits and roundings: measured on an H200 with 10,000 random reads for each of 200 combinations of texels,
// filter, address mode and coordinates (tests/data/textures). MODEL: a cube's face reads no texel of another
// face; filtered signed bytes (up to 1 / 32767 off the H200's in one read of six), filtered floating-point
// texels of both signs (an ulp off in one read of a hundred), and zeros for whole coordinates outside of a
// texture. Tests: tests/unit/emulator/texture_test.cpp

#pragma once

#include "launch/launch.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanescope::emulator {

/// The window of generic addresses that no memory is in and that handles have, after ptx::kFunctionWindow.
inline constexpr uint64_t kImageWindow = 6;
constexpr uint64_t image_handle(uint32_t image) { return kImageWindow << 32 | image; }

struct Image {
  launch::Image shape;
  launch::ElementType type = launch::ElementType::F32;
  std::byte* texels = nullptr;
  uint64_t pitch_bytes = 0;  // from row to row; 0: rows without gaps
};

/// Bytes of a row of texels, and bytes from row to row.
uint64_t row_bytes(const Image& image);
uint64_t pitch_of(const Image& image);

/// The values of the four channels, each in 32 bits: floating point where launch::gives_float() says so, else
/// integers.
using Texel = std::array<uint32_t, 4>;

/// Coordinates of a texture read: x, y, z; of a cube a direction. A layer, or a cube of several, beyond the
/// last is the last.
struct TextureCoordinates {
  std::array<float, 3> at{};
  uint32_t layer = 0;
};

/// Reads the texture with its filter: linear, or the nearest texel.
Texel read_texture(const Image& image, const TextureCoordinates& coordinates);

/// The texel at whole coordinates, which no filter, address mode or normalization applies to.
Texel fetch_texel(const Image& image, std::array<int32_t, 3> at, uint32_t layer);

/// Channel, 0 to 3, of the four texels that a linear filter would weigh: those at (x, y + 1), (x + 1, y + 1),
/// (x + 1, y) and (x, y).
Texel gather_texels(const Image& image, const TextureCoordinates& coordinates, uint32_t channel);

}  // namespace lanescope::emulator
