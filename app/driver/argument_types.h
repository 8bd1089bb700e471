// What the pointers among a kernel's parameters point to, from its mangled name, which lists the types of a
// C++ kernel's parameters. Source: Itanium C++ ABI. Tests: tests/unit/driver/array_arguments_test.cpp

#pragma once

#include "launch/element_type.h"

#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// [parameter] the elements of an array; none where it is no pointer to one of these types. Empty where the
/// name does not say.
std::vector<std::optional<launch::ElementType>> pointed_to_by_parameters(std::string_view entry);

}  // namespace lanescope::driver
