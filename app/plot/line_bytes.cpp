#include "plot/line_bytes.h"

#include <algorithm>
#include <bit>

namespace lanescope::plot {
namespace {

using Owners = std::array<LaneMask, model::kLineBytes>;

uint64_t address_of_byte(const trace::WarpAccess& access, int lane, uint64_t address) {
  return access.operation.space == trace::Space::Local ? model::interleaved_address(lane, address) : address;
}

std::vector<ByteRun> runs_of(const Owners& owners) {
  std::vector<ByteRun> runs;
  for (uint32_t byte = 0; byte < model::kLineBytes; ++byte) {
    if (!owners[byte].any()) continue;
    const bool continues =
        !runs.empty() && runs.back().first + runs.back().count == byte && runs.back().lanes == owners[byte];
    if (continues) {
      ++runs.back().count;
    } else {
      runs.push_back({byte, 1, owners[byte]});
    }
  }
  return runs;
}

}  // namespace

uint32_t LineBytes::bytes_moved() const {
  return static_cast<uint32_t>(std::ranges::count(moved, true)) * model::kSectorBytes;
}

uint32_t LineBytes::bytes_wanted() const {
  uint32_t sum = 0;
  for (const uint32_t bytes : wanted) sum += bytes;
  return sum;
}

std::vector<LineBytes> lines_of(const trace::WarpAccess& access, const model::SectorReport& report) {
  std::vector<LineBytes> lines;
  for (const model::SectorUse& use : report.used) {
    const uint64_t address = use.address / model::kLineBytes * model::kLineBytes;
    if (lines.empty() || lines.back().address != address) {
      lines.push_back({});
      lines.back().address = address;
    }
    const auto sector = static_cast<size_t>((use.address - address) / model::kSectorBytes);
    lines.back().moved[sector] = true;
    lines.back().wanted[sector] = static_cast<uint32_t>(std::popcount(use.bytes));
    lines.back().lanes[sector] = use.lanes;
  }

  std::vector<Owners> owners(lines.size());
  trace::for_each_address(access, [&](int, int lane, uint64_t start) {
    for (uint64_t byte = 0; byte < access.operation.bytes_per_lane; ++byte) {
      const uint64_t address = address_of_byte(access, lane, start + byte);
      const uint64_t line_address = address / model::kLineBytes * model::kLineBytes;
      const auto line = std::ranges::lower_bound(lines, line_address, {}, &LineBytes::address);
      if (line == lines.end() || line->address != line_address) continue;
      owners[static_cast<size_t>(line - lines.begin())][address % model::kLineBytes].bits |= 1u << lane;
    }
  });
  for (size_t n = 0; n < lines.size(); ++n) lines[n].runs = runs_of(owners[n]);
  return lines;
}

}  // namespace lanescope::plot
