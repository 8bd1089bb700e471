#include "ptx/literal.h"

#include "base/real_chars.h"

#include <bit>
#include <charconv>

namespace lanescope::ptx {

namespace {

std::optional<uint64_t> parse_digits(std::string_view digits, int base) {
  uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, status] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || status != std::errc() || rest != end) return std::nullopt;
  return value;
}

std::optional<Immediate> parse_integer(std::string_view text) {
  const bool says_unsigned = text.ends_with('U');
  if (says_unsigned) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
  }
  if (base != 10) {
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.starts_with('0')) {
    base = 8;
  }
  const auto value = parse_digits(text, base);
  if (!value) return std::nullopt;
  return Immediate{ImmediateKind::Integer, *value, says_unsigned || *value > INT64_MAX};
}

/// The `digits` hexadecimal digits of a bit pattern, neither more nor fewer.
std::optional<Immediate> parse_pattern(std::string_view digits, size_t count, ImmediateKind kind) {
  if (digits.size() != count) return std::nullopt;
  const auto value = parse_digits(digits, 16);
  if (!value) return std::nullopt;
  return Immediate{kind, *value};
}

std::optional<Immediate> parse_decimal(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = real_from_chars(text.data(), end, value);
  if (status != std::errc() || rest != end) return std::nullopt;
  return Immediate{ImmediateKind::Float64, std::bit_cast<uint64_t>(value)};
}

double number_of(Immediate immediate) {
  switch (immediate.kind) {
    case ImmediateKind::Integer:
      return immediate.is_unsigned ? static_cast<double>(immediate.bits)
                                   : static_cast<double>(static_cast<int64_t>(immediate.bits));
    case ImmediateKind::Float32:
      return std::bit_cast<float>(static_cast<uint32_t>(immediate.bits));
    case ImmediateKind::Float64:
      return std::bit_cast<double>(immediate.bits);
  }
  return 0;
}

}  // namespace

std::optional<Immediate> parse_literal(std::string_view text) {
  if (text.starts_with("0f") || text.starts_with("0F")) {
    return parse_pattern(text.substr(2), 8, ImmediateKind::Float32);
  }
  if (text.starts_with("0d") || text.starts_with("0D")) {
    return parse_pattern(text.substr(2), 16, ImmediateKind::Float64);
  }
  const bool has_base = text.starts_with("0x") || text.starts_with("0X");
  if (!has_base && text.find_first_of(".eE") != std::string_view::npos) return parse_decimal(text);
  return parse_integer(text);
}

uint64_t bits_as(Immediate immediate, Type type) {
  if (type == Type::pred) return immediate.bits != 0;
  if (type == Type::f64) {
    if (immediate.kind == ImmediateKind::Float64) return immediate.bits;
    return std::bit_cast<uint64_t>(number_of(immediate));
  }
  if (type == Type::f32) {
    if (immediate.kind == ImmediateKind::Float32) return immediate.bits;
    return std::bit_cast<uint32_t>(static_cast<float>(number_of(immediate)));
  }
  const int size = size_bytes(type);
  return size >= 8 ? immediate.bits : immediate.bits & ((uint64_t{1} << 8 * size) - 1);
}

}  // namespace lanescope::ptx
