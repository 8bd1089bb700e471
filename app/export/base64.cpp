#include "export/base64.h"

#include <cstddef>
#include <cstdint>

namespace lanescope::exporting {

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const auto part = [&](size_t n) {
      return at + n < bytes.size() ? uint32_t{static_cast<uint8_t>(bytes[at + n])} : 0u;
    };
    const uint32_t bits = part(0) << 16 | part(1) << 8 | part(2);
    for (size_t n = 0; n < 4; ++n) text += at + n > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * n) & 63];
  }
  return text;
}

}  // namespace lanescope::exporting
