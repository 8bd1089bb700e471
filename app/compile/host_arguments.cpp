#include "compile/host_arguments.h"

#include "compile/host_evaluator.h"

#include <algorithm>
#include <limits>

namespace lanescope::compile {
namespace {

using Kind = Token::Kind;

std::optional<double> number_of(const std::optional<HostValue>& value) {
  if (!value) return {};
  if (const auto* integer = std::get_if<int64_t>(&*value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&*value)) return *real;
  return {};
}

std::string pointee_of(std::string type) {
  const size_t star = type.rfind('*');
  return star == std::string::npos ? type : type.substr(0, star);
}

/// "float" of "std::vector<float>"; empty for anything else.
std::string element_of_vector(const std::string& type) {
  const size_t open = type.find("vector<");
  const size_t close = type.rfind('>');
  if (open == std::string::npos || close == std::string::npos || close < open + 7) return {};
  return type.substr(open + 7, close - open - 7);
}

/// The tokens of an argument.
struct ArgumentWords {
  std::vector<Token> tokens;

  bool is(size_t n, std::string_view text) const { return n < tokens.size() && tokens[n].text == text; }
  bool is_name(size_t n) const {
    return n < tokens.size() && tokens[n].kind == Kind::Word &&
           (tokens[n].text.front() < '0' || tokens[n].text.front() > '9');
  }
  std::string text(size_t begin, size_t end) const {
    return begin >= end ? std::string() : text_of(&tokens[begin], &tokens[begin] + (end - begin));
  }
  /// After the casts at the start: (float*)x.
  size_t behind_casts() const {
    size_t begin = 0;
    while (is(begin, "(")) {
      size_t close = begin + 1;
      while (close < tokens.size() && !is(close, ")")) ++close;
      if (close + 1 >= tokens.size() || !is(close - 1, "*")) break;
      begin = close + 1;
    }
    return begin;
  }
};

}  // namespace

std::optional<Dim3> extent_of(const std::optional<HostValue>& value) {
  if (!value) return {};
  std::array<int64_t, 3> extent{0, 1, 1};
  if (const auto* triple = std::get_if<std::array<int64_t, 3>>(&*value))
    extent = *triple;
  else if (const auto* integer = std::get_if<int64_t>(&*value))
    extent[0] = *integer;
  else
    extent[0] = static_cast<int64_t>(std::clamp(std::get<double>(*value), 0.0, 1e15));
  for (const int64_t each : extent)
    if (each < 1 || each > std::numeric_limits<int32_t>::max()) return {};
  return Dim3{static_cast<uint32_t>(extent[0]), static_cast<uint32_t>(extent[1]),
              static_cast<uint32_t>(extent[2])};
}

void HostArguments::add(std::vector<HostBuffer> buffers) {
  buffers_.insert(buffers_.end(), std::make_move_iterator(buffers.begin()),
                  std::make_move_iterator(buffers.end()));
}

std::optional<uint64_t> HostArguments::size_of(const std::string& expression, size_t file, size_t at,
                                               const HostNumbers& numbers) const {
  const auto value = compile::value_of(names_, expression, file, at, numbers);
  const auto* integer = value ? std::get_if<int64_t>(&*value) : nullptr;
  return integer != nullptr && *integer >= 0 ? std::optional(static_cast<uint64_t>(*integer)) : std::nullopt;
}

/// Bytes of the allocation `name` at a launch: of the last one before it in its function, else the only size
/// that the program gives to the name, else the most bytes that are copied to it.
std::optional<uint64_t> HostArguments::bytes_of_buffer(std::string_view name, const HostPlace& place) const {
  const HostBuffer* near = nullptr;
  std::vector<std::optional<uint64_t>> elsewhere;
  std::optional<uint64_t> copied;
  for (const HostBuffer& buffer : buffers_) {
    if (buffer.name != name) continue;
    const auto bytes = size_of(buffer.bytes, buffer.file, buffer.at, {});
    const bool is_here =
        buffer.file == place.file && place.function_begin <= buffer.at && buffer.at < place.function_end;
    if (buffer.is_copy) {
      if (bytes) copied = std::max(copied.value_or(0), *bytes);
    } else if (is_here) {
      if (near == nullptr || buffer.at < place.at) near = &buffer;
    } else {
      elsewhere.push_back(bytes);
    }
  }
  if (near != nullptr) return size_of(near->bytes, near->file, near->at, {});
  if (elsewhere.empty()) return copied;
  const bool is_one =
      std::ranges::all_of(elsewhere, [&](const auto& one) { return one == elsewhere.front(); });
  return is_one ? elsewhere.front() : std::nullopt;
}

HostArgument HostArguments::value_of(const std::string& written, const HostPlace& place,
                                     const HostNumbers& numbers) const {
  HostArgument argument;
  const ArgumentWords words{tokens_of(written)};
  const size_t end = words.tokens.size();
  if (end == 0) return argument;
  argument.number = number_of(compile::value_of(names_, written, place.file, place.at, numbers));
  if (words.is(0, "true") || words.is(0, "false")) argument.number = words.is(0, "true") ? 1 : 0;
  const size_t begin = words.behind_casts();
  const bool is_address = words.is(begin, "&");
  if (end == begin + 1 && words.is_name(begin))
    argument.type = names_.types().plain(names_.type_at(words.tokens[begin].text, place.file, place.at));
  for (size_t n = begin; n < end; ++n) {
    if (!words.is_name(n)) continue;
    const std::string name(words.tokens[n].text);
    const std::string type = names_.type_at(name, place.file, place.at);
    const std::string of_vector = element_of_vector(type);
    const bool is_known = std::ranges::find(buffers_, name, &HostBuffer::name) != buffers_.end();
    if (!is_known && of_vector.empty()) continue;
    argument.number.reset();
    argument.buffer = name;
    argument.is_least = of_vector.empty() && std::ranges::none_of(buffers_, [&](const HostBuffer& buffer) {
                          return buffer.name == name && !buffer.is_copy;
                        });
    const std::string element = of_vector.empty() ? pointee_of(type) : of_vector;
    const auto element_bytes = size_of("sizeof(" + element + ")", place.file, place.at, numbers);
    if (of_vector.empty()) {
      argument.buffer_bytes = bytes_of_buffer(name, place);
    } else if (const auto count = size_of(name, place.file, place.at, numbers); count && element_bytes) {
      argument.buffer_bytes = *count * *element_bytes;
    }
    const bool is_sum = n == begin && words.is(n + 1, "+");
    const bool is_element = is_address && words.is(n + 1, "[") && words.is(end - 1, "]");
    if (is_sum || is_element) {
      const auto offset = size_of(words.text(n + 2, is_sum ? end : end - 1), place.file, place.at, numbers);
      if (offset && element_bytes) argument.offset_bytes = *offset * *element_bytes;
    }
    return argument;
  }
  if (end == begin + 1 && words.is_name(begin))
    argument.fields = numbers_in_list(words.tokens[begin].text, place);
  return argument;
}

/// Values of a list: 0 and 256 of `Range r = {0, n}`. Empty if one is not known.
std::vector<double> HostArguments::numbers_in_list(std::string_view name, const HostPlace& place) const {
  const std::string value = names_.value_at(name, place.file, place.at);
  std::vector<double> fields;
  if (!value.starts_with('{') || !value.ends_with('}')) return fields;
  const ArgumentWords words{tokens_of(std::string_view(value).substr(1, value.size() - 2))};
  for (size_t n = 0, start = 0; n <= words.tokens.size(); ++n) {
    if (n < words.tokens.size() && !words.is(n, ",")) continue;
    const auto field = number_of(compile::value_of(names_, words.text(start, n), place.file, place.at, {}));
    if (!field) return {};
    fields.push_back(*field);
    start = n + 1;
  }
  return fields;
}

}  // namespace lanescope::compile
