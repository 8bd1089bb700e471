// Sections of an ELF file of 64 bits, little-endian, as far as cubins need them. Each number is read with a
// check of its bounds: the file may be anybody's. Source: System V ABI, "Object Files". Tests:
// tests/unit/sass/cubin_test.cpp

#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::sass {

using Bytes = std::span<const std::byte>;

/// Number at `offset`; no value if it is not within the bytes.
template <class T>
std::optional<T> number_at(Bytes bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Text at `offset` up to a zero byte; empty if there is none.
std::string_view text_at(Bytes bytes, uint64_t offset);

struct Section {
  std::string name;
  uint32_t type = 0;
  uint64_t size_bytes = 0;
  Bytes data;  // empty for a section without contents
};

struct Symbol {
  std::string name;
  uint16_t section = 0;  // index in Elf::sections
};

/// Borrows the bytes of the file.
struct Elf {
  uint8_t abi_version = 0;
  uint32_t flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  const Section* find(std::string_view name) const;
};

/// Errors: Syntax for what is no ELF file of 64 bits, or is cut.
Result<Elf> read_elf(Bytes file);

}  // namespace lanescope::sass
