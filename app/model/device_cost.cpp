#include "model/device_cost.h"

#include "model/bank_rules.h"
#include "model/cost.h"
#include "model/transactions.h"

#include <algorithm>
#include <vector>

namespace lanescope::model {
namespace {

using trace::Cost;
using trace::Kind;
using trace::Space;
using trace::WarpAccess;

/// Lanes whose accesses are served together (model/transactions.h).
int lanes_together(int compute_capability, uint32_t bytes) {
  if (compute_capability < 20) return kLanes / 2;
  return bytes >= 16 ? kLanes / 4 : bytes == 8 ? kLanes / 2 : kLanes;
}

/// The most bytes of one transaction of such an access; 0 where each lane needs its own.
uint32_t largest_segment(const WarpAccess& access, int compute_capability) {
  const uint32_t bytes = access.operation.bytes_per_lane;
  if (compute_capability < 12) return bytes < 4 ? 0 : std::min(16 * bytes, 128u);
  if (compute_capability < 20) return bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
  return access.operation.kind == Kind::Load ? 128 : 32;
}

/// The fewest transactions for the distinct addresses of each group of lanes.
uint32_t ideal_transactions(const WarpAccess& access, int compute_capability) {
  const uint32_t bytes = access.operation.bytes_per_lane,
                 segment = largest_segment(access, compute_capability);
  if (segment == 0) return static_cast<uint32_t>(access.active.count());
  const int group = lanes_together(compute_capability, bytes);
  std::vector<std::vector<uint64_t>> groups(static_cast<size_t>(kLanes / group));
  trace::for_each_address(access, [&](int, int lane, uint64_t address) {
    groups[static_cast<size_t>(lane / group)].push_back(address);
  });
  uint32_t ideal = 0;
  for (std::vector<uint64_t>& addresses : groups) {
    std::ranges::sort(addresses);
    const auto repeated = std::ranges::unique(addresses);
    const size_t distinct = addresses.size() - repeated.size();
    ideal += static_cast<uint32_t>((distinct * bytes + segment - 1) / segment);
  }
  return ideal;
}

}  // namespace

Cost device_cost(const WarpAccess& access, int compute_capability) {
  const Cost today = cost_of(access);
  if (units_of(compute_capability) == CostUnits::Sectors) return today;
  Cost cost{.lines = today.lines};
  if (access.operation.space == Space::Shared) {
    const SharedPasses passes = count_shared_passes(access, compute_capability);
    cost.wavefronts = static_cast<uint16_t>(passes.passes);
    cost.ideal_wavefronts = static_cast<uint16_t>(passes.ideal);
  } else if (access.operation.space == Space::Global && access.active.any()) {
    cost.sectors = static_cast<uint16_t>(transactions_of(access, compute_capability).all().size());
    cost.ideal_sectors = static_cast<uint16_t>(ideal_transactions(access, compute_capability));
  } else if (access.operation.space == Space::Local) {
    cost.sectors = today.lines;
    cost.ideal_sectors = static_cast<uint16_t>((today.ideal_sectors + 3) / 4);
  }
  return cost;
}

SectorReport device_sectors(const WarpAccess& access, int compute_capability) {
  SectorReport report = count_sectors(access);
  if (units_of(compute_capability) == CostUnits::Sectors) return report;
  const Cost cost = device_cost(access, compute_capability);
  report.compute_capability = compute_capability;
  if (access.operation.space == Space::Global) {
    const auto transactions = transactions_of(access, compute_capability);
    for (const Transaction& one : transactions.all()) report.segments.push_back({one.address, one.bytes});
  } else {
    for (const SectorUse& use : report.used)
      if (const uint64_t line = use.address / kLineBytes * kLineBytes;
          report.segments.empty() || report.segments.back().address != line)
        report.segments.push_back({line, kLineBytes});
  }
  // What a transaction transfers in addition to the useful sectors.
  for (const Segment& segment : report.segments)
    for (uint64_t at = segment.address; at < segment.address + segment.bytes; at += kSectorBytes) {
      const auto place = std::ranges::lower_bound(report.used, at, {}, &SectorUse::address);
      if (place == report.used.end() || place->address != at) report.used.insert(place, {at, {}, 0});
    }
  report.sectors = cost.sectors;
  report.ideal_sectors = cost.ideal_sectors;
  return report;
}

}  // namespace lanescope::model
