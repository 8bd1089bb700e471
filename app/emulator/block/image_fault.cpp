#include "emulator/block/image_fault.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

using trace::HazardKind;

std::string_view name_of(launch::ImageKind kind) {
  return kind == launch::ImageKind::Texture ? "texture" : "surface";
}

std::string_view name_of(ptx::Geometry geometry) {
  switch (geometry) {
    case ptx::Geometry::None:
      return "no";
    case ptx::Geometry::Plain1:
      return "1-D";
    case ptx::Geometry::Plain2:
      return "2-D";
    case ptx::Geometry::Plain3:
      return "3-D";
    case ptx::Geometry::Layers1:
      return "layered 1-D";
    case ptx::Geometry::Layers2:
      return "layered 2-D";
    case ptx::Geometry::Cube:
      return "cube";
    case ptx::Geometry::LayersCube:
      return "layered cube";
  }
  return "no";
}

ptx::Geometry geometry_of(const launch::Image& shape) {
  const bool layers = shape.layers != 0;
  if (shape.is_cube)
    return shape.layers == launch::kFacesOfCube ? ptx::Geometry::Cube : ptx::Geometry::LayersCube;
  switch (launch::dimensions_of(shape)) {
    case 1:
      return layers ? ptx::Geometry::Layers1 : ptx::Geometry::Plain1;
    case 2:
      return layers ? ptx::Geometry::Layers2 : ptx::Geometry::Plain2;
    default:
      return ptx::Geometry::Plain3;
  }
}

/// True if reads of this geometry fit the object: cubes may be chosen also where there is one.
bool fits(const launch::Image& shape, ptx::Geometry geometry) {
  return geometry_of(shape) == geometry || (shape.is_cube && geometry == ptx::Geometry::LayersCube);
}

std::string_view verb_of(const Step& step) { return step.kind == trace::Kind::Load ? "reads" : "writes"; }

/// Object that the handle names, of this kind and geometry; null if there is none, and then the block has
/// stopped.
const Image* find_image(BlockState& block, const Step& step, launch::ImageKind kind, ptx::Geometry geometry,
                        uint64_t handle, uint32_t thread) {
  const Image* const image = block.memory.image(handle);
  const auto wrong = [&](std::string message) -> const Image* {
    block.report(HazardKind::WrongImage, step, thread, std::move(message));
    return nullptr;
  };
  if (image == nullptr && block.memory.is_in_place())
    return wrong(fmt::format(
        "{} a {} through the handle {:#x}, which is none, or that of an object that was destroyed; create "
        "the object before the launch, and destroy it and free its memory after it",
        verb_of(step), name_of(kind), handle));
  if (image == nullptr)
    return wrong(
        fmt::format("{} a {} through the handle {:#x}, which is none of this launch; pass "
                    "{}(TYPE[COUNT]:INIT) as the argument",
                    verb_of(step), name_of(kind), handle, name_of(kind)));
  if (image->shape.kind == kind && fits(image->shape, geometry)) return image;
  const std::string name = block.memory.name_of_buffer(image->shape.buffer);
  if (image->shape.kind != kind)
    return wrong(fmt::format("{} '{}' as a {}, it is a {}; pass a {} for this parameter", verb_of(step), name,
                             name_of(kind), name_of(image->shape.kind), name_of(kind)));
  return wrong(fmt::format(
      "{} '{}' as a {} {}, it is a {} one; give it that many extents, layered for layers, and cube for "
      "the faces of cubes",
      verb_of(step), name, name_of(geometry), name_of(kind), name_of(geometry_of(image->shape))));
}

/// Text "x = 8 bytes, y = 2".
std::string place_text(const ptx::Modifiers& modifiers, const SurfaceAccess& access) {
  std::string text = fmt::format("x = {} bytes", access.at[0]);
  const int dimensions = ptx::dimensions(modifiers.geometry);
  if (dimensions > 1) text += fmt::format(", y = {}", access.at[1]);
  if (dimensions > 2) text += fmt::format(", z = {}", access.at[2]);
  if (ptx::has_layers(modifiers.geometry)) text += fmt::format(", layer {}", access.layer);
  return text;
}

std::string extents_text(const Image& image) {
  const launch::Image& shape = image.shape;
  std::string text = fmt::format("rows of {} bytes", row_bytes(image));
  if (shape.height != 0) text += fmt::format(", {} rows", shape.height);
  if (shape.depth != 0) text += fmt::format(", a depth of {}", shape.depth);
  if (shape.layers != 0) text += fmt::format(", {} layers", shape.layers);
  return text;
}

}  // namespace

const Image* find_texture(BlockState& block, const Step& step, ptx::Geometry geometry, uint64_t handle,
                          uint32_t thread) {
  const Image* const image = find_image(block, step, launch::ImageKind::Texture, geometry, handle, thread);
  if (image == nullptr) return nullptr;
  const bool gives_float = launch::gives_float(image->shape, image->type);
  const bool is_whole = step.second_type == ptx::Type::s32;
  const bool is_right = gives_float == ptx::is_float(step.type) && (is_whole || !image->shape.is_linear);
  if (is_right) return image;
  const std::string name = block.memory.name_of_buffer(image->shape.buffer);
  if (gives_float != ptx::is_float(step.type)) {
    block.report(HazardKind::WrongImage, step, thread,
                 fmt::format("reads {} from the texture '{}', which gives {}; {}",
                             gives_float ? "integers" : "floating-point numbers", name,
                             gives_float ? "floating-point numbers" : "integers",
                             gives_float ? "read a floating-point type"
                                         : "read an integer type, or add normalized_float to it"));
    return nullptr;
  }
  block.report(HazardKind::WrongImage, step, thread,
               fmt::format("reads the texture over the buffer '{}' with coordinates in floating point; use "
                           "tex1Dfetch(), or give the texture texels of its own",
                           name));
  return nullptr;
}

std::byte* find_surface_bytes(BlockState& block, const Step& step, const ptx::Modifiers& modifiers,
                              const SurfaceAccess& access) {
  const Image* const image =
      find_image(block, step, launch::ImageKind::Surface, modifiers.geometry, access.handle, access.thread);
  if (image == nullptr) return nullptr;
  const launch::Image& shape = image->shape;
  if (step.kind == trace::Kind::Store && !block.memory.may_be_written(shape.buffer)) {
    block.report(HazardKind::WrongImage, step, access.thread,
                 "writes to a surface through a handle that comes from no argument of the kernel; use the "
                 "argument");
    return nullptr;
  }
  const auto name = [&] { return block.memory.name_of_buffer(shape.buffer); };
  const auto at_least_one = [](uint64_t extent) { return std::max<uint64_t>(extent, 1); };
  const uint64_t row = row_bytes(*image);
  if (access.bytes > row || access.at[0] % static_cast<int32_t>(access.bytes) != 0) {
    block.report(
        HazardKind::Misaligned, step, access.thread,
        fmt::format("{} {} bytes at {} of the surface '{}'; x counts bytes and is a multiple of what "
                    "is accessed: multiply it by sizeof",
                    verb_of(step), access.bytes, place_text(modifiers, access), name()));
    return nullptr;
  }
  const bool layered = shape.layers != 0;
  const std::array<int64_t, 3> at{access.at[0], access.at[1],
                                  layered ? int64_t{access.layer} : int64_t{access.at[2]}};
  // The highest coordinates where the access fits.
  const std::array<uint64_t, 3> last{(row - access.bytes) / access.bytes * access.bytes,
                                     at_least_one(shape.height) - 1,
                                     at_least_one(layered ? shape.layers : shape.depth) - 1};
  std::array<uint64_t, 3> inside{};
  bool is_outside = false;
  for (size_t n = 0; n < at.size(); ++n) {
    const bool is_here = at[n] >= 0 && static_cast<uint64_t>(at[n]) <= last[n];
    is_outside |= !is_here;
    inside[n] = is_here ? static_cast<uint64_t>(at[n]) : at[n] < 0 ? 0 : last[n];
  }
  if (is_outside && modifiers.boundary == ptx::Boundary::Trap) {
    block.report(
        HazardKind::OutOfBounds, step, access.thread,
        fmt::format("{} {} bytes at {} of the surface '{}', which has {}; check the index", verb_of(step),
                    access.bytes, place_text(modifiers, access), name(), extents_text(*image)));
    return nullptr;
  }
  if (is_outside && modifiers.boundary == ptx::Boundary::Zero) return nullptr;
  return image->texels + (inside[2] * at_least_one(shape.height) + inside[1]) * pitch_of(*image) + inside[0];
}

}  // namespace lanescope::emulator
