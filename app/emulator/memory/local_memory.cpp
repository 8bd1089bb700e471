#include "emulator/memory/local_memory.h"

#include "base/memory_size.h"

#include <cstring>

namespace lanescope::emulator {

AlignedBytes aligned_bytes(size_t size) {
  auto* bytes = static_cast<std::byte*>(::operator new[](size, std::align_val_t{64}));
  std::memset(bytes, 0, size);
  return AlignedBytes(bytes);
}

LocalMemory::LocalMemory(uint64_t threads, uint64_t bytes_of_thread, uint64_t frames)
    : threads_(threads),
      pitch_(bytes_of_thread),
      frames_(frames),
      stack_(bytes_of_thread),
      bytes_(static_cast<std::byte*>(std::calloc(memory_size(threads * bytes_of_thread + 1), 1))) {
  if (bytes_ == nullptr) throw std::bad_alloc();
}

void LocalMemory::clear() {
  if (used_ >= stack_) {
    std::memset(bytes_.get(), 0, size());
  } else {
    for (uint64_t thread = 0; thread < threads_; ++thread) {
      std::byte* const of_thread = bytes_.get() + thread * pitch_;
      std::memset(of_thread, 0, static_cast<size_t>(used_));
      std::memset(of_thread + stack_, 0, static_cast<size_t>(pitch_ - stack_));
    }
  }
  used_ = 0;
  stack_ = pitch_;
}

}  // namespace lanescope::emulator
