// The types of a buffer's elements. Tests: tests/unit/launch/element_test.cpp

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::launch {

enum class ElementType : uint8_t { U8, I8, U16, I16, F16, BF16, U32, I32, F32, U64, I64, F64, Bytes16 };

uint32_t size_bytes(ElementType type);
std::string_view name_of(ElementType type);
bool is_float(ElementType type);
/// None where no type has this name.
std::optional<ElementType> type_named(std::string_view name);

}  // namespace lanescope::launch
