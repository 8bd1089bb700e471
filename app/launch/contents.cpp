// The initial contents of a buffer: zeros, iota, fill(V), random(SEED), file(PATH), text(WORDS). Method:
// element i depends only on i, so a buffer is the same on every platform and for any order of filling. iota:
// element i is i, converted to the type (integers keep the low bits, so u8 wraps at 256). random:
// base/random.h at position i; integers take its upper bits, floating-point types the fraction [0, 1) of as
// many upper bits as the type holds exactly (f32 24, f64 53, f16 11, bf16 8). Tests:
// tests/unit/launch/contents_test.cpp

#include "launch/contents.h"

#include "base/memory_size.h"
#include "base/random.h"
#include "launch/array_file.h"
#include "launch/element.h"
#include "launch/number.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::launch {
namespace {

/// The upper `digits` of the bits as a fraction, exact.
double fraction(uint64_t bits, int digits) {
  return static_cast<double>(bits >> (64 - digits)) / static_cast<double>(uint64_t{1} << digits);
}

template <class T>
T random_element(uint64_t seed, uint64_t index) {
  const uint64_t bits = random_at(seed, index);
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(fraction(bits, 24));
  } else if constexpr (std::is_same_v<T, double>) {
    return fraction(bits, 53);
  } else if constexpr (std::is_same_v<T, Float16>) {
    return to_float16(fraction(bits, 11));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(fraction(bits, 8));
  } else {
    return {random_at(seed, 2 * index), random_at(seed, 2 * index + 1)};
  }
}

template <class T>
T iota_element(uint64_t index) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(index);
  } else if constexpr (std::is_same_v<T, Float16>) {
    return to_float16(static_cast<double>(index));
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return to_bfloat16(static_cast<double>(index));
  } else {
    return {index, 0};
  }
}

/// Fills `bytes` with make(i) for each element i.
template <class T, class F>
void generate(Bytes& bytes, F&& make) {
  std::byte* to = bytes.data();
  for (uint64_t index = 0; index < bytes.size() / sizeof(T); ++index, to += sizeof(T)) {
    const T element = make(index);
    std::memcpy(to, &element, sizeof element);
  }
}

void repeat(Bytes& bytes, const std::vector<std::byte>& element) {
  for (size_t at = 0; at < bytes.size(); at += element.size()) {
    std::memcpy(bytes.data() + at, element.data(), element.size());
  }
}

/// The text inside "name(...)", or nothing when `init` is not of that form.
std::optional<std::string_view> inside(std::string_view init, std::string_view name) {
  if (!init.starts_with(name) || !init.ends_with(')')) return std::nullopt;
  init.remove_prefix(name.size());
  if (!init.starts_with('(')) return std::nullopt;
  return init.substr(1, init.size() - 2);
}

/// The characters of `text` as elements of one byte, then zeros.
Result<void> fill_with_text(Bytes& bytes, ElementType type, std::string_view text) {
  if (size_bytes(type) != 1)
    return fail(ErrorKind::Usage, "text(WORDS) fills elements of one byte; use u8 or i8");
  if (text.size() > bytes.size())
    return fail(ErrorKind::Usage, fmt::format("the text has {} bytes and the buffer {}; use a larger count",
                                              text.size(), bytes.size()));
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return {};
}

Result<void> fill_contents(Bytes& bytes, ElementType type, const std::vector<uint64_t>& shape,
                           std::string_view init) {
  if (init == "iota") {
    with_type(type, [&]<class T>(T) { generate<T>(bytes, iota_element<T>); });
    return {};
  }
  if (const auto value = inside(init, "fill")) {
    TRY(const std::vector<std::byte> element, parse_number(type, *value));
    repeat(bytes, element);
    return {};
  }
  if (const auto text = inside(init, "random")) {
    TRY(const uint64_t seed, parse_count("the seed of random(SEED)", *text));
    with_type(type, [&]<class T>(T) {
      generate<T>(bytes, [seed](uint64_t index) { return random_element<T>(seed, index); });
    });
    return {};
  }
  if (const auto path = inside(init, "file")) return read_array(bytes, type, shape, *path);
  if (const auto text = inside(init, "text")) return fill_with_text(bytes, type, *text);
  return fail(ErrorKind::Usage,
              fmt::format("the contents of a buffer are zeros, iota, fill(V), random(SEED), "
                          "file(PATH), text(WORDS) or none, '{}' was given",
                          init.substr(0, 60)));
}

}  // namespace

Result<Contents> make_contents(ElementType type, const std::vector<uint64_t>& shape, std::string_view init) {
  uint64_t bytes_wanted = size_bytes(type);
  for (const uint64_t extent : shape)
    if (__builtin_mul_overflow(bytes_wanted, extent, &bytes_wanted) || bytes_wanted > kMaximumBufferBytes)
      return fail(ErrorKind::Limit,
                  fmt::format("a buffer has at most {} bytes, {}[{}] is larger; use a smaller count",
                              kMaximumBufferBytes, name_of(type), fmt::join(shape, "x")));
  try {
    auto bytes = std::make_shared<Bytes>(memory_size(bytes_wanted));
    if (init == "zeros") return bytes;
    TRY_VOID(fill_contents(*bytes, type, shape, init));
    return Contents(std::move(bytes));
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::Limit,
                fmt::format("not enough memory for a buffer of {} bytes; use a smaller count", bytes_wanted));
  }
}

}  // namespace lanescope::launch
