// A texture or surface object of a launch: an array of texels and how a kernel reads it. The texels are a
// buffer of the launch, in rows, so that initial contents and results are those of any buffer.
// Source: CUDA C++ Programming Guide, "Texture and Surface Memory"; its table of technical specifications for
// the largest sizes. Tests: tests/unit/launch/image_spec_test.cpp

#pragma once

#include "base/error.h"
#include "launch/element_type.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope::launch {

enum class Filter : uint8_t { Point, Linear };
/// What is read outside of a texture.
enum class AddressMode : uint8_t { Wrap, Clamp, Mirror, Border };

/// How a texture is read.
struct Sampler {
  Filter filter = Filter::Point;
  std::array<AddressMode, 3> address{AddressMode::Clamp, AddressMode::Clamp, AddressMode::Clamp};  // x, y, z
  bool normalized = false;   // coordinates go from 0 to 1 over the whole texture, else to its size
  bool reads_float = false;  // integers of 8 and 16 bits are read as numbers from 0, or -1, to 1
  bool operator==(const Sampler&) const = default;
};

enum class ImageKind : uint8_t { Texture, Surface };

inline constexpr uint64_t kFacesOfCube = 6;

struct Image {
  ImageKind kind = ImageKind::Texture;
  uint32_t buffer = 0;     // index in Launch::buffers: the texels, x fastest, then y, z or the layer
  uint32_t channels = 1;   // elements of the buffer's type in a texel: 1, 2 or 4
  uint64_t width = 0;      // texels
  uint64_t height = 0;     // 0: it has one dimension
  uint64_t depth = 0;      // 0: it has not three
  uint64_t layers = 0;     // 0: it is no layered one
  bool is_cube = false;    // a texture whose layers are the faces of cubes: x, -x, y, -y, z, -z
  bool is_linear = false;  // a texture over memory that the kernel may also access, for tex1Dfetch()
  Sampler sampler = {};    // of a texture
  bool operator==(const Image&) const = default;
};

/// Of one layer: 1, 2 or 3.
constexpr int dimensions_of(const Image& image) { return image.depth != 0 ? 3 : image.height != 0 ? 2 : 1; }
constexpr uint64_t texels_of(const Image& image) {
  const auto at_least_one = [](uint64_t extent) { return extent == 0 ? uint64_t{1} : extent; };
  return image.width * at_least_one(image.height) * at_least_one(image.depth) * at_least_one(image.layers);
}

/// Whether a read gives numbers of 32 bits in floating point, not integers.
bool gives_float(const Image& image, ElementType type);

std::string_view name_of(AddressMode mode);

/// Whether CUDA can make such an object over a buffer of this type and size; Launch, saying what to change,
/// if not.
Result<void> check_image(const Image& image, ElementType type, uint64_t buffer_bytes);

}  // namespace lanescope::launch
