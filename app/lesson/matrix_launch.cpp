#include "lesson/matrix_launch.h"

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
  auto bytes = std::make_shared<std::vector<std::byte>>(count * sizeof(Element));
  for (uint64_t i = 0; i < count; ++i) {
    const auto element = static_cast<Element>(i % modulus);
    std::memcpy(bytes->data() + i * sizeof(Element), &element, sizeof element);
  }
  return bytes;
}

/// 16-byte elements are float4: all four components hold the number.
launch::Contents count_up_in_fours(uint64_t count) {
  auto bytes = std::make_shared<std::vector<std::byte>>(count * 16);
  for (uint64_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(i % (uint64_t{1} << 24));
    const float element[4] = {number, number, number, number};
    std::memcpy(bytes->data() + i * 16, element, 16);
  }
  return bytes;
}

struct ElementKind {
  launch::ElementType type;
  launch::Contents initial;
};

Result<ElementKind> element_kind(std::string_view bytes, uint64_t count) {
  using launch::ElementType;
  // Floats count exactly up to 2^24.
  if (bytes == "1") return ElementKind{ElementType::U8, count_up<uint8_t>(count, 256)};
  if (bytes == "2") return ElementKind{ElementType::U16, count_up<uint16_t>(count, 65536)};
  if (bytes == "4") return ElementKind{ElementType::F32, count_up<float>(count, uint64_t{1} << 24)};
  if (bytes == "8") return ElementKind{ElementType::F64, count_up<double>(count, uint64_t{1} << 53)};
  if (bytes == "16") return ElementKind{ElementType::Bytes16, count_up_in_fours(count)};
  return fail(ErrorKind::Usage, fmt::format("an element has 1, 2, 4, 8 or 16 bytes, not '{}'", bytes));
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

Result<launch::Launch> matrix_launch(const Settings& settings) {
  TRY(const MatrixSize size, parse_matrix_size(value_of(settings, "size", "1024")));
  const auto tile = parse_side(value_of(settings, "tile", "32"));
  if (!tile) return fail(ErrorKind::Usage, "a tile is 16 or 32");
  const uint64_t count = uint64_t{size.width} * size.height;
  TRY(const ElementKind kind, element_kind(value_of(settings, "element", "4"), count));

  launch::Launch launch;
  launch.grid = {(size.width + *tile - 1) / *tile, (size.height + *tile - 1) / *tile, 1};
  launch.block = {*tile, kRowsOfThreads, 1};
  const auto zeros = std::make_shared<std::vector<std::byte>>(kind.initial->size());
  launch.buffers.push_back({"in", kind.type, {size.height, size.width}, kind.initial});
  launch.buffers.push_back({"out", kind.type, {size.width, size.height}, zeros});
  launch.arguments = {launch::BufferArgument{0}, launch::BufferArgument{1}, integer_argument(size.width),
                      integer_argument(size.height)};
  return launch;
}

}  // namespace lanescope::lesson
