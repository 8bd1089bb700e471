#include "lesson/matrix_launch.h"

#include "launch/large_pages.h"

#include <charconv>
#include <cstring>

#include <fmt/format.h>

namespace lanescope::lesson {
namespace {

constexpr uint32_t kRowsOfThreads = 8;  // kernels/tile.h, ROWS

std::optional<uint32_t> parse_side(std::string_view text) {
  uint32_t side = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), side);
  if (status != std::errc{} || end != text.data() + text.size() || side == 0 || side > kMaximumMatrixSide)
    return {};
  return side;
}

template <class Element>
launch::Contents count_up(uint64_t count, uint64_t modulus) {
  auto bytes = std::make_shared<std::vector<std::byte>>(launch::room_for(count * sizeof(Element)));
  bytes->resize(count * sizeof(Element));
  for (uint64_t i = 0; i < count; ++i) {
    const auto element = static_cast<Element>(i % modulus);
    std::memcpy(bytes->data() + i * sizeof(Element), &element, sizeof element);
  }
  return bytes;
}

/// 16-byte elements are float4: all four components hold the number.
launch::Contents count_up_in_fours(uint64_t count) {
  auto bytes = std::make_shared<std::vector<std::byte>>(launch::room_for(count * 16));
  bytes->resize(count * 16);
  for (uint64_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(i % (uint64_t{1} << 24));
    const float element[4] = {number, number, number, number};
    std::memcpy(bytes->data() + i * 16, element, 16);
  }
  return bytes;
}

Result<launch::ElementType> element_type(std::string_view bytes) {
  using launch::ElementType;
  if (bytes == "1") return ElementType::U8;
  if (bytes == "2") return ElementType::U16;
  if (bytes == "4") return ElementType::F32;
  if (bytes == "8") return ElementType::F64;
  if (bytes == "16") return ElementType::Bytes16;
  return fail(ErrorKind::Usage, fmt::format("an element has 1, 2, 4, 8 or 16 bytes, not '{}'", bytes));
}

launch::Contents counted(launch::ElementType type, uint64_t count) {
  using launch::ElementType;
  // Floats count exactly up to 2^24.
  switch (type) {
    case ElementType::U8:
      return count_up<uint8_t>(count, 256);
    case ElementType::U16:
      return count_up<uint16_t>(count, 65536);
    case ElementType::F64:
      return count_up<double>(count, uint64_t{1} << 53);
    case ElementType::Bytes16:
      return count_up_in_fours(count);
    default:
      return count_up<float>(count, uint64_t{1} << 24);
  }
}

launch::Argument integer_argument(uint32_t value) {
  launch::Value argument{std::vector<std::byte>(4)};
  std::memcpy(argument.bytes.data(), &value, 4);
  return argument;
}

std::string value_of(const Settings& settings, const std::string& toggle, std::string_view otherwise) {
  const auto found = settings.values.find(toggle);
  return found == settings.values.end() ? std::string(otherwise) : found->second;
}

}  // namespace

Result<MatrixSize> parse_matrix_size(std::string_view text) {
  const size_t cross = text.find('x');
  const auto width = parse_side(text.substr(0, cross));
  const auto height = cross == std::string_view::npos ? width : parse_side(text.substr(cross + 1));
  if (!width || !height)
    return fail(ErrorKind::Usage,
                fmt::format("a matrix size is COLUMNS or COLUMNSxROWS, each from 1 to {}; '{}' is not; "
                            "try 1024 or 1024x512",
                            kMaximumMatrixSide, text));
  return MatrixSize{*width, *height};
}

Result<launch::Launch> matrix_launch(const Settings& settings, const launch::Launch* previous) {
  TRY(const MatrixSize size, parse_matrix_size(value_of(settings, "size", "1024")));
  const auto tile = parse_side(value_of(settings, "tile", "32"));
  if (!tile) return fail(ErrorKind::Usage, "a tile is 16 or 32");
  TRY(const launch::ElementType type, element_type(value_of(settings, "element", "4")));

  launch::Launch launch;
  launch.grid = {(size.width + *tile - 1) / *tile, (size.height + *tile - 1) / *tile, 1};
  launch.block = {*tile, kRowsOfThreads, 1};
  launch.arguments = {launch::BufferArgument{0}, launch::BufferArgument{1}, integer_argument(size.width),
                      integer_argument(size.height)};
  const std::vector<uint64_t> shape{size.height, size.width};
  if (previous && previous->buffers[0].type == type && previous->buffers[0].shape == shape) {
    launch.buffers = previous->buffers;
    return launch;
  }
  const launch::Contents initial = counted(type, uint64_t{size.width} * size.height);
  launch.buffers.push_back({"in", type, shape, initial});
  // The kernels write all of the output; whoever reads it before is told.
  launch.buffers.push_back({"out", type, {size.width, size.height}, launch::zeros(initial->size()), false});
  return launch;
}

}  // namespace lanescope::lesson
