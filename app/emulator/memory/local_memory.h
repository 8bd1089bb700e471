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
  /// Allows each thread its bytes from `first` to the last.
  void use_from(uint64_t first) { stack_ = first < stack_ ? first : stack_; }
  /// End of the memory of a thread: of its frames, or of what alloca gave, which is at the end of all.
  uint64_t end() const { return stack_ == pitch_ ? end_of_frames() : pitch_; }
  /// True if a thread may access `bytes` at `offset`: in the frames, or in what alloca gave to any thread of
  /// the block so far.
  bool allows(uint64_t offset, uint64_t bytes) const {
    const uint64_t end = offset < stack_ ? end_of_frames() : pitch_;
    return offset < end && bytes <= end - offset;
  }

  std::byte* data() { return bytes_.get(); }
  size_t size() const { return static_cast<size_t>(threads_ * pitch_); }

 private:
  uint64_t end_of_frames() const { return used_ > frames_ ? used_ : frames_; }

  uint64_t threads_;
  uint64_t pitch_;
  uint64_t frames_;
  uint64_t used_ = 0;
  uint64_t stack_;  // the lowest byte that alloca gave; the pitch: it gave none
  std::unique_ptr<std::byte[], FreeZeroed> bytes_;  // [thread][byte]
};

}  // namespace lanescope::emulator
