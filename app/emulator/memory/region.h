// Memory of a run in this process. A run usually has memory for itself; a run in place works on memory that
// outlives it, as that of a program whose launches follow one another (app/driver). Tests:
// tests/unit/emulator/memory_in_place_test.cpp

#pragma once

#include "emulator/memory/image.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::emulator {

class Heap;

/// Bytes that may be accessed at offsets [0, size).
struct Region {
  std::byte* data = nullptr;
  uint64_t size_bytes = 0;
};

/// Pattern of a buffer that may be uninitialized (fresh_memory.h).
struct FreshBuffer {
  uint32_t key = 0;  // of its pattern; 0: all of it counts as initialized
  /// [page] not 0 if the page holds the pattern where it is uninitialized. Null: all pages do.
  const std::atomic<uint8_t>* pages = nullptr;
};

/// Memory of the program that the kernel cannot access.
struct AbsentBuffer {
  uint64_t size_bytes = 0;
  std::string why;  // "were freed after launch 1; free them after their last use": the bytes
};

/// Memory in place of the contents of a launch's buffers: it is read and written where it is.
struct MemoryInPlace {
  std::vector<Region>
      buffers;  // [buffer of the launch]; of size 0 where there is none. Empty: their contents
  bool has_buffers() const { return !buffers.empty(); }
  /// Variables in global memory that are one of the buffers, by their name in the PTX. They are not
  /// initialized again.
  std::vector<std::pair<std::string, uint32_t>> variables = {};
  /// [number of the handle] texture and surface objects; one without texels has been destroyed.
  std::vector<Image> images = {};
  /// [buffer] whether the kernel writes there, as the caller presumes and finds out after the run: another
  /// buffer is not checked for races. Empty: all that a parameter leads to.
  std::vector<bool> written = {};
  /// Heap of malloc in kernels, in one of the buffers; null: each run that needs a heap has its own.
  Heap* heap = nullptr;
  /// [buffer] pattern of a buffer that may be uninitialized; empty: no buffer is.
  std::vector<FreshBuffer> fresh = {};
  /// [buffer of size 0] what is not there; for messages.
  std::map<uint32_t, AbsentBuffer> absent = {};
  /// False if no data were put there before the kernels: the values that they read then do not matter.
  bool has_inputs = true;
  /// Gives a page of a buffer its pattern, if nothing has written it.
  std::function<void(uint32_t buffer, uint64_t page)> give_pattern = {};
  /// Restores the memory as it was before the run, to repeat the run; empty: written values stay.
  std::function<void()> restore = {};
};

}  // namespace lanescope::emulator
