// The distinct sectors of a global access, as runs of consecutive sectors: for models that need the sectors
// and not only their number. Method: as in sector_cost.cpp, closed forms first; a list of addresses that does
// not rise is left to count_sectors. Tests: tests/unit/model/partitions_test.cpp

#pragma once

#include "model/sectors.h"
#include "trace/access.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace lanescope::model {

/// Calls f(first, count) with runs of whole sectors, numbered by address / 32. Every sector of the access is
/// in exactly one run.
template <class F>
void for_each_sector_run(const trace::WarpAccess& access, F&& f) {
  const uint64_t bytes = access.operation.bytes_per_lane;
  const uint32_t run = access.active.bits >> std::countr_zero(access.active.bits);
  const bool side_by_side = (run & (run + 1)) == 0;
  if (access.addresses.affine() && side_by_side) {
    const int64_t stride = access.addresses.stride;
    const int lowest =
        stride >= 0 ? std::countr_zero(access.active.bits) : 31 - std::countl_zero(access.active.bits);
    const auto step = static_cast<uint64_t>(std::abs(stride));
    uint64_t address = access.addresses.at(0, lowest);
    int lanes = access.active.count();
    if (step < bytes + kSectorBytes) {  // no gap can skip a sector
      const uint64_t last = address + step * static_cast<uint64_t>(lanes - 1) + bytes - 1;
      f(address / kSectorBytes, last / kSectorBytes - address / kSectorBytes + 1);
      return;
    }
    for (; lanes != 0; --lanes, address += step) {  // no two lanes share a sector
      f(address / kSectorBytes, (address + bytes - 1) / kSectorBytes - address / kSectorBytes + 1);
    }
    return;
  }
  // Runs of a rising sequence, held back until the next lane begins after them.
  uint64_t first = 0;
  uint64_t end = 0;
  bool rising = true;
  trace::for_each_address(access, [&](int, int, uint64_t address) {
    rising = rising && address >= std::exchange(first, address);
  });
  if (!rising) {
    for (const SectorUse& sector : count_sectors(access).used) f(sector.address / kSectorBytes, uint64_t{1});
    return;
  }
  first = 0;
  trace::for_each_address(access, [&](int, int, uint64_t address) {
    const uint64_t begin = address / kSectorBytes;
    if (begin > end) {
      if (end != first) f(first, end - first);
      first = begin;
    }
    end = std::max(end, (address + bytes - 1) / kSectorBytes + 1);
  });
  if (end != first) f(first, end - first);
}

}  // namespace lanescope::model
