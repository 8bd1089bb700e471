// The grammar of --arg, one function per form; buffer_spec.cpp reads what is said of a buffer, image_spec.cpp
// what is said of textures and surfaces, contents.cpp makes a buffer's initial contents.

#include "launch/argument_spec.h"

#include "launch/buffer_spec.h"
#include "launch/image_spec.h"
#include "launch/number.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::launch {
namespace {

// PTX ISA, kernel function parameters: 32764 bytes from sm_70 on.
constexpr size_t kMaximumParameterBytes = 32764;

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

Result<Value> parse_scalar(std::string_view type_name, std::string_view value) {
  if (type_name == "bytes") {
    TRY(auto bytes, parse_hexadecimal(value));
    return Value{std::move(bytes)};
  }
  TRY(const ElementType type, parse_type(type_name));
  TRY(auto bytes, parse_number(type, value));
  return Value{std::move(bytes), type};
}

/// An earlier buffer: "in", or "in+64" from its byte 64 on.
Result<BufferArgument> find_buffer(const Launch& launch, std::string_view text) {
  const size_t plus = text.find('+');
  const std::string_view name = text.substr(0, plus);
  const auto found = std::ranges::find(launch.buffers, name, &Buffer::name);
  if (name.empty() || found == launch.buffers.end()) {
    std::vector<std::string_view> names;
    for (const Buffer& buffer : launch.buffers)
      if (!buffer.name.empty()) names.push_back(buffer.name);
    return fail(ErrorKind::Usage,
                names.empty() ? fmt::format("no earlier argument is a buffer with a name; {}", kArgumentForms)
                              : fmt::format("no earlier buffer is called '{}', there is: {}; {}",
                                            shortened(name), fmt::join(names, ", "), kArgumentForms));
  }
  BufferArgument argument{static_cast<uint32_t>(found - launch.buffers.begin())};
  if (plus != std::string_view::npos) {
    TRY(argument.offset_bytes, parse_count("the bytes after NAME+", text.substr(plus + 1)));
  }
  if (argument.offset_bytes > found->initial->size())
    return fail(ErrorKind::Usage, fmt::format("'{}' has {} bytes, an offset of {} is beyond its end", name,
                                              found->initial->size(), argument.offset_bytes));
  return argument;
}

Result<void> add_buffer(Launch& launch, std::string_view name, Buffer buffer, std::string_view init) {
  buffer.name = name;
  TRY_VOID(fill_buffer(buffer, init));
  launch.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(launch.buffers.size())});
  launch.buffers.push_back(std::move(buffer));
  return {};
}

/// INIT or INIT+BYTES: the address is then that of a byte of the buffer.
Result<void> add_buffer_from(Launch& launch, std::string_view name, Buffer buffer, std::string_view init) {
  const size_t plus = init.rfind('+');
  const bool has_offset = plus != std::string_view::npos && plus + 1 < init.size() &&
                          init.find_first_not_of("0123456789", plus + 1) == std::string_view::npos;
  if (!has_offset) return add_buffer(launch, name, std::move(buffer), init);
  TRY(const uint64_t offset, parse_count("the bytes after +", init.substr(plus + 1)));
  TRY_VOID(add_buffer(launch, name, std::move(buffer), init.substr(0, plus)));
  if (offset > launch.buffers.back().initial->size())
    return fail(ErrorKind::Usage, fmt::format("the buffer has {} bytes, an offset of {} is beyond its end",
                                              launch.buffers.back().initial->size(), offset));
  std::get<BufferArgument>(launch.arguments.back()).offset_bytes = offset;
  return {};
}

/// The parts of "{a,b,{c,d}}" between its commas.
Result<std::vector<std::string_view>> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  int depth = 0;
  size_t begin = 1;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}') --depth;
    const bool is_end = depth == 0;
    if (is_end != (at + 1 == text.size()) || depth > 8)
      return fail(ErrorKind::Usage,
                  fmt::format("a struct is {{FIELD,FIELD,...}}, '{}' was given", shortened(text)));
    if (!is_end && !(depth == 1 && text[at] == ',')) continue;
    fields.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  return fields;
}

struct Field {
  Value value;
  size_t alignment = 1;
};

/// A struct as C++ lays it out on x86-64: each field at a multiple of its own alignment, the whole padded.
Result<Field> parse_struct(const Launch& launch, std::string_view text);

Result<Field> parse_field(const Launch& launch, std::string_view text) {
  if (text.starts_with('{')) return parse_struct(launch, text);
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    TRY(const BufferArgument to, find_buffer(launch, text));
    Field field;
    field.alignment = sizeof(uint64_t);
    field.value.bytes.resize(sizeof(uint64_t));
    field.value.pointers.push_back({0, to});
    return field;
  }
  TRY(Value value, parse_scalar(text.substr(0, colon), text.substr(colon + 1)));
  const size_t alignment = value.type ? value.bytes.size() : 1;
  return Field{std::move(value), alignment};
}

Result<Field> parse_struct(const Launch& launch, std::string_view text) {
  TRY(const auto fields, fields_of(text));
  Field all;
  std::vector<std::byte>& bytes = all.value.bytes;
  const auto pad_to = [&](size_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
  };
  for (const std::string_view part : fields) {
    TRY(const Field field, parse_field(launch, part));
    pad_to(field.alignment);
    for (const Value::Pointer& pointer : field.value.pointers)
      all.value.pointers.push_back({static_cast<uint32_t>(bytes.size() + pointer.at), pointer.to});
    bytes.insert(bytes.end(), field.value.bytes.begin(), field.value.bytes.end());
    all.alignment = std::max(all.alignment, field.alignment);
  }
  pad_to(all.alignment);
  if (bytes.size() > kMaximumParameterBytes)
    return fail(ErrorKind::Limit, fmt::format("a kernel parameter has at most {} bytes, the struct has {}",
                                              kMaximumParameterBytes, bytes.size()));
  return all;
}

/// NAME of "NAME=..."; empty where the spec begins otherwise.
std::string_view name_before_equals(std::string_view spec) {
  const size_t end = spec.find_first_of("=:[({");
  return end != std::string_view::npos && spec[end] == '=' ? spec.substr(0, end) : std::string_view();
}

/// The argument without its name.
Result<void> add_unnamed(Launch& launch, std::string_view name, std::string_view spec) {
  const auto add_value = [&](Value value) {
    value.name = name;
    launch.arguments.emplace_back(std::move(value));
    return Result<void>();
  };
  if (spec.starts_with('{')) {
    TRY(Field field, parse_struct(launch, spec));
    return add_value(std::move(field.value));
  }
  if (is_image(spec)) return add_image(launch, name, spec);
  if (spec.starts_with("file(") && spec.ends_with(')')) {
    const std::string path(spec.substr(5, spec.size() - 6));
    TRY(Buffer buffer, buffer_of_file(path));
    return add_buffer(launch, name, std::move(buffer), spec);
  }
  if (spec.starts_with("text(") && spec.ends_with(')')) {
    // As a string literal: a zero after the last character.
    Buffer buffer;
    buffer.type = ElementType::U8;
    buffer.shape = {spec.size() - std::string_view("text()").size() + 1};
    return add_buffer(launch, name, std::move(buffer), spec);
  }
  const size_t colon = spec.find(':');
  if (colon == std::string_view::npos) {
    if (!name.empty()) return fail(ErrorKind::Usage, fmt::format("a ':' was expected; {}", kArgumentForms));
    TRY(const BufferArgument argument, find_buffer(launch, spec));
    launch.arguments.emplace_back(argument);
    return {};
  }
  const std::string_view head = spec.substr(0, colon);
  const std::string_view rest = spec.substr(colon + 1);
  if (head.find('[') != std::string_view::npos) {
    TRY(Buffer buffer, parse_buffer_head(head));
    return add_buffer_from(launch, name, std::move(buffer), rest);
  }
  TRY(Value value, parse_scalar(head, rest));
  return add_value(std::move(value));
}

}  // namespace

Result<void> add_argument(Launch& launch, std::string_view spec) {
  const std::string_view name = name_before_equals(spec);
  const bool is_named = spec.size() > name.size() && spec[name.size()] == '=';
  Result<void> added = is_named ? check_name(launch, name) : Result<void>();
  if (added) added = add_unnamed(launch, name, spec.substr(is_named ? name.size() + 1 : 0));
  if (added) return {};
  Error error = added.error();
  error.message = fmt::format("--arg '{}': {}", shortened(spec), error.message);
  return std::unexpected(std::move(error));
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
