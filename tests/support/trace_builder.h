// Builds a Trace by hand: buffers, sites, then blocks with their accesses. Totals are counted with
// model::cost_of, as a run would.

#pragma once

#include "model/cost.h"
#include "trace/trace.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lanescope::tests {

class TraceBuilder {
 public:
  TraceBuilder(Dim3 grid, Dim3 block, uint32_t shared_bytes = 0) {
    trace_.kernel = "built_by_hand";
    trace_.grid = grid;
    trace_.block = block;
    trace_.shared_bytes = shared_bytes;
  }

  /// Number of the new buffer. `columns` 0 makes it one without rows.
  uint32_t buffer(std::string name, uint64_t rows, uint64_t columns, uint32_t element_bytes = 4) {
    trace_.buffers.push_back(
        {std::move(name), rows * std::max<uint64_t>(1, columns) * element_bytes, element_bytes, columns});
    return static_cast<uint32_t>(trace_.buffers.size() - 1);
  }

  SiteId site(trace::Operation operation, int line = 0, std::string source_text = "") {
    const SiteId id{static_cast<uint32_t>(trace_.sites.size())};
    trace::Site site;
    site.id = id;
    site.operation = operation;
    site.source = {"by_hand.cu", line};
    site.source_text = std::move(source_text);
    trace_.sites.push_back(site);
    trace_.totals.emplace_back();
    return id;
  }

  /// The accesses that follow belong to this block. Blocks come in rising order.
  void block(CtaId cta) {
    trace_.blocks.emplace_back();
    trace_.blocks.back().cta = cta;
  }

  void affine(SiteId site, WarpId warp, uint64_t base, int64_t stride, LaneMask active = kAllLanes) {
    trace::StoredAccess stored = next(site, warp, active);
    stored.base = base;
    stored.stride = static_cast<int32_t>(stride);
    add(stored);
  }

  /// `address_of(lane)` for each active lane.
  template <class F>
  void listed(SiteId site, WarpId warp, F&& address_of, LaneMask active = kAllLanes) {
    trace::StoredBlock& block = trace_.blocks.back();
    trace::StoredAccess stored = next(site, warp, active);
    stored.affine = false;
    stored.base = block.list.size();
    for_each_lane(active, [&](int lane) { block.list.push_back(address_of(lane)); });
    add(stored);
  }

  trace::Trace take() {
    for (trace::StoredBlock& block : trace_.blocks) {
      std::ranges::sort(block.accesses,
                        [](const trace::StoredAccess& left, const trace::StoredAccess& right) {
                          return std::pair(left.warp, left.step) < std::pair(right.warp, right.step);
                        });
    }
    return std::move(trace_);
  }

 private:
  trace::StoredAccess next(SiteId site, WarpId warp, LaneMask active) const {
    trace::StoredAccess stored;
    stored.site = site;
    stored.warp = warp;
    stored.active = active;
    stored.step = static_cast<uint32_t>(
        std::ranges::count(trace_.blocks.back().accesses, warp, &trace::StoredAccess::warp));
    return stored;
  }
  void add(const trace::StoredAccess& stored) {
    trace::StoredBlock& block = trace_.blocks.back();
    block.accesses.push_back(stored);
    const trace::WarpAccess access = view(trace_, block, stored);
    trace_.totals[stored.site.value].add(access, model::cost_of(access));
  }

  trace::Trace trace_;
};

}  // namespace lanescope::tests
