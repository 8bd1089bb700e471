#include "driver/server/image_inputs.h"

#include "launch/element.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::driver {
namespace {

std::string_view word_of(launch::ImageKind kind) {
  return kind == launch::ImageKind::Texture ? "texture" : "surface";
}

std::string_view channels_of(const launch::Image& shape) {
  return shape.channels == 4 ? "x4" : shape.channels == 2 ? "x2" : "";
}

/// ", linear, wrap, wrap, clamp, normalized"; empty for a surface and where all
/// is as without options.
std::string sampler_text(const launch::Image& shape) {
  const launch::Sampler& sampler = shape.sampler;
  std::string text;
  if (shape.kind == launch::ImageKind::Surface) return text;
  if (sampler.filter == launch::Filter::Linear) text += ", linear";
  for (const launch::AddressMode mode : sampler.address) text += fmt::format(", {}", name_of(mode));
  if (sampler.normalized) text += ", normalized";
  if (sampler.reads_float) text += ", normalized_float";
  return text;
}

uint64_t rows_of(const launch::Image& shape) {
  return std::max<uint64_t>(shape.height, 1) * std::max<uint64_t>(shape.depth, 1) *
         std::max<uint64_t>(shape.layers, 1);
}

}  // namespace

bool accesses_images(const ptx::Program& program) {
  return std::ranges::any_of(program.sites, [](const ptx::MemorySite& site) {
    return site.operation.space == MemorySpace::Texture || site.operation.space == MemorySpace::Surface;
  });
}

std::optional<emulator::Image> image_of(std::span<const std::byte> parameter, const DeviceMemory& memory) {
  uint64_t handle = 0;
  if (parameter.size() != sizeof handle) return std::nullopt;
  std::memcpy(&handle, parameter.data(), sizeof handle);
  const std::vector<emulator::Image> images = memory.images().over(memory.regions());
  const uint64_t number = handle - emulator::image_handle(0);
  if (number >= images.size() || images[number].texels == nullptr) return std::nullopt;
  return images[number];
}

uint64_t texel_bytes(const emulator::Image& image) {
  return rows_of(image.shape) * emulator::row_bytes(image);
}

Result<void> write_texels(const emulator::Image& image, const std::filesystem::path& place) {
  std::ofstream file(place, std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(emulator::row_bytes(image));
  for (uint64_t row = 0; row < rows_of(image.shape); ++row)
    file.write(reinterpret_cast<const char*>(image.texels + row * emulator::pitch_of(image)), bytes);
  if (file.flush()) return {};
  return fail(ErrorKind::File, "the texels of a texture cannot be written; is the disk full?",
              Location{place.string(), 0});
}

std::string image_text(const emulator::Image& image, const std::filesystem::path& place) {
  const launch::Image& shape = image.shape;
  std::vector<uint64_t> extents;
  for (const uint64_t extent : {shape.layers, shape.depth, shape.height})
    if (extent != 0) extents.push_back(extent);
  extents.push_back(shape.width);
  const char* const layers = shape.is_cube ? ", cube" : shape.layers != 0 ? ", layered" : "";
  return fmt::format("{}({}{}[{}]:file({}){}{})", word_of(shape.kind), launch::name_of(image.type),
                     channels_of(shape), fmt::join(extents, "x"), place.string(), layers,
                     sampler_text(shape));
}

std::string image_over(const emulator::Image& image, const std::string& name) {
  const std::string_view channels = channels_of(image.shape);
  const std::string of_buffer =
      image.shape.is_linear && !channels.empty() ? fmt::format(", {}", channels) : std::string();
  return fmt::format("{}({}{}{})", word_of(image.shape.kind), name, of_buffer, sampler_text(image.shape));
}

}  // namespace lanescope::driver
