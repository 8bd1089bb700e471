#include "sass/local_memory.h"

#include "sass/ptx_places.h"

#include <algorithm>
#include <map>
#include <set>

namespace lanescope::sass {
namespace {

void add_arrays(const ptx::Program& program, const Match& match, LocalMemory& local) {
  constexpr uint32_t kAll = ~uint32_t{0};
  std::map<uint32_t, LocalArray> arrays;  // [variable]
  const auto bytes_of = [&](uint32_t number) {
    uint64_t bytes = 0;
    for (uint32_t n = 0; n < program.variables.size(); ++n)
      if (program.variables[n].space == ptx::Space::Local && (number == kAll || n == number))
        bytes += program.variables[n].size_bytes;
    return bytes;
  };
  for (size_t n = 0; n < program.sites.size(); ++n) {
    const ptx::MemorySite& site = program.sites[n];
    if (site.operation.space != MemorySpace::Local || match.sites[n].fate == Fate::Removed) continue;
    const bool is_known = site.base.kind == ptx::AddressBase::Kind::Variable;
    const uint32_t number = is_known ? site.base.number : kAll;
    const uint64_t bytes = bytes_of(number);
    if (bytes == 0) continue;  // what a function is called with
    LocalArray& array = arrays[number];
    array.bytes = bytes;
    if (std::ranges::find(array.lines, site.source) == array.lines.end()) array.lines.push_back(site.source);
  }
  for (auto& [number, array] : arrays) local.arrays.push_back(std::move(array));
}

}  // namespace

LocalMemory local_memory_of(const ptx::Program& program, const Match& match) {
  LocalMemory local;
  add_arrays(program, match, local);
  const PtxPlaces places(program);
  std::set<int64_t> bytes;  // of the stack
  for (const uint32_t index : match.spills) {
    const MachineAccess& access = match.accesses[index];
    const Location where = places.at(access.ptx_line);
    auto line = std::ranges::find(local.spills, where, &SpillingLine::where);
    if (line == local.spills.end()) line = local.spills.insert(line, SpillingLine{.where = where});
    ++(access.kind == MemoryKind::Store ? line->stores : line->loads);
    for (uint32_t n = 0; access.base_register == kStackRegister && n < access.bytes; ++n)
      bytes.insert(int64_t{access.offset} + n);
  }
  local.spilled_bytes = static_cast<uint32_t>(bytes.size());
  return local;
}

}  // namespace lanescope::sass
