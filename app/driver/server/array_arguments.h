// Arrays among the parameters of a Numba kernel. Numba passes an array as seven or more parameters: two null
// pointers, the number of elements, their size, the address, and a shape and a stride for each dimension. The
// kernel's mangled name lists the types of the parameters; other compilers give only their sizes.
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

/// `entry`: the kernel's name in the PTX. `parameters`: the parameter bytes of the launch. `offsets`: where
/// each parameter begins. Empty if Numba did not make the kernel; ends before a type that is not understood.
std::vector<ArrayArgument> numba_arrays(std::string_view entry, std::span<const std::byte> parameters,
                                        std::span<const uint32_t> offsets);

}  // namespace lanescope::driver
