#include "handout/packing.h"

#include <array>

#include <zlib.h>

namespace lanescope::handout {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
            bytes.size(), Z_BEST_COMPRESSION);  // fails only where the room is too small
  packed.resize(size);
  return packed;
}

bool deflates_to(std::string_view bytes, size_t most) {
  constexpr size_t kPart = size_t{1} << 16;
  z_stream stream{};
  if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK) return false;
  std::array<Bytef, kPart> packed;
  size_t size = 0;
  int state = Z_OK;
  while (state == Z_OK && size <= most) {
    if (stream.avail_in == 0) {
      const std::string_view part = bytes.substr(0, kPart);
      stream.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(part.data()));
      stream.avail_in = static_cast<uInt>(part.size());
      bytes.remove_prefix(part.size());
    }
    stream.next_out = packed.data();
    stream.avail_out = static_cast<uInt>(packed.size());
    state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    size += packed.size() - stream.avail_out;
  }
  deflateEnd(&stream);
  return state == Z_STREAM_END && size <= most;
}

std::string for_script(std::string json) {
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

}  // namespace lanescope::handout
