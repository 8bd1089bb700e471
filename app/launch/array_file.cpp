#include "launch/array_file.h"

#include "launch/npy.h"

#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <png.h>

namespace lanescope::launch {
namespace {

namespace fs = std::filesystem;

/// What NumPy accepts as a header, with room for the longest.
constexpr size_t kMostHeaderBytes = 1 << 16;
constexpr uint64_t kMostPixels = uint64_t{1} << 26;

std::unexpected<Error> refuse(const fs::path& path, std::string why) {
  return fail(ErrorKind::File, std::move(why), Location{path.string(), 0});
}

std::string text_of(ElementType type, const std::vector<uint64_t>& shape) {
  return fmt::format("{}[{}]", name_of(type), shape.empty() ? "1" : fmt::format("{}", fmt::join(shape, "x")));
}

uint64_t count_of(const std::vector<uint64_t>& shape) {
  uint64_t count = 1;
  for (const uint64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count)) return ~uint64_t{0};
  return count;
}

/// A plain file, open for reading, and its size.
struct OpenFile {
  std::ifstream stream;
  uint64_t size = 0;
};
Result<OpenFile> open_file(const fs::path& path) {
  std::error_code problem;
  const auto status = fs::status(path, problem);
  if (!fs::exists(status))
    return refuse(path,
                  "the contents of a buffer were expected, there is no such file; check the path in "
                  "file(PATH)");
  if (!fs::is_regular_file(status))
    return refuse(path, "the contents of a buffer were expected, this is not a plain file");
  OpenFile file;
  file.size = fs::file_size(path, problem);
  file.stream.open(path, std::ios::binary);
  if (problem || !file.stream) return refuse(path, "the file cannot be read; check its permissions");
  return file;
}

Result<void> read_bytes(OpenFile& file, std::span<std::byte> bytes, const fs::path& path) {
  if (!file.stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    return refuse(path, "the file cannot be read; check its permissions");
  return {};
}

Result<NpyHeader> open_npy(OpenFile& file, const fs::path& path) {
  std::string head(static_cast<size_t>(std::min<uint64_t>(file.size, kMostHeaderBytes)), '\0');
  TRY_VOID(read_bytes(file, std::as_writable_bytes(std::span(head)), path));
  Result<NpyHeader> header = read_npy_header(head);
  if (!header) header.error().where = Location{path.string(), 0};
  return header;
}

Result<void> read_npy(OpenFile& file, std::span<std::byte> bytes, ElementType type,
                      const std::vector<uint64_t>& shape, const fs::path& path) {
  TRY(const NpyHeader header, open_npy(file, path));
  if (header.type != type || count_of(header.shape) != count_of(shape))
    return refuse(path, fmt::format("the buffer is {} and the file holds {}; change the one or the other",
                                    text_of(type, shape), text_of(header.type, header.shape)));
  if (file.size - header.data_at < bytes.size())
    return refuse(path, fmt::format("the file ends before the {} elements that its header promises",
                                    count_of(header.shape)));
  file.stream.seekg(static_cast<std::streamoff>(header.data_at));
  return read_bytes(file, bytes, path);
}

/// libpng's simplified interface: an image that was opened.
class Png {
 public:
  Png() { image_.version = PNG_IMAGE_VERSION; }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(&image_); }

  Result<void> open(const fs::path& path) {
    if (png_image_begin_read_from_file(&image_, path.c_str()) == 0)
      return refuse(path, fmt::format("a .png image was expected: {}", image_.message));
    // A small file may unpack to any size.
    if (width() * height() > kMostPixels)
      return refuse(
          path, fmt::format("the image has {} x {} pixels, and at most {} are read; make it smaller", width(),
                            height(), kMostPixels));
    return {};
  }
  uint64_t width() const { return image_.width; }
  uint64_t height() const { return image_.height; }
  /// Channels of the file: 1, 3 or 4. Gray with alpha has 4.
  uint64_t channels() const {
    const bool color = (image_.format & PNG_FORMAT_FLAG_COLOR) != 0;
    const bool alpha = (image_.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    return alpha ? 4 : color ? 3 : 1;
  }
  /// Pixels of 8 bits a channel, converted to so many channels.
  Result<void> read(std::span<std::byte> pixels, uint64_t channels, const fs::path& path) {
    constexpr std::array<png_uint_32, 4> kFormats{PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                                  PNG_FORMAT_RGBA};
    image_.format = kFormats[static_cast<size_t>(channels) - 1];
    if (pixels.size() < PNG_IMAGE_SIZE(image_) ||
        png_image_finish_read(&image_, nullptr, pixels.data(), 0, nullptr) == 0)
      return refuse(path, fmt::format("the image cannot be read: {}", image_.message));
    return {};
  }

 private:
  png_image image_{};
};

Result<void> read_png(std::span<std::byte> bytes, ElementType type, const std::vector<uint64_t>& shape,
                      const fs::path& path) {
  Png png;
  TRY_VOID(png.open(path));
  const uint64_t channels = shape.size() == 3 ? shape[2] : 1;
  const bool fits = (shape.size() == 2 || shape.size() == 3) && channels >= 1 && channels <= 4 &&
                    shape[0] == png.height() && shape[1] == png.width();
  if (!fits || (type != ElementType::U8 && type != ElementType::F32))
    return refuse(path, fmt::format("the buffer is {} and the image {} x {} (height x width); give u8 or f32 "
                                    "elements, for example u8[{}x{}] or f32[{}x{}x3]",
                                    text_of(type, shape), png.height(), png.width(), png.height(),
                                    png.width(), png.height(), png.width()));
  if (type == ElementType::U8) return png.read(bytes, channels, path);
  std::vector<std::byte> pixels(bytes.size() / sizeof(float));
  TRY_VOID(png.read(pixels, channels, path));
  for (size_t n = 0; n < pixels.size(); ++n) {
    const float value = static_cast<float>(pixels[n]) / 255;
    std::memcpy(bytes.data() + n * sizeof value, &value, sizeof value);
  }
  return {};
}

}  // namespace

Result<ArrayShape> shape_of_file(const fs::path& path) {
  TRY(OpenFile file, open_file(path));
  if (path.extension() == ".npy") {
    TRY(NpyHeader header, open_npy(file, path));
    if (header.shape.empty()) header.shape = {1};
    return ArrayShape{header.type, std::move(header.shape)};
  }
  if (path.extension() != ".png")
    return refuse(path,
                  "a file of raw bytes says neither type nor count; write them, for example "
                  "f32[1024]:file(PATH), or give a .npy or .png file");
  Png png;
  TRY_VOID(png.open(path));
  ArrayShape array{ElementType::U8, {png.height(), png.width()}};
  if (png.channels() != 1) array.shape.push_back(png.channels());
  return array;
}

Result<void> read_array(std::span<std::byte> bytes, ElementType type, const std::vector<uint64_t>& shape,
                        const fs::path& path) {
  TRY(OpenFile file, open_file(path));
  if (path.extension() == ".npy") return read_npy(file, bytes, type, shape, path);
  if (path.extension() == ".png") return read_png(bytes, type, shape, path);
  if (file.size != bytes.size())
    return refuse(path, fmt::format("the buffer has {} bytes and the file {}; change the count or the file",
                                    bytes.size(), file.size));
  return read_bytes(file, bytes, path);
}

std::string array_file(const fs::path& path, ElementType type, const std::vector<uint64_t>& shape,
                       std::span<const std::byte> bytes) {
  std::string all = path.extension() == ".npy" ? npy_header(type, shape) : std::string();
  return all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace lanescope::launch
