// Memory of one block on the CPU: the aligned bytes of its registers, and the local memory of its threads.
// Tests: tests/unit/emulator/stack_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace lanescope::emulator {

struct FreeAligned {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;
/// Zeroed bytes, aligned to a cache line.
AlignedBytes aligned_bytes(size_t size);

struct FreeZeroed {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
/// Local memory of a block's threads: pages that no thread touches cost nothing.
class LocalMemory {
 public:
  /// `frames`: bytes of a thread that the frames of its functions take.
  LocalMemory(uint64_t threads, uint64_t bytes_of_thread, uint64_t frames);

  /// Zeroes what was used.
  void clear();
  /// Allows each thread its first `bytes`.
  void use(uint64_t bytes) { used_ = bytes > used_ ? bytes : used_; }
  /// Bytes, from its first on, that a thread may access: the frames, and as much after them as alloca gave to
  /// any thread of the block so far.
  uint64_t limit() const { return used_ > frames_ ? used_ : frames_; }

  std::byte* data() { return bytes_.get(); }
  size_t size() const { return static_cast<size_t>(threads_ * pitch_); }

 private:
  uint64_t threads_;
  uint64_t pitch_;
  uint64_t frames_;
  uint64_t used_ = 0;
  std::unique_ptr<std::byte[], FreeZeroed> bytes_;  // [thread][byte]
};

}  // namespace lanescope::emulator
