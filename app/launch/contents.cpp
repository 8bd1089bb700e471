// The initial contents of a buffer: zeros, iota, fill(V), random(SEED), file(PATH). Method: element i depends
// only on i, so a buffer is the same on every platform and for any order of filling. iota: element i is i,
// converted to the type (integers keep the low bits, so u8 wraps at 256). random: base/random.h at position
// i; integers take its upper bits, floating-point types the fraction [0, 1) of as many upper bits as the
// type holds exactly (f32 24, f64 53, f16 11, bf16 8). Tests: tests/unit/launch/contents_test.cpp

#include "base/random.h"
#include "launch/argument_spec.h"
#include "launch/element.h"
#include "launch/large_pages.h"
#include "launch/number.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

namespace lanescope::launch {
namespace {

using Bytes = std::vector<std::byte>;

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

void repeat(Bytes& bytes, const Bytes& element) {
  for (size_t at = 0; at < bytes.size(); at += element.size()) {
    std::memcpy(bytes.data() + at, element.data(), element.size());
  }
}

Result<void> read_whole_file(Bytes& bytes, const std::string& path) {
  const Location where{path, 0};
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) {
    return fail(ErrorKind::File,
                fmt::format("a file of {} bytes was expected, there is no such file; check the path "
                            "in file(PATH)",
                            bytes.size()),
                where);
  }
  if (!std::filesystem::is_regular_file(status)) {
    return fail(ErrorKind::File,
                fmt::format("a file of {} bytes was expected, this is not a plain file", bytes.size()),
                where);
  }
  const uint64_t size = std::filesystem::file_size(path, problem);
  if (!problem && size != bytes.size()) {
    return fail(ErrorKind::File,
                fmt::format("the buffer has {} bytes and the file {}; change the count or the file",
                            bytes.size(), size),
                where);
  }
  std::ifstream file(path, std::ios::binary);
  if (problem ||
      !file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
    return fail(ErrorKind::File, "the file cannot be read; check its permissions", where);
  }
  return {};
}

/// The text inside "name(...)", or nothing when `init` is not of that form.
std::optional<std::string_view> inside(std::string_view init, std::string_view name) {
  if (!init.starts_with(name) || !init.ends_with(')')) return std::nullopt;
  init.remove_prefix(name.size());
  if (!init.starts_with('(')) return std::nullopt;
  return init.substr(1, init.size() - 2);
}

Result<void> fill_contents(Bytes& bytes, ElementType type, std::string_view init) {
  if (init == "iota") {
    with_type(type, [&]<class T>(T) { generate<T>(bytes, iota_element<T>); });
    return {};
  }
  if (const auto value = inside(init, "fill")) {
    TRY(const Bytes element, parse_number(type, *value));
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
  if (const auto path = inside(init, "file")) return read_whole_file(bytes, std::string(*path));
  return fail(ErrorKind::Usage,
              fmt::format("the contents of a buffer are zeros, iota, fill(V), random(SEED), "
                          "file(PATH) or none, '{}' was given",
                          init.substr(0, 60)));
}

}  // namespace

Result<Contents> make_contents(ElementType type, uint64_t count, std::string_view init) {
  if (count > kMaximumBufferBytes / size_bytes(type)) {
    return fail(ErrorKind::Limit,
                fmt::format("a buffer has at most {} bytes, {} elements of {} were asked for; use a "
                            "smaller count",
                            kMaximumBufferBytes, count, name_of(type)));
  }
  try {
    if (init == "zeros") return zeros(count * size_bytes(type));
    auto bytes = std::make_shared<Bytes>(room_for(count * size_bytes(type)));
    bytes->resize(count * size_bytes(type));
    TRY_VOID(fill_contents(*bytes, type, init));
    return Contents(std::move(bytes));
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::Limit,
                fmt::format("not enough memory for a buffer of {} bytes; use a smaller count",
                            count * size_bytes(type)));
  }
}

}  // namespace lanescope::launch
