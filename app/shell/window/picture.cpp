#include "shell/window/picture.h"

#include "base/file.h"

#include <string>

#include <cairo.h>
#include <fmt/format.h>

namespace lanescope::shell {

Result<void> write_png(const Image& image, const std::filesystem::path& file) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height);
  cairo_surface_flush(surface);
  unsigned char* pixels = cairo_image_surface_get_data(surface);
  if (pixels == nullptr) {
    cairo_surface_destroy(surface);
    return fail(ErrorKind::File,
                fmt::format("not enough memory for a picture of {} x {}", image.width, image.height));
  }
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < image.height; ++y) {
    auto* row = reinterpret_cast<uint32_t*>(pixels + static_cast<ptrdiff_t>(y) * stride);
    const uint8_t* from = image.rgba.data() + static_cast<size_t>(y) * static_cast<size_t>(image.width) * 4;
    for (int x = 0; x < image.width; ++x, from += 4)
      row[x] = static_cast<uint32_t>(from[0]) << 16 | static_cast<uint32_t>(from[1]) << 8 | from[2];
  }
  cairo_surface_mark_dirty(surface);
  std::string bytes;
  const auto append = [](void* to, const unsigned char* data, unsigned length) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &bytes);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail(ErrorKind::File, fmt::format("{} could not be encoded as PNG", file.string()));
  return write_file(file, bytes);
}

}  // namespace lanescope::shell
