// The type of an expression of host code that is an argument of a launch, as far as the text says it: of a
// variable, an element, an address, a cast. Tests: tests/unit/compile/host_launches_test.cpp

#pragma once

#include "compile/host_values.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope::compile {

/// The type of "x", "list[0]", "&x[0]", "x + 8", "(float*)x" and "raw_pointer_cast(list.data())" at a place
/// of a file; of an array and a vector that of an element, and of a raw array as declared, so that "float*"
/// may be that of x[0]. Empty where the text does not say it.
std::string type_of_expression(const HostNames& names, std::string_view expression, size_t file, size_t at);

}  // namespace lanescope::compile
