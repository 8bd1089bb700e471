// Arrays and numbers among a kernel's parameters. Numba passes an array as seven or more of them: two
// pointers that are null, the number of elements, their size, the address, and a shape and a stride for each
// dimension; what a parameter is stands in the kernel's mangled name. Other compilers say only sizes.
// Source: Numba's documentation, "CUDA ABI"; the names that Numba 0.68 writes. Tests:
// tests/unit/driver/array_arguments_test.cpp

#pragma once

#include "launch/element_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

struct ArrayArgument {
  uint32_t number = 0;  // among the arguments of the source, from 0
  uint64_t address = 0;
  launch::ElementType type = launch::ElementType::U8;
  std::vector<uint64_t> shape;  // slowest first
};

/// `entry`: the kernel's name in the PTX; `parameters`: the bytes of the launch, `offsets` where each of them
/// begins. Empty where the kernel is not Numba's or its parameters are not what the name says.
std::vector<ArrayArgument> numba_arrays(std::string_view entry, std::span<const std::byte> parameters,
                                        std::span<const uint32_t> offsets);

}  // namespace lanescope::driver
