#include "launch/image.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

std::string_view name_of(ImageKind kind) { return kind == ImageKind::Texture ? "texture" : "surface"; }

bool is_element(ElementType type) {
  switch (type) {
    case ElementType::U8:
    case ElementType::I8:
    case ElementType::U16:
    case ElementType::I16:
    case ElementType::F16:
    case ElementType::U32:
    case ElementType::I32:
    case ElementType::F32:
      return true;
    case ElementType::BF16:
    case ElementType::U64:
    case ElementType::I64:
    case ElementType::F64:
    case ElementType::Bytes16:
      return false;
  }
  return false;
}

/// Largest extents of compute capability 5.0 and later.
struct Largest {
  uint64_t width;
  uint64_t height = 0;
  uint64_t depth = 0;
};
Largest largest(const Image& image) {
  if (image.is_linear) return {uint64_t{1} << 28};
  const bool is_layered = image.layers != 0;
  switch (dimensions_of(image)) {
    case 1:
      return {image.kind == ImageKind::Surface || is_layered ? uint64_t{32768} : uint64_t{131072}};
    case 2:
      return is_layered ? Largest{32768, 32768} : Largest{131072, 65536};
    default:
      return {16384, 16384, 16384};
  }
}

Result<void> check_extents(const Image& image) {
  constexpr uint64_t kMostLayers = 2048;
  const Largest most = largest(image);
  const auto is_beyond = [](uint64_t extent, uint64_t limit) { return extent > limit; };
  if (image.width == 0 || (image.depth != 0 && image.height == 0) || (image.depth != 0 && image.layers != 0))
    return fail(ErrorKind::Launch, "a texture or surface has a width, then a height, then a depth or layers");
  if (is_beyond(image.width, most.width) || is_beyond(image.height, most.height) ||
      is_beyond(image.depth, most.depth) || is_beyond(image.layers, kMostLayers))
    return fail(ErrorKind::Launch,
                fmt::format("a {} of these dimensions has at most {} texels in x{}{}{}; use a smaller one",
                            name_of(image.kind), most.width,
                            most.height != 0 ? fmt::format(", {} in y", most.height) : std::string(),
                            most.depth != 0 ? fmt::format(", {} in z", most.depth) : std::string(),
                            image.layers != 0 ? fmt::format(" and {} layers", kMostLayers) : std::string()));
  return {};
}

Result<void> check_cube(const Image& image) {
  if (!image.is_cube) return {};
  if (dimensions_of(image) != 2 || image.width != image.height || image.layers == 0 ||
      image.layers % kFacesOfCube != 0)
    return fail(ErrorKind::Launch,
                "a cube has six square faces, as in f32[6x64x64]; several cubes have a multiple of six");
  return {};
}

Result<void> check_sampler(const Image& image, ElementType type) {
  const Sampler& sampler = image.sampler;
  if (image.kind == ImageKind::Surface)
    return sampler == Sampler{} ? Result<void>()
                                : fail(ErrorKind::Launch,
                                       "a surface is read by whole coordinates: it takes no filter, address "
                                       "mode or normalization; make a texture, or leave them out");
  if (sampler.reads_float && (is_float(type) || size_bytes(type) > 2))
    return fail(ErrorKind::Launch,
                fmt::format("only integers of 8 and 16 bits are read as numbers from 0 to 1, the texels are "
                            "{}; leave out normalized_float",
                            name_of(type)));
  if (image.is_linear)
    return sampler.filter == Filter::Point && !sampler.normalized
               ? Result<void>()
               : fail(ErrorKind::Launch,
                      "a texture over a buffer is read by tex1Dfetch(), which neither filters nor takes "
                      "normalized coordinates; leave out linear and normalized");
  if (sampler.filter == Filter::Linear && !gives_float(image, type))
    return fail(ErrorKind::Launch,
                fmt::format("a linear filter needs texels that are read as floating-point numbers, they are "
                            "{}; add normalized_float, or use point",
                            name_of(type)));
  const auto repeats = [](AddressMode mode) {
    return mode == AddressMode::Wrap || mode == AddressMode::Mirror;
  };
  if (!sampler.normalized && std::ranges::any_of(sampler.address, repeats))
    return fail(ErrorKind::Launch,
                "wrap and mirror need normalized coordinates: with others CUDA clamps; add normalized, or "
                "use clamp");
  return {};
}

}  // namespace

bool gives_float(const Image& image, ElementType type) {
  return is_float(type) || (image.kind == ImageKind::Texture && image.sampler.reads_float);
}

std::string_view name_of(AddressMode mode) {
  switch (mode) {
    case AddressMode::Wrap:
      return "wrap";
    case AddressMode::Clamp:
      return "clamp";
    case AddressMode::Mirror:
      return "mirror";
    case AddressMode::Border:
      return "border";
  }
  return "unknown";
}

Result<void> check_image(const Image& image, ElementType type, uint64_t buffer_bytes) {
  if (!is_element(type))
    return fail(ErrorKind::Launch,
                fmt::format("the texels of a {} are u8, i8, u16, i16, f16, u32, i32 or f32, alone or as x2 "
                            "or x4; {} was given",
                            name_of(image.kind), name_of(type)));
  if (image.channels != 1 && image.channels != 2 && image.channels != 4)
    return fail(ErrorKind::Launch,
                fmt::format("a texel has 1, 2 or 4 channels, {} were given", image.channels));
  TRY_VOID(check_extents(image));
  TRY_VOID(check_cube(image));
  const uint64_t bytes = texels_of(image) * image.channels * size_bytes(type);
  if (bytes > buffer_bytes)
    return fail(ErrorKind::Launch, fmt::format("a {} of {} bytes was asked for over a buffer of {}",
                                               name_of(image.kind), bytes, buffer_bytes));
  if (image.is_linear && image.kind == ImageKind::Surface)
    return fail(
        ErrorKind::Launch,
        "a surface has an array of its own; write surface(TYPE[SHAPE]:INIT), or pass the buffer itself");
  return check_sampler(image, type);
}

}  // namespace lanescope::launch
