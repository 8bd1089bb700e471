#include "driver/server/device_images.h"

#include "trace/access.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

using launch::ElementType;

/// Type of the elements of a CUarray_format. Source: cuda.h.
std::optional<ElementType> element_of(uint32_t format) {
  switch (format) {
    case 0x01:
      return ElementType::U8;
    case 0x02:
      return ElementType::U16;
    case 0x03:
      return ElementType::U32;
    case 0x08:
      return ElementType::I8;
    case 0x09:
      return ElementType::I16;
    case 0x0a:
      return ElementType::I32;
    case 0x10:
      return ElementType::F16;
    case 0x20:
      return ElementType::F32;
    default:
      return std::nullopt;
  }
}

launch::AddressMode address_mode(uint32_t number, bool is_normalized) {
  switch (number) {  // a CUaddress_mode
    case 0:
      return is_normalized ? launch::AddressMode::Wrap : launch::AddressMode::Clamp;
    case 2:
      return is_normalized ? launch::AddressMode::Mirror : launch::AddressMode::Clamp;
    case 3:
      return launch::AddressMode::Border;
    default:
      return launch::AddressMode::Clamp;
  }
}

launch::Sampler sampler_of(const LanescopeImage& wanted) {
  launch::Sampler sampler;
  if (wanted.is_surface != 0) return sampler;
  sampler.normalized = wanted.is_linear == 0 && wanted.is_normalized != 0;
  sampler.filter =
      wanted.is_linear == 0 && wanted.filter == 1 ? launch::Filter::Linear : launch::Filter::Point;
  for (size_t n = 0; n < sampler.address.size(); ++n)
    sampler.address[n] = address_mode(wanted.address_mode[n], sampler.normalized);
  sampler.reads_float = wanted.reads_float != 0;
  return sampler;
}

/// Bytes from the first texel to the end of the last; nullopt beyond 64 bits.
std::optional<uint64_t> span_of(const emulator::Image& image) {
  const launch::Image& shape = image.shape;
  const auto at_least_one = [](uint64_t extent) { return std::max<uint64_t>(extent, 1); };
  uint64_t rows = at_least_one(shape.height), bytes = 0;
  if (__builtin_mul_overflow(rows, at_least_one(shape.depth), &rows) ||
      __builtin_mul_overflow(rows, at_least_one(shape.layers), &rows) ||
      __builtin_mul_overflow(rows - 1, image.pitch_bytes, &bytes) ||
      __builtin_add_overflow(bytes, emulator::row_bytes(image), &bytes))
    return std::nullopt;
  return bytes;
}

}  // namespace

Result<uint64_t> DeviceImages::make(std::string_view payload, const std::vector<emulator::Region>& regions) {
  LanescopeImage wanted;
  if (payload.size() != sizeof wanted)
    return fail(ErrorKind::Usage, "a texture or surface object is one LanescopeImage");
  std::memcpy(&wanted, payload.data(), sizeof wanted);
  const auto type = element_of(wanted.format);
  if (!type)
    return fail(ErrorKind::Unsupported,
                fmt::format("texels of the format {:#x} are not emulated; integers of 8, 16 and 32 bits and "
                            "floating-point numbers of 16 and 32 are",
                            wanted.format));
  emulator::Image image{
      .shape = {.kind = wanted.is_surface != 0 ? launch::ImageKind::Surface : launch::ImageKind::Texture,
                .buffer = trace::has_buffer(wanted.address) ? trace::buffer_of(wanted.address) : 0,
                .channels = wanted.channels,
                .width = wanted.width,
                .height = wanted.height,
                .depth = wanted.depth,
                .layers = wanted.layers,
                .is_cube = wanted.is_cube != 0,
                .is_linear = wanted.is_linear != 0,
                .sampler = sampler_of(wanted)},
      .type = *type,
      .texels = nullptr,
      .pitch_bytes = wanted.pitch_bytes};
  TRY_VOID(launch::check_image(image.shape, *type, std::numeric_limits<uint64_t>::max()));
  const auto bytes = span_of(image);
  const uint32_t buffer = image.shape.buffer;
  const uint64_t offset = trace::offset_of(wanted.address);
  const bool is_inside = trace::has_buffer(wanted.address) && buffer < regions.size() && bytes &&
                         offset <= regions[buffer].size_bytes &&
                         *bytes <= regions[buffer].size_bytes - offset;
  if (!is_inside || wanted.pitch_bytes < emulator::row_bytes(image))
    return fail(ErrorKind::Usage,
                fmt::format("{:#x} does not begin rows of {} bytes, {} bytes apart, that end within an "
                            "allocation; give the size of what was allocated",
                            wanted.address, emulator::row_bytes(image), wanted.pitch_bytes));
  // Handles of ended objects are kept apart from new ones, to find their use, while that costs little.
  constexpr size_t kMostEnded = 1000;
  const Object made{.image = image, .offset_bytes = offset, .is_live = true};
  auto place =
      objects_.size() < kMostEnded ? objects_.end() : std::ranges::find(objects_, false, &Object::is_live);
  place = place == objects_.end() ? objects_.insert(place, made) : (*place = made, place);
  return emulator::image_handle(static_cast<uint32_t>(place - objects_.begin()));
}

Result<void> DeviceImages::end(uint64_t handle) {
  const uint64_t number = handle - emulator::image_handle(0);
  if (number >= objects_.size() || !objects_[number].is_live)
    return fail(ErrorKind::Usage, fmt::format("{:#x} is no texture or surface object", handle));
  objects_[number].is_live = false;
  return {};
}

void DeviceImages::end_those_over(uint32_t allocation) {
  for (Object& object : objects_)
    if (object.image.shape.buffer == allocation) object.is_live = false;
}

std::vector<emulator::Image> DeviceImages::over(const std::vector<emulator::Region>& regions) const {
  std::vector<emulator::Image> images;
  images.reserve(objects_.size());
  for (const Object& object : objects_) {
    images.push_back(object.image);
    if (object.is_live) images.back().texels = regions[object.image.shape.buffer].data + object.offset_bytes;
  }
  return images;
}

}  // namespace lanescope::driver
