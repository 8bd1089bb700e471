#include "emulator/memory/spare_buffers.h"

#include <algorithm>
#include <utility>

namespace lanescope::emulator {

/// One of exactly this size; null if there is none.
std::unique_ptr<launch::Bytes> SpareBuffers::take(Kept& kept, size_t size_bytes) {
  const std::scoped_lock lock(kept.mutex);
  const auto found =
      std::ranges::find_if(kept.buffers, [&](const auto& buffer) { return buffer->size() == size_bytes; });
  if (found == kept.buffers.end()) return nullptr;
  std::unique_ptr<launch::Bytes> buffer = std::move(*found);
  kept.buffers.erase(found);
  kept.bytes -= size_bytes;
  return buffer;
}

/// The oldest make room for it.
void SpareBuffers::give_back(Kept& kept, std::unique_ptr<launch::Bytes> buffer) {
  const std::scoped_lock lock(kept.mutex);
  kept.bytes += buffer->size();
  kept.buffers.push_back(std::move(buffer));
  while (kept.bytes > kMostBytes) {
    kept.bytes -= kept.buffers.front()->size();
    kept.buffers.erase(kept.buffers.begin());
  }
}

std::shared_ptr<launch::Bytes> SpareBuffers::copy_of(const launch::Bytes& bytes) {
  std::unique_ptr<launch::Bytes> copy = take(*kept_, bytes.size());
  const Before before = copy ? Before::Anything : Before::Zeros;
  if (!copy) copy = std::make_unique<launch::Bytes>(bytes.size());
  copy_(copy->data(), bytes.data(), bytes.size(), before);
  return lent(std::move(copy));
}

std::shared_ptr<launch::Bytes> SpareBuffers::zeros(size_t size_bytes) {
  std::unique_ptr<launch::Bytes> buffer = take(*kept_, size_bytes);
  if (buffer) {
    copy_(buffer->data(), nullptr, size_bytes, Before::Anything);
  } else {
    buffer = std::make_unique<launch::Bytes>(size_bytes);
  }
  return lent(std::move(buffer));
}

/// It comes back when the last owner drops it.
std::shared_ptr<launch::Bytes> SpareBuffers::lent(std::unique_ptr<launch::Bytes> buffer) const {
  return {buffer.release(),
          [kept = kept_](launch::Bytes* one) { give_back(*kept, std::unique_ptr<launch::Bytes>(one)); }};
}

}  // namespace lanescope::emulator
