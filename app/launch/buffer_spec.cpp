#include "launch/buffer_spec.h"

#include "launch/array_file.h"
#include "launch/contents.h"
#include "launch/number.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || is_digit(c); });
}

/// "1024" or "32x64", slowest first.
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

}  // namespace

Result<ElementType> parse_type(std::string_view name) {
  const auto found = type_named(name);
  if (!found) {
    return fail(ErrorKind::Usage,
                fmt::format("a type was expected (u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64), '{}' "
                            "was given; {}",
                            shortened(name), kArgumentForms));
  }
  return *found;
}

Result<void> check_name(const Launch& launch, std::string_view name) {
  if (!is_name(name))
    return fail(
        ErrorKind::Usage,
        fmt::format("the name of an argument has letters, digits and _, '{}' was given", shortened(name)));
  const auto is_taken = [&](const Argument& argument) {
    const auto* const value = std::get_if<Value>(&argument);
    return value != nullptr && value->name == name;
  };
  if (std::ranges::find(launch.buffers, name, &Buffer::name) != launch.buffers.end() ||
      std::ranges::any_of(launch.arguments, is_taken))
    return fail(ErrorKind::Usage, fmt::format("two arguments are called '{}'; rename one", shortened(name)));
  return {};
}

Result<Buffer> parse_buffer_head(std::string_view head) {
  const size_t bracket = head.find('[');
  if (!head.ends_with(']')) {
    return fail(ErrorKind::Usage,
                fmt::format("the count of a buffer ends with ']', '{}' was given", shortened(head)));
  }
  Buffer buffer;
  TRY(buffer.type, parse_type(head.substr(0, bracket)));
  TRY(buffer.shape, parse_shape(buffer.type, head.substr(bracket + 1, head.size() - bracket - 2)));
  return buffer;
}

Result<Buffer> buffer_of_file(const std::string& path) {
  TRY(ArrayShape array, shape_of_file(path));
  if (std::ranges::find(array.shape, uint64_t{0}) != array.shape.end() || array.shape.size() > 3)
    return fail(ErrorKind::File,
                "a buffer has 1 to 3 dimensions and at least one element, this array does not",
                Location{path, 0});
  Buffer buffer;
  buffer.type = array.type;
  buffer.shape = std::move(array.shape);
  return buffer;
}

Result<void> fill_buffer(Buffer& buffer, std::string_view init) {
  constexpr std::string_view kPartly = "partly(";
  if (init.starts_with(kPartly)) {
    const size_t comma = init.rfind(',');
    const std::string_view key = comma == std::string_view::npos ? "" : init.substr(comma + 1);
    const auto [end, status] = std::from_chars(key.data(), key.data() + key.size(), buffer.pattern_key);
    if (status != std::errc() || std::string_view(end, key.data() + key.size()) != ")" ||
        buffer.pattern_key == 0)
      return fail(
          ErrorKind::Usage,
          fmt::format("a buffer that is uninitialized in parts is partly(PATH,KEY), with the key that "
                      "'lanescope run --keep-inputs' wrote; '{}' was given",
                      shortened(init)));
    TRY(buffer.initial,
        make_contents(buffer.type, buffer.shape,
                      fmt::format("file({})", init.substr(kPartly.size(), comma - kPartly.size()))));
    return {};
  }
  buffer.has_contents = init != "none";
  TRY(buffer.initial, make_contents(buffer.type, buffer.shape, buffer.has_contents ? init : "zeros"));
  return {};
}

}  // namespace lanescope::launch
