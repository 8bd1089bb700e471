// The readable count of sectors, with the detail for figures; sector_cost.cpp is the fast one.

#include "model/sectors.h"

#include <algorithm>
#include <bit>
#include <map>

namespace lanescope::model {
namespace {

/// Calls f(lane, address, bytes) for each run of bytes of a lane within one sector.
template <class F>
void for_each_piece(const trace::WarpAccess& access, F&& f) {
  const bool local = access.operation.space == trace::Space::Local;
  trace::for_each_address(access, [&](int, int lane, uint64_t address) {
    for (uint32_t done = 0; done < access.operation.bytes_per_lane;) {
      const uint64_t at = address + done;
      // A word of local memory is the largest contiguous piece.
      const uint32_t unit = local ? kLocalWordBytes : kSectorBytes;
      const uint32_t bytes =
          std::min<uint32_t>(access.operation.bytes_per_lane - done, unit - static_cast<uint32_t>(at % unit));
      f(lane, local ? interleaved_address(lane, at) : at, bytes);
      done += bytes;
    }
  });
}

}  // namespace

SectorReport count_sectors(const trace::WarpAccess& access) {
  const trace::Space space = access.operation.space;
  if (space == trace::Space::Constant || space == trace::Space::Shared || !has_addresses(space)) return {};
  std::map<uint64_t, SectorUse> used;
  for_each_piece(access, [&](int lane, uint64_t address, uint32_t bytes) {
    const uint64_t offset = address % kSectorBytes;
    SectorUse& sector = used[address - offset];
    sector.address = address - offset;
    sector.lanes.bits |= uint32_t{1} << lane;
    sector.bytes |= static_cast<uint32_t>(((uint64_t{1} << bytes) - 1) << offset);
  });

  SectorReport report;
  uint64_t last_line = ~uint64_t{0};
  for (const auto& [address, sector] : used) {
    report.used.push_back(sector);
    report.bytes_wanted += static_cast<uint32_t>(std::popcount(sector.bytes));
    if (address / kLineBytes != last_line) ++report.lines;
    last_line = address / kLineBytes;
  }
  report.sectors = static_cast<uint16_t>(report.used.size());
  report.ideal_sectors = static_cast<uint16_t>((report.bytes_wanted + kSectorBytes - 1) / kSectorBytes);
  return report;
}

}  // namespace lanescope::model
