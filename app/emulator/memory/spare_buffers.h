// Memory of buffers that runs have written and no longer use, for the next runs: the system clears fresh
// pages one by one, which takes longer than running a small kernel. Tests:
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

/// May be used by several threads. The buffers that it gave away may outlive it.
class SpareBuffers {
 public:
  /// Most bytes that are kept for later, in all.
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

  /// Content of `to` before the copy. Zeros need not be copied to zeros: untouched pages take no memory.
  enum class Before : uint8_t { Anything, Zeros };
  /// `from`: null for zeros.
  using Copy = std::function<void(std::byte* to, const std::byte* from, size_t size_bytes, Before before)>;

  /// `copy`: copies bytes, perhaps on several threads.
  explicit SpareBuffers(Copy copy) : copy_(std::move(copy)) {}

  /// A copy, in memory that comes back when the last owner drops it.
  std::shared_ptr<launch::Bytes> copy_of(const launch::Bytes& bytes);
  /// Zeros, in memory that comes back when the last owner drops it.
  std::shared_ptr<launch::Bytes> zeros(size_t size_bytes);
  /// Notes that a buffer that was given away holds zeros, and need not be cleared. `buffer` may be null.
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
  /// Deleter of a buffer that was given away: keeps its memory for later.
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
