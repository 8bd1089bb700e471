#include "emulator/memory/spare_buffers.h"

#include <utility>

namespace lanescope::emulator {

/// Takes a buffer of exactly this size, preferably one whose is_zeros equals `zeros`; none if there is none.
std::optional<SpareBuffers::Buffer> SpareBuffers::take(Kept& kept, size_t size_bytes, bool zeros) {
  const std::scoped_lock lock(kept.mutex);
  auto found = kept.buffers.end();
  for (auto at = kept.buffers.begin(); at != kept.buffers.end(); ++at)
    if (at->bytes->size() == size_bytes && (found == kept.buffers.end() || at->is_zeros == zeros)) found = at;
  if (found == kept.buffers.end()) return std::nullopt;
  Buffer buffer = std::move(*found);
  kept.buffers.erase(found);
  kept.bytes -= size_bytes;
  return buffer;
}

/// Keeps the buffer, and frees the oldest while there are more than kMostBytes.
void SpareBuffers::GiveBack::operator()(launch::Bytes* bytes) const {
  const std::scoped_lock lock(kept->mutex);
  kept->bytes += bytes->size();
  kept->buffers.push_back({std::unique_ptr<launch::Bytes>(bytes), is_zeros});
  while (kept->bytes > kMostBytes) {
    kept->bytes -= kept->buffers.front().bytes->size();
    kept->buffers.erase(kept->buffers.begin());
  }
}

std::shared_ptr<launch::Bytes> SpareBuffers::copy_of(const launch::Bytes& bytes) {
  std::optional<Buffer> spare = take(*kept_, bytes.size(), false);
  const bool is_zeros = !spare || spare->is_zeros;
  std::unique_ptr<launch::Bytes> copy =
      spare ? std::move(spare->bytes) : std::make_unique<launch::Bytes>(bytes.size());
  copy_(copy->data(), bytes.data(), bytes.size(), is_zeros ? Before::Zeros : Before::Anything);
  return lent(std::move(copy));
}

std::shared_ptr<launch::Bytes> SpareBuffers::zeros(size_t size_bytes) {
  std::optional<Buffer> spare = take(*kept_, size_bytes, true);
  if (!spare) return lent(std::make_unique<launch::Bytes>(size_bytes));
  if (!spare->is_zeros) copy_(spare->bytes->data(), nullptr, size_bytes, Before::Anything);
  return lent(std::move(spare->bytes));
}

void SpareBuffers::note_zeros(const std::shared_ptr<launch::Bytes>& buffer) {
  if (GiveBack* const give_back = std::get_deleter<GiveBack>(buffer)) give_back->is_zeros = true;
}

std::shared_ptr<launch::Bytes> SpareBuffers::lent(std::unique_ptr<launch::Bytes> bytes) const {
  return {bytes.release(), GiveBack{kept_}};
}

}  // namespace lanescope::emulator
