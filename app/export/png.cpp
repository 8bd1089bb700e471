#include "export/png.h"

#include <csetjmp>
#include <vector>

#include <fmt/format.h>
#include <png.h>

namespace lanescope::exporting {

Result<std::string> png_of(std::span<const uint8_t> rgba, uint32_t width, uint32_t height) {
  std::vector<uint8_t> rgb;
  rgb.reserve(size_t{width} * height * 3);
  for (size_t at = 0; at + 3 < rgba.size(); at += 4)
    rgb.insert(rgb.end(), rgba.begin() + static_cast<ptrdiff_t>(at),
               rgba.begin() + static_cast<ptrdiff_t>(at) + 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string png(bytes, '\0');
  if (png_image_write_to_memory(&image, png.data(), &bytes, 0, rgb.data(), 0, nullptr) == 0)
    return fail(ErrorKind::Internal, fmt::format("a picture of {} x {} could not be encoded as PNG: {}",
                                                 width, height, image.message));
  png.resize(bytes);
  return png;
}

}  // namespace lanescope::exporting
