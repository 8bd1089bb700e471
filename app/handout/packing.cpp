#include "handout/packing.h"

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

std::string for_script(std::string json) {
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

}  // namespace lanescope::handout
