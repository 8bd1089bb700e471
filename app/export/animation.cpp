#include "export/animation.h"

#include <string_view>
#include <vector>

#include <zlib.h>

namespace lanescope::exporting {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

struct Chunk {
  std::string_view type, data;
};

uint32_t number_at(std::string_view bytes) {
  uint32_t number = 0;
  for (const char byte : bytes.substr(0, 4)) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

std::string big_endian(uint32_t value, int bytes = 4) {
  std::string text;
  for (int n = bytes - 1; n >= 0; --n) text += static_cast<char>(value >> (8 * n) & 0xff);
  return text;
}

Result<std::vector<Chunk>> chunks_of(std::string_view png) {
  constexpr size_t kAround = 12;  // length, type and checksum
  std::vector<Chunk> chunks;
  bool is_whole = png.starts_with(kSignature);
  png.remove_prefix(is_whole ? kSignature.size() : 0);
  while (is_whole && !png.empty()) {
    const size_t length = png.size() < kAround ? 0 : number_at(png);
    is_whole = png.size() >= kAround && length <= png.size() - kAround;
    if (!is_whole) break;
    chunks.push_back({png.substr(4, 4), png.substr(8, length)});
    png.remove_prefix(length + kAround);
  }
  if (is_whole && !chunks.empty() && chunks.front().type == "IHDR") return chunks;
  return fail(ErrorKind::Internal, "a picture of an animation is no PNG");
}

void append(std::string& file, std::string_view type, std::string_view data) {
  const std::string checked = std::string(type) + std::string(data);
  const auto checksum =
      crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  file += big_endian(static_cast<uint32_t>(data.size())) + checked;
  file += big_endian(static_cast<uint32_t>(checksum));
}

}  // namespace

Result<std::string> to_animated_png(std::span<const AnimationFrame> frames) {
  std::string file(kSignature);
  std::string_view header;
  uint32_t sequence = 0;
  for (const AnimationFrame& frame : frames) {
    TRY(const std::vector<Chunk> chunks, chunks_of(frame.png));
    const bool is_first = header.empty();
    if (is_first) {
      header = chunks.front().data;
      append(file, "IHDR", header);
      append(file, "acTL", big_endian(static_cast<uint32_t>(frames.size())) + big_endian(0));
    } else if (chunks.front().data != header) {
      return fail(ErrorKind::Internal, "the pictures of an animation have different sizes");
    }
    // Sequence number, width and height of the header, no offset, the delay in thousandths of a second; the
    // frame replaces what was shown.
    append(file, "fcTL",
           big_endian(sequence++) + std::string(header.substr(0, 8)) + big_endian(0) + big_endian(0) +
               big_endian(frame.milliseconds, 2) + big_endian(1000, 2) + big_endian(0, 2));
    for (const Chunk& chunk : chunks) {
      if (chunk.type != "IDAT") continue;
      if (is_first)
        append(file, "IDAT", chunk.data);
      else
        append(file, "fdAT", big_endian(sequence++) + std::string(chunk.data));
    }
  }
  append(file, "IEND", {});
  return file;
}

}  // namespace lanescope::exporting
