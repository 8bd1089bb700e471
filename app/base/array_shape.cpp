#include "base/array_shape.h"

#include <fmt/format.h>

namespace lanescope {

std::string element_at(std::string_view name, const ArrayShape& shape, uint64_t offset) {
  if (shape.element_bytes == 0) return {};
  uint64_t element = offset / shape.element_bytes;
  std::string indices;
  for (size_t n = shape.extents.size(); n-- > 1;) {
    indices.insert(0, fmt::format("[{}]", element % shape.extents[n]));
    element /= shape.extents[n];
  }
  return fmt::format("{}[{}]{}", name, element, indices);
}

std::string place_at(std::string_view element, uint64_t offset, std::string_view place) {
  return element.empty() ? fmt::format("offset {} of {}", offset, place)
                         : fmt::format("{}, byte {} of {}", element, offset, place);
}

}  // namespace lanescope
