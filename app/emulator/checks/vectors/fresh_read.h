// Quick test for reads of uninitialized memory of a program (memory/fresh_memory.h). Compiled once per
// instruction set (vectors.h). Tests: tests/unit/emulator/fresh_memory_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "emulator/checks/checker.h"
#include "emulator/values/vectors.h"

#include <cstddef>
#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// True if one of the lanes may read uninitialized bytes; Checker::check() then examines the access.
/// `address_of(lane)` is in a buffer whose content shows uninitialized memory (Watch::Fresh).
template <class F>
[[gnu::noinline]] bool may_be_unwritten(const Checker& checker, uint32_t mask, F&& address_of) {
  const Memory& memory = checker.memory();
  uint32_t looks_so = 0;
  for_each_lane({mask}, [&](int lane) {
    const uint64_t address = address_of(lane);
    memory.look_at_page(address);
    uint32_t word = 0;  // if the whole access is uninitialized, so is its first word
    const std::byte* const data = memory.buffers()[trace::buffer_of(address)].data;
    __builtin_memcpy(&word, data + trace::offset_of(address) / sizeof word * sizeof word, sizeof word);
    looks_so |= looks_fresh(word) ? 1u : 0u;
  });
  return looks_so != 0;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
