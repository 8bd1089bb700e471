#include "launch/npy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::launch {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// Types as NumPy spells them. V2: two bytes of a type that NumPy itself does not have.
constexpr std::array kTypes{std::pair{ElementType::U8, "|u1"},      std::pair{ElementType::I8, "|i1"},
                            std::pair{ElementType::U16, "<u2"},     std::pair{ElementType::I16, "<i2"},
                            std::pair{ElementType::F16, "<f2"},     std::pair{ElementType::BF16, "|V2"},
                            std::pair{ElementType::U32, "<u4"},     std::pair{ElementType::I32, "<i4"},
                            std::pair{ElementType::F32, "<f4"},     std::pair{ElementType::U64, "<u8"},
                            std::pair{ElementType::I64, "<i8"},     std::pair{ElementType::F64, "<f8"},
                            std::pair{ElementType::Bytes16, "|V16"}};

std::unexpected<Error> refuse(std::string why) { return fail(ErrorKind::File, std::move(why)); }

/// The text after `'key':` in the header's dictionary, without leading spaces.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

std::optional<ElementType> type_of(std::string_view name) {
  if (name == "|b1") return ElementType::U8;
  for (const auto& [type, spelled] : kTypes)
    if (name == spelled) return type;
  return {};
}

/// "(64, 32)", "(64,)", "()".
std::optional<std::vector<uint64_t>> shape_of(std::string_view text) {
  if (!text.starts_with('(')) return {};
  const size_t close = text.find(')');
  if (close == std::string_view::npos) return {};
  std::vector<uint64_t> shape;
  for (std::string_view rest = text.substr(1, close - 1); !rest.empty();) {
    const size_t comma = rest.find(',');
    std::string_view digits = rest.substr(0, comma);
    while (digits.starts_with(' ')) digits.remove_prefix(1);
    if (!digits.empty()) {
      uint64_t extent = 0;
      const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), extent);
      if (problem != std::errc{} || stop != digits.data() + digits.size()) return {};
      shape.push_back(extent);
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return shape;
}

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 12)
    return refuse("a .npy file of NumPy was expected, and the file does not begin as one");
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(bytes[at])); };
  const size_t version = byte(6);
  const size_t digits = version == 1 ? 2 : 4;
  size_t length = byte(8) | byte(9) << 8;
  if (digits == 4) length |= byte(10) << 16 | byte(11) << 24;
  const size_t begin = 8 + digits;
  if (version < 1 || version > 3 || length > bytes.size() - begin)
    return refuse("the header of the .npy file is damaged, or of a version that NumPy does not have");
  const std::string_view header = bytes.substr(begin, length);
  const auto type_text = value_of(header, "descr");
  const auto order = value_of(header, "fortran_order");
  const auto shape_text = value_of(header, "shape");
  if (!type_text || !order || !shape_text || !type_text->starts_with('\''))
    return refuse(
        "the .npy file must hold an array of numbers; its header names no plain type, order and shape");
  const std::string_view name = type_text->substr(1, type_text->substr(1).find('\''));
  NpyHeader result;
  const auto type = type_of(name);
  if (!type)
    return refuse(fmt::format(
        "the .npy file has elements of type '{}', which is not supported; save it as u1 to i8 or f2 to f8, "
        "little-endian, for example with array.astype('<f4')",
        name.substr(0, 20)));
  result.type = *type;
  if (!order->starts_with("False"))
    return refuse("the array in the .npy file is in column-major order; save numpy.ascontiguousarray(array)");
  auto shape = shape_of(*shape_text);
  if (!shape) return refuse("the header of the .npy file has no shape such as (64, 32)");
  result.shape = *std::move(shape);
  result.data_at = begin + length;
  return result;
}

std::string npy_header(ElementType type, const std::vector<uint64_t>& shape) {
  const auto* const found = std::ranges::find(kTypes, type, [](const auto& row) { return row.first; });
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 found->second, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr size_t kBefore = 10;  // the magic, two digits of the version, two of the length
  text.append((64 - (kBefore + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string all(kMagic);
  all += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return all + text;
}

}  // namespace lanescope::launch
