// The names of a CUDA source for the symbols of its PTX, which are mangled. Source: Itanium C++ ABI,
// "Mangling". Tests: tests/unit/base/source_name_test.cpp

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// "transpose" for the function "_Z9transposePKfPf", and for "transpose". Of a kernel that Numba compiled the
/// Python function's name.
std::string source_name_of(std::string_view function);

/// "add(float const*, int)" for "_Z3addPKfi"; other names as they are.
std::string signature_of(std::string_view function);

/// "float const*" and "int" for "_Z3addPKfi", with the arguments of templates in place; nothing for a name
/// that is not mangled.
std::vector<std::string> parameter_types_of(std::string_view function);

/// "tile" for "_ZZ6kernelPfE4tile", which is a variable of a function; "a::counter" for "_ZN1a7counterE";
/// other names as they are.
std::string variable_name_of(std::string_view variable);

}  // namespace lanescope
