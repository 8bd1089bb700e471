// Memory of buffers that runs have written and nobody looks at any more, for the next runs: the system clears
// fresh pages one by one, which takes longer than running a small kernel. Tests:
// tests/unit/emulator/memory_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// May be used by several threads. What it gave away may outlive it.
class SpareBuffers {
 public:
  /// What is kept for later, in all.
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

  /// Touches pages that nothing is in yet, so that the system clears them.
  using Touch = std::function<void(std::byte* begin, size_t size_bytes)>;

  /// `touch`, if there is one, is called for fresh memory before it is filled: on several threads it takes
  /// less time.
  explicit SpareBuffers(Touch touch = {}) : touch_(std::move(touch)) {}

  /// A copy, in memory that comes back when the last owner drops it.
  std::shared_ptr<std::vector<std::byte>> copy_of(const std::vector<std::byte>& bytes);

 private:
  struct Kept {
    std::mutex mutex;
    std::vector<std::unique_ptr<std::vector<std::byte>>> buffers;
    uint64_t bytes = 0;
  };
  static std::unique_ptr<std::vector<std::byte>> take(Kept& kept, size_t size_bytes);
  static void give_back(Kept& kept, std::unique_ptr<std::vector<std::byte>> buffer);

  Touch touch_;
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

}  // namespace lanescope::emulator
