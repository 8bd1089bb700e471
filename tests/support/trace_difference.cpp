#include "support/trace_difference.h"

#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

using Lanes = std::array<std::vector<uint64_t>, kLanes>;          // [lane][occurrence]
using Accesses = std::map<std::pair<uint32_t, uint32_t>, Lanes>;  // [warp, site]

Accesses accesses_of(const trace::Trace& trace, const trace::StoredBlock& block) {
  Accesses accesses;
  for (const trace::StoredAccess& stored : block.accesses) {
    Lanes& lanes = accesses[{stored.warp.value, stored.site.value}];
    for_each_address(trace::view(trace, block, stored), [&](int, int lane, uint64_t address) {
      lanes[static_cast<size_t>(lane)].push_back(address);
    });
  }
  return accesses;
}

std::string name_of(const trace::Trace& trace, uint32_t cta, std::pair<uint32_t, uint32_t> key, size_t lane) {
  const trace::Site& site = trace.sites[key.second];
  return fmt::format("site {} ({}, PTX line {}, {}), block {}, warp {}, lane {}", key.second, site.ptx_text,
                     site.ptx_line, trace::name_of(site.operation.space), cta, key.first, lane);
}

std::string difference_of_blocks(const trace::Trace& trace, const Accesses& expected, const Accesses& found,
                                 uint32_t cta, Locals locals) {
  static const Lanes kNone{};
  std::map<std::pair<uint32_t, uint32_t>, int> keys;
  for (const auto& [key, lanes] : expected) keys[key] = 0;
  for (const auto& [key, lanes] : found) keys[key] = 0;
  for (const auto& [key, unused] : keys) {
    const auto one = expected.find(key);
    const auto other = found.find(key);
    const Lanes& a = one == expected.end() ? kNone : one->second;
    const Lanes& b = other == found.end() ? kNone : other->second;
    const bool by_count =
        locals == Locals::ByCount && trace.sites[key.second].operation.space == trace::Space::Local;
    for (size_t lane = 0; lane < a.size(); ++lane) {
      if (a[lane].size() != b[lane].size())
        return fmt::format("{}: {} accesses expected, {} found", name_of(trace, cta, key, lane),
                           a[lane].size(), b[lane].size());
      for (size_t n = 0; n < a[lane].size() && !by_count; ++n)
        if (a[lane][n] != b[lane][n])
          return fmt::format("{}: access {} goes to {:#x}, {:#x} was found", name_of(trace, cta, key, lane),
                             n, a[lane][n], b[lane][n]);
    }
  }
  return {};
}

}  // namespace

std::string difference_of_accesses(const trace::Trace& expected, const trace::Trace& found, Locals locals) {
  if (expected.blocks.size() != found.blocks.size())
    return fmt::format("{} blocks expected, {} found", expected.blocks.size(), found.blocks.size());
  for (size_t n = 0; n < expected.blocks.size(); ++n) {
    const uint32_t cta = expected.blocks[n].cta.value;
    if (cta != found.blocks[n].cta.value)
      return fmt::format("block {} expected, {} found", cta, found.blocks[n].cta.value);
    const std::string difference = difference_of_blocks(expected, accesses_of(expected, expected.blocks[n]),
                                                        accesses_of(found, found.blocks[n]), cta, locals);
    if (!difference.empty()) return difference;
  }
  return {};
}

std::string difference_of_totals(const trace::Trace& expected, const trace::Trace& found, Requests requests) {
  if (expected.totals.size() != found.totals.size())
    return fmt::format("{} sites expected, {} found", expected.totals.size(), found.totals.size());
  for (size_t n = 0; n < expected.totals.size(); ++n) {
    const trace::Totals& a = expected.totals[n];
    const trace::Totals& b = found.totals[n];
    if (a == b) continue;
    if (requests == Requests::AtLeast && a.lanes == b.lanes && a.bytes == b.bytes && a.requests <= b.requests)
      continue;
    const auto text = [](const trace::Totals& totals) {
      return fmt::format("requests {} lanes {} bytes {} sectors {}/{} lines {} wavefronts {}/{}",
                         totals.requests, totals.lanes, totals.bytes, totals.sectors, totals.ideal_sectors,
                         totals.lines, totals.wavefronts, totals.ideal_wavefronts);
    };
    const trace::Site& site = expected.sites[n];
    return fmt::format("site {} ({}, PTX line {}, {}): {} expected, {} found", n, site.ptx_text,
                       site.ptx_line, trace::name_of(site.operation.space), text(a), text(b));
  }
  return {};
}

}  // namespace lanescope::tests
