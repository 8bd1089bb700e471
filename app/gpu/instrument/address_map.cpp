#include "gpu/instrument/address_map.h"

#include "trace/access.h"

#include <algorithm>

namespace lanescope::gpu {
AddressMap::AddressMap(const ptx::Program& program, const launch::Launch& launch,
                       std::span<const uint64_t> buffer_addresses, std::span<const uint32_t> variables,
                       std::span<const uint64_t> variable_addresses) {
  const auto add = [&](trace::Space space, uint64_t begin, uint64_t bytes, uint64_t to) {
    ranges_[static_cast<size_t>(space)].push_back({begin, begin + bytes, to});
  };
  for (uint32_t n = 0; n < launch.buffers.size(); ++n)
    add(trace::Space::Global, buffer_addresses[n], launch.buffers[n].initial->size(),
        trace::global_address(n, 0));
  for (size_t n = 0; n < variables.size(); ++n) {
    const ptx::ProgramVariable& variable = program.variables[variables[n]];
    const auto space = ptx::memory_space(variable.space);
    if (!space) continue;
    const bool is_dynamic = variable.size_bytes == 0;  // the launch gives its size
    const uint64_t bytes =
        is_dynamic ? std::max<uint64_t>(launch.dynamic_shared_bytes, 1) : variable.size_bytes;
    const auto buffer = static_cast<uint32_t>(launch.buffers.size() + variable.offset);
    add(*space, variable_addresses[n], bytes,
        *space == trace::Space::Global ? trace::global_address(buffer, 0) : variable.offset);
  }
  for (std::vector<Range>& ranges : ranges_) std::ranges::sort(ranges, {}, &Range::begin);
}

uint64_t AddressMap::normalized(trace::Space space, uint64_t address) const {
  if (!has_addresses(space)) return 0;
  const std::vector<Range>& ranges = ranges_[static_cast<size_t>(space)];
  auto above = std::ranges::upper_bound(ranges, address, {}, &Range::begin);
  if (above != ranges.begin()) {
    const Range& range = *std::prev(above);
    if (address < range.end) return range.to + (address - range.begin);
  }
  return space == trace::Space::Global ? trace::offset_of(address) : address;
}

}  // namespace lanescope::gpu
