#include "launch/difference.h"

#include "base/array_shape.h"
#include "launch/element.h"

#include <cstring>
#include <type_traits>

#include <fmt/format.h>

namespace lanescope::launch {

std::optional<Difference> difference_of(const Buffer& buffer, std::span<const std::byte> one,
                                        std::span<const std::byte> other) {
  if (one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size()) == 0) return {};
  const size_t size = size_bytes(buffer.type);
  Difference difference;
  for (uint64_t n = 0; (n + 1) * size <= one.size() && (n + 1) * size <= other.size(); ++n) {
    if (std::memcmp(one.data() + n * size, other.data() + n * size, size) == 0) continue;
    if (difference.count++ == 0) difference.first = n;
  }
  return difference;
}

std::string element_name(const Buffer& buffer, uint64_t element) {
  return element_at(buffer.name, {.extents = buffer.shape, .element_bytes = 1}, element);
}

std::string element_value(ElementType type, std::span<const std::byte> element) {
  return with_type(type, [&]<class T>(T value) -> std::string {
    std::memcpy(&value, element.data(), sizeof value);
    if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
      return fmt::format("{}", to_double(value));
    else if constexpr (std::is_same_v<T, Quad>)
      return fmt::format("0x{:016x}{:016x}", value.high, value.low);
    else
      return fmt::to_string(value);
  });
}

}  // namespace lanescope::launch
