#include "caches/block_stream.h"

#include <limits>

namespace lanescope::caches {
namespace {

bool fits(int64_t number) {
  return number >= std::numeric_limits<int32_t>::min() && number <= std::numeric_limits<int32_t>::max();
}

}  // namespace

void add_request(BlockStream& block, uint32_t warp, const trace::WarpAccess& access) {
  const trace::AddressRef& addresses = access.addresses;
  Request request{.base = addresses.base,
                  .stride = static_cast<int32_t>(addresses.stride),
                  .row = static_cast<int32_t>(addresses.row),
                  .lanes = access.active,
                  .site = static_cast<uint16_t>(access.site.value),
                  .row_lanes = static_cast<uint8_t>(addresses.row_lanes)};
  if (addresses.listed() || !fits(addresses.stride) || !fits(addresses.row)) {
    request.listed = true;
    request.base = block.list.size();
    for_each_address(access, [&](int, int, uint64_t address) { block.list.push_back(address); });
  }
  block.warps[warp].push_back(request);
}

}  // namespace lanescope::caches
