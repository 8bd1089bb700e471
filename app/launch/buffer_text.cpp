#include "launch/buffer_text.h"

#include "launch/element.h"
#include "launch/number.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::launch {
namespace {

constexpr uint64_t kAtEachEnd = 8;

template <class T>
std::string element_text(const std::byte* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>)
    return fmt::format("{:.4g}", to_double(value));
  else if constexpr (std::is_same_v<T, Quad>)
    return fmt::format("0x{:016x}{:016x}", value.high, value.low);
  else if constexpr (std::is_same_v<T, float>)
    return fmt::format("{:.7g}", value);
  else
    return fmt::to_string(value);
}

/// Which of first to end - 1 are shown; `gap` is where others are left out.
struct Shown {
  std::vector<uint64_t> indices;
  bool has_gap = false;
};
Shown shown_of(uint64_t first, uint64_t end) {
  Shown shown;
  shown.has_gap = end - first > 2 * kAtEachEnd;
  for (uint64_t n = first; n < end; ++n) {
    if (shown.has_gap && n == first + kAtEachEnd) n = end - kAtEachEnd;
    shown.indices.push_back(n);
  }
  return shown;
}

/// The texts of one row of the picture.
std::vector<std::string> row_texts(ElementType type, const std::byte* row, const Shown& columns) {
  std::vector<std::string> texts;
  for (const uint64_t column : columns.indices) {
    if (columns.has_gap && texts.size() == kAtEachEnd) texts.emplace_back("...");
    texts.push_back(
        with_type(type, [&]<class T>(T) { return element_text<T>(row + column * size_bytes(type)); }));
  }
  return texts;
}

}  // namespace

std::string buffer_text(const Buffer& buffer, std::span<const std::byte> bytes, const Range& range) {
  const std::vector<uint64_t>& shape = buffer.shape;
  std::string text = fmt::format("{} {}[{}]\n", buffer.name.empty() ? "buffer" : buffer.name,
                                 name_of(buffer.type), fmt::join(shape, "x"));
  const uint64_t extent = shape.empty() ? 1 : shape.front();
  const uint64_t first = std::min(range.first, extent), end = std::clamp(range.end, first, extent);
  // A vector is one row of the picture; an array of three dimensions has its first two as rows.
  const bool is_vector = shape.size() <= 1;
  uint64_t rows_per_extent = 1;
  for (size_t n = 1; n + 1 < shape.size(); ++n) rows_per_extent *= shape[n];
  const uint64_t columns = is_vector ? extent : shape.back();
  const Shown shown_rows =
      is_vector ? shown_of(0, 1) : shown_of(first * rows_per_extent, end * rows_per_extent);
  const Shown shown_columns = is_vector ? shown_of(first, end) : shown_of(0, columns);
  std::vector<std::vector<std::string>> cells;
  size_t width = 0;
  for (const uint64_t row : shown_rows.indices) {
    cells.push_back(
        row_texts(buffer.type, bytes.data() + row * columns * size_bytes(buffer.type), shown_columns));
    for (const std::string& cell : cells.back()) width = std::max(width, cell.size());
  }
  for (size_t n = 0; n < cells.size(); ++n) {
    if (shown_rows.has_gap && n == kAtEachEnd) text += "  ...\n";
    const uint64_t row = shown_rows.indices[n];
    text += is_vector           ? fmt::format("[{}:{}]", first, end)
            : shape.size() == 2 ? fmt::format("[{}]", row)
                                : fmt::format("[{}][{}]", row / rows_per_extent, row % rows_per_extent);
    for (const std::string& cell : cells[n]) text += fmt::format(" {:>{}}", cell, width);
    text += '\n';
  }
  return text;
}

Result<BufferPart> find_buffer_part(const Launch& launch, std::string_view text) {
  const size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, bracket);
  BufferPart part;
  const auto found = std::ranges::find(launch.buffers, name, &Buffer::name);
  if (!name.empty() && found != launch.buffers.end()) {
    part.buffer = static_cast<uint32_t>(found - launch.buffers.begin());
  } else {
    const auto number = parse_count("the number of an argument", name);
    const bool exists = number && *number < launch.arguments.size();
    const size_t place = exists ? static_cast<size_t>(*number) : 0;
    const auto* const argument = exists ? std::get_if<BufferArgument>(&launch.arguments[place]) : nullptr;
    const auto* const image = exists ? std::get_if<ImageArgument>(&launch.arguments[place]) : nullptr;
    if (argument == nullptr && image == nullptr)
      return fail(ErrorKind::Usage,
                  fmt::format("'{}' is neither the name of a buffer, as in --arg out=f32[64]:zeros, nor the "
                              "number of an argument, counted from 0, that is a buffer, texture or surface",
                              shortened(name)));
    part.buffer = argument != nullptr ? argument->buffer : launch.images[image->image].buffer;
  }
  if (bracket == std::string_view::npos) return part;
  const auto wrong = [&] {
    return fail(
        ErrorKind::Usage,
        fmt::format("a part of a buffer is NAME[FIRST:END] or NAME[INDEX], '{}' was given", shortened(text)));
  };
  if (!text.ends_with(']')) return wrong();
  const std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
  const size_t colon = inside.find(':');
  const std::string_view first = inside.substr(0, colon);
  if (!first.empty() || colon == std::string_view::npos) {
    TRY(part.range.first, parse_count("the beginning of a part", first));
  }
  if (colon == std::string_view::npos) {
    part.range.end = part.range.first + 1;
  } else if (colon + 1 != inside.size()) {
    TRY(part.range.end, parse_count("the end of a part", inside.substr(colon + 1)));
  }
  if (part.range.end <= part.range.first) return wrong();
  return part;
}

}  // namespace lanescope::launch
