#include "emulator/memory/spare_buffers.h"

#include "launch/large_pages.h"

#include <algorithm>
#include <utility>

namespace lanescope::emulator {

/// One of exactly this size; null if there is none.
std::unique_ptr<std::vector<std::byte>> SpareBuffers::take(Kept& kept, size_t size_bytes) {
  const std::scoped_lock lock(kept.mutex);
  const auto found =
      std::ranges::find_if(kept.buffers, [&](const auto& buffer) { return buffer->size() == size_bytes; });
  if (found == kept.buffers.end()) return nullptr;
  std::unique_ptr<std::vector<std::byte>> buffer = std::move(*found);
  kept.buffers.erase(found);
  kept.bytes -= size_bytes;
  return buffer;
}

/// The oldest make room for it.
void SpareBuffers::give_back(Kept& kept, std::unique_ptr<std::vector<std::byte>> buffer) {
  const std::scoped_lock lock(kept.mutex);
  kept.bytes += buffer->size();
  kept.buffers.push_back(std::move(buffer));
  while (kept.bytes > kMostBytes) {
    kept.bytes -= kept.buffers.front()->size();
    kept.buffers.erase(kept.buffers.begin());
  }
}

std::shared_ptr<std::vector<std::byte>> SpareBuffers::copy_of(const std::vector<std::byte>& bytes) {
  std::unique_ptr<std::vector<std::byte>> copy = take(*kept_, bytes.size());
  if (!copy) {
    copy = std::make_unique<std::vector<std::byte>>(launch::room_for(bytes.size()));
    if (touch_) touch_(copy->data(), copy->capacity());
  }
  copy->assign(bytes.begin(), bytes.end());
  return {copy.release(), [kept = kept_](std::vector<std::byte>* buffer) {
            give_back(*kept, std::unique_ptr<std::vector<std::byte>>(buffer));
          }};
}

}  // namespace lanescope::emulator
