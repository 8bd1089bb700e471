// The grammar of --arg, one function per form; contents.cpp makes a buffer's initial contents.

#include "launch/argument_spec.h"

#include "launch/number.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

constexpr std::string_view kForms =
    "write TYPE:VALUE like i32:1024, bytes:HEX, or [NAME=]TYPE[COUNT]:INIT like out=f32[64x64]:zeros";

// PTX ISA, kernel function parameters: 32764 bytes from sm_70 on.
constexpr size_t kMaximumParameterBytes = 32764;

std::unexpected<Error> refuse(std::string_view spec, std::string_view why) {
  return fail(ErrorKind::Usage, fmt::format("--arg '{}': {}", shortened(spec), why));
}

Result<ElementType> parse_type(std::string_view name) {
  const auto found = type_named(name);
  if (!found) {
    return fail(ErrorKind::Usage,
                fmt::format("a type was expected (u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64), '{}' "
                            "was given; {}",
                            shortened(name), kForms));
  }
  return *found;
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

/// "1024" or "32x64", slowest first; the whole buffer stays within kMaximumBufferBytes.
Result<std::vector<uint64_t>> parse_shape(ElementType type, std::string_view text) {
  std::vector<uint64_t> shape;
  uint64_t bytes = size_bytes(type);
  for (std::string_view rest = text;;) {
    const size_t cross = rest.find('x');
    TRY(const uint64_t extent, parse_count("the count of a buffer", rest.substr(0, cross)));
    if (extent == 0) {
      return fail(ErrorKind::Usage,
                  fmt::format("a buffer has at least one element, [{}] was given", shortened(text)));
    }
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > kMaximumBufferBytes) {
      return fail(ErrorKind::Limit,
                  fmt::format("a buffer has at most {} bytes, {}[{}] is larger; use a smaller count",
                              kMaximumBufferBytes, name_of(type), shortened(text)));
    }
    if (shape.size() == 3) {
      return fail(ErrorKind::Usage,
                  fmt::format("a buffer has at most 3 dimensions, [{}] was given", shortened(text)));
    }
    shape.push_back(extent);
    if (cross == std::string_view::npos) return shape;
    rest.remove_prefix(cross + 1);
  }
}

Result<std::vector<std::byte>> parse_hexadecimal(std::string_view digits) {
  if (digits.empty() || digits.size() % 2 != 0) {
    return fail(
        ErrorKind::Usage,
        fmt::format("bytes:HEX takes two hexadecimal digits per byte, {} digits were given", digits.size()));
  }
  if (digits.size() / 2 > kMaximumParameterBytes) {
    return fail(ErrorKind::Limit, fmt::format("a kernel parameter has at most {} bytes, {} were given",
                                              kMaximumParameterBytes, digits.size() / 2));
  }
  std::vector<std::byte> bytes(digits.size() / 2);
  for (size_t index = 0; index < bytes.size(); ++index) {
    const char* const pair = digits.data() + 2 * index;
    uint8_t byte = 0;
    const auto [stop, problem] = std::from_chars(pair, pair + 2, byte, 16);
    if (problem != std::errc{} || stop != pair + 2) {
      return fail(ErrorKind::Usage,
                  fmt::format("bytes:HEX takes hexadecimal digits, '{}' was given at digit {}",
                              std::string_view(pair, 2), 2 * index));
    }
    bytes[index] = std::byte{byte};
  }
  return bytes;
}

Result<void> add_scalar(Launch& launch, std::string_view type_name, std::string_view value) {
  if (type_name == "bytes") {
    TRY(auto bytes, parse_hexadecimal(value));
    launch.arguments.emplace_back(Value{std::move(bytes)});
    return {};
  }
  TRY(const ElementType type, parse_type(type_name));
  TRY(auto bytes, parse_number(type, value));
  launch.arguments.emplace_back(Value{std::move(bytes), type});
  return {};
}

/// `head` is [NAME=]TYPE[COUNT].
Result<void> add_buffer(Launch& launch, std::string_view head, std::string_view init) {
  Buffer buffer;
  if (const size_t equals = head.find('='); equals != std::string_view::npos) {
    buffer.name = head.substr(0, equals);
    if (!is_name(buffer.name)) {
      return fail(ErrorKind::Usage, fmt::format("a buffer's name has letters, digits and _, '{}' was given",
                                                shortened(buffer.name)));
    }
    if (std::ranges::find(launch.buffers, buffer.name, &Buffer::name) != launch.buffers.end()) {
      return fail(ErrorKind::Usage,
                  fmt::format("two buffers are called '{}'; rename one", shortened(buffer.name)));
    }
    head.remove_prefix(equals + 1);
  }
  const size_t bracket = head.find('[');
  if (!head.ends_with(']')) {
    return fail(ErrorKind::Usage,
                fmt::format("the count of a buffer ends with ']', '{}' was given", shortened(head)));
  }
  TRY(buffer.type, parse_type(head.substr(0, bracket)));
  TRY(buffer.shape, parse_shape(buffer.type, head.substr(bracket + 1, head.size() - bracket - 2)));
  uint64_t count = 1;
  for (const uint64_t extent : buffer.shape) count *= extent;
  buffer.has_contents = init != "none";
  TRY(buffer.initial, make_contents(buffer.type, count, buffer.has_contents ? init : "zeros"));
  launch.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(launch.buffers.size())});
  launch.buffers.push_back(std::move(buffer));
  return {};
}

}  // namespace

Result<void> add_argument(Launch& launch, std::string_view spec) {
  const size_t colon = spec.find(':');
  if (colon == std::string_view::npos) return refuse(spec, fmt::format("a ':' was expected; {}", kForms));
  const std::string_view head = spec.substr(0, colon);
  const std::string_view rest = spec.substr(colon + 1);
  const bool is_buffer = head.find('[') != std::string_view::npos;
  if (!is_buffer && head.find('=') != std::string_view::npos) {
    return refuse(spec, fmt::format("only a buffer has a name; {}", kForms));
  }
  const Result<void> added = is_buffer ? add_buffer(launch, head, rest) : add_scalar(launch, head, rest);
  if (added) return {};
  Error error = added.error();
  error.message = fmt::format("--arg '{}': {}", shortened(spec), error.message);
  return std::unexpected(std::move(error));
}

std::optional<ElementType> type_named(std::string_view name) {
  for (auto n = static_cast<uint8_t>(ElementType::U8); n <= static_cast<uint8_t>(ElementType::Bytes16); ++n)
    if (const auto type = static_cast<ElementType>(n); name_of(type) == name) return type;
  return {};
}

Result<Dim3> parse_dim3(std::string_view text) {
  std::array<uint32_t, 3> extents{1, 1, 1};
  size_t dimension = 0;
  for (std::string_view rest = text;;) {
    const size_t comma = rest.find(',');
    const std::string_view digits = rest.substr(0, comma);
    const char* const end = digits.data() + digits.size();
    uint32_t extent = 0;
    const auto [stop, problem] = std::from_chars(digits.data(), end, extent);
    if (dimension == extents.size() || problem != std::errc{} || stop != end || extent == 0) {
      return fail(ErrorKind::Usage,
                  fmt::format("one to three whole numbers from 1 to 4294967295 were expected, like 32,8, "
                              "'{}' was given",
                              shortened(text)));
    }
    extents[dimension++] = extent;
    if (comma == std::string_view::npos) return Dim3{extents[0], extents[1], extents[2]};
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace lanescope::launch
