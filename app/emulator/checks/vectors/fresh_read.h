// Quick test for reads of uninitialized memory of a program (memory/fresh_memory.h). Compiled once per
// instruction set (vectors.h). Tests: tests/unit/emulator/fresh_memory_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "emulator/checks/checker.h"
#include "emulator/values/vectors.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// True if no lane reads uninitialized bytes. False if one may do so: Checker::check() then examines the
/// access. `address_of(lane)` is in a buffer for which shows_fresh().
template <class F>
[[gnu::noinline]] bool reads_written(Checker& checker, uint32_t mask, F&& address_of) {
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
  if (looks_so != 0) return false;
  checker.global().note_written_reads(address_of(std::countr_zero(mask)),
                                      static_cast<uint32_t>(std::popcount(mask)));
  return true;
}

/// Like reads_written(), for all lanes, whose `bytes` each lie side by side from `first` on.
[[gnu::noinline]] inline bool reads_written_row(Checker& checker, uint64_t first, uint32_t bytes) {
  const Memory& memory = checker.memory();
  const uint64_t offset = trace::offset_of(first), size = uint64_t{kLanes} * bytes;
  memory.look_at_page(first);
  memory.look_at_page(first + size - 1);  // no row is longer than a page
  const std::byte* const data = memory.buffers()[trace::buffer_of(first)].data;
  uint32_t looks_so = 0;
  for (uint64_t at = offset / sizeof(uint32_t) * sizeof(uint32_t); at < offset + size;
       at += sizeof(uint32_t)) {
    uint32_t word = 0;
    __builtin_memcpy(&word, data + at, sizeof word);
    looks_so |= looks_fresh(word) ? 1u : 0u;
  }
  if (looks_so != 0) return false;
  checker.global().note_written_reads(first, kLanes);
  return true;
}

/// Like reads_written(), for all lanes, whose addresses are `stride` apart from `first` on.
inline bool reads_written(Checker& checker, uint64_t first, int64_t stride, uint32_t bytes) {
  if (stride == bytes) return reads_written_row(checker, first, bytes);
  return reads_written(checker, kAllLanes.bits,
                       [&](int lane) { return first + static_cast<uint64_t>(stride * lane); });
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
