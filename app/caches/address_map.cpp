#include "caches/address_map.h"

namespace lanescope::caches {

AddressMap::AddressMap(const std::vector<trace::BufferInfo>& buffers) {
  constexpr uint64_t kLargeBytes = uint64_t{1} << 20;
  constexpr uint64_t kLargePiece = uint64_t{2} << 20;
  constexpr uint64_t kSmallPiece = 512;
  const auto rounded_up = [](uint64_t number, uint64_t piece) {
    return (number + piece - 1) / piece * piece;
  };
  for (const trace::BufferInfo& buffer : buffers) {
    const uint64_t piece = buffer.size_bytes >= kLargeBytes ? kLargePiece : kSmallPiece;
    end_ = rounded_up(end_, piece);
    starts_.push_back(end_);
    end_ += rounded_up(buffer.size_bytes, piece);
  }
  end_ = rounded_up(end_, kLargePiece);
}

}  // namespace lanescope::caches
