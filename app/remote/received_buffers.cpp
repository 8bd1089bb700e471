#include "remote/received_buffers.h"

#include "launch/contents.h"

#include <fmt/format.h>

namespace lanescope::remote {

Result<launch::Contents> ReceivedBuffers::zeros_of(const launch::Buffer& buffer) {
  constexpr uint64_t kMaximumBytes = launch::kMaximumBufferBytes;
  uint64_t bytes = launch::size_bytes(buffer.type);
  bool fits = true;
  for (const uint64_t extent : buffer.shape) fits &= !__builtin_mul_overflow(bytes, extent, &bytes);
  if (!fits || bytes > launch::kMaximumBufferBytes)
    return fail(ErrorKind::Limit, fmt::format("a buffer has at most {} bytes, '{}' has more",
                                              launch::kMaximumBufferBytes, buffer.name));
  if (const auto known = zeros_.find(bytes); known != zeros_.end()) return known->second;
  if (zero_bytes_ + bytes > kMaximumBytes) {
    zeros_.clear();
    zero_bytes_ = 0;
  }
  zero_bytes_ += bytes;
  return zeros_[bytes] = std::make_shared<const launch::Bytes>(bytes);
}

Result<launch::Contents> ReceivedBuffers::kept(uint64_t number) const {
  if (const auto found = kept_.find(number); found != kept_.end()) return found->second;
  return fail(ErrorKind::Syntax,
              fmt::format("contents {} of a buffer were mentioned and never sent", number));
}

}  // namespace lanescope::remote
