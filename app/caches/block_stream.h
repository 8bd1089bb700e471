// The global and local memory requests of one block, in the order of each warp: what the caches are modelled
// from. Tests: tests/unit/caches/stream_stage_test.cpp

#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "trace/access.h"
#include "trace/site.h"

#include <cstdint>
#include <vector>

namespace lanescope::caches {

/// Whether accesses of the space go through the caches that are modelled.
constexpr bool is_cached(trace::Space space) {
  return space == trace::Space::Global || space == trace::Space::Local;
}

/// One request of a warp, or its arrival at a barrier.
struct Request {
  // Address of lane 0; listed: index of the first address in BlockStream::list; barrier: number of the
  // meeting.
  uint64_t base = 0;
  int32_t stride = 0;
  int32_t row = 0;
  LaneMask lanes = {};  // none: a barrier
  uint16_t site = 0;
  uint8_t row_lanes = kLanes;
  bool listed = false;

  bool is_barrier() const { return !lanes.any(); }
};

struct BlockStream {
  CtaId cta;
  std::vector<std::vector<Request>> warps;  // [warp]
  std::vector<uint64_t> list;               // addresses of listed requests
};

/// Addresses of a request's lanes.
inline trace::AddressRef addresses_of(const BlockStream& block, const Request& request) {
  return {.base = request.base,
          .stride = request.stride,
          .list = request.listed ? block.list.data() + request.base : nullptr,
          .row = request.row,
          .row_lanes = request.row_lanes};
}

/// Adds an access of a warp to the block's requests.
void add_request(BlockStream& block, uint32_t warp, const trace::WarpAccess& access);

}  // namespace lanescope::caches
