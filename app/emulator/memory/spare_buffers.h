// Memory of buffers that runs have written and nobody looks at any more, for the next runs: the system clears
// fresh pages one by one, which takes longer than running a small kernel. Tests:
// tests/unit/emulator/memory_test.cpp

#pragma once

#include "launch/bytes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// May be used by several threads. What it gave away may outlive it.
class SpareBuffers {
 public:
  /// What is kept for later, in all.
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

  /// What `to` was before it is copied to. Zeros need not be copied to zeros, which may then take no memory.
  enum class Before : uint8_t { Anything, Zeros };
  /// `from`: null for zeros.
  using Copy = std::function<void(std::byte* to, const std::byte* from, size_t size_bytes, Before before)>;

  /// `copy`: on several threads it takes less time.
  explicit SpareBuffers(Copy copy) : copy_(std::move(copy)) {}

  /// A copy, in memory that comes back when the last owner drops it.
  std::shared_ptr<launch::Bytes> copy_of(const launch::Bytes& bytes);
  /// Zeros, in such memory.
  std::shared_ptr<launch::Bytes> zeros(size_t size_bytes);
  /// Zeros that were given away have stayed zeros: they need not be cleared. `buffer` may be null.
  static void note_zeros(const std::shared_ptr<launch::Bytes>& buffer);

 private:
  struct Buffer {
    std::unique_ptr<launch::Bytes> bytes;
    bool is_zeros = false;
  };
  struct Kept {
    std::mutex mutex;
    std::vector<Buffer> buffers;
    uint64_t bytes = 0;
  };
  /// Deletes what was given away: it comes back.
  struct GiveBack {
    std::shared_ptr<Kept> kept;
    bool is_zeros = false;
    void operator()(launch::Bytes* bytes) const;
  };
  static std::optional<Buffer> take(Kept& kept, size_t size_bytes, bool zeros);
  std::shared_ptr<launch::Bytes> lent(std::unique_ptr<launch::Bytes> bytes) const;

  Copy copy_;
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
};

}  // namespace lanescope::emulator
