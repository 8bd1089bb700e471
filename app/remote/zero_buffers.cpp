#include "remote/zero_buffers.h"

#include "launch/argument_spec.h"

#include <fmt/format.h>

namespace lanescope::remote {

Result<launch::Contents> ZeroBuffers::contents_of(const launch::Buffer& buffer) {
  constexpr uint64_t kMaximumBytes = launch::kMaximumBufferBytes;
  uint64_t bytes = launch::size_bytes(buffer.type);
  bool fits = true;
  for (const uint64_t extent : buffer.shape) fits &= !__builtin_mul_overflow(bytes, extent, &bytes);
  if (!fits || bytes > launch::kMaximumBufferBytes)
    return fail(ErrorKind::Limit, fmt::format("a buffer has at most {} bytes, '{}' has more",
                                              launch::kMaximumBufferBytes, buffer.name));
  if (const auto kept = by_size_.find(bytes); kept != by_size_.end()) return kept->second;
  if (bytes_ + bytes > kMaximumBytes) {
    by_size_.clear();
    bytes_ = 0;
  }
  bytes_ += bytes;
  return by_size_[bytes] = std::make_shared<const std::vector<std::byte>>(bytes);
}

}  // namespace lanescope::remote
