// Types of a kernel's parameters, from the mangled name of a C++ kernel. Source: Itanium C++ ABI.
// Tests: tests/unit/driver/array_arguments_test.cpp

#pragma once

#include "launch/element_type.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::driver {

struct ParameterType {
  enum class Form : uint8_t { Value, Pointer } form = Form::Value;
  launch::ElementType element = launch::ElementType::U8;  // of the value, or of what is pointed to
  bool operator==(const ParameterType&) const = default;
};

/// [parameter] nullopt if the parameter is neither an ElementType nor a pointer to one. Empty if the name
/// lists no types.
std::vector<std::optional<ParameterType>> parameter_types(std::string_view entry);

}  // namespace lanescope::driver
