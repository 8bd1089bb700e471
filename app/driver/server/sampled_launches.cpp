#include "driver/server/sampled_launches.h"

#include "base/source_name.h"
#include "trace/access.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

/// Calls f(allocation) for each allocation that a parameter has an address in.
template <class F>
void for_each_allocation(const KernelLaunch& launch, const ptx::KernelParameter& parameter,
                         const DeviceMemory& memory, F&& f) {
  uint64_t address = 0;
  for (uint64_t at = 0; at + sizeof address <= parameter.size_bytes; at += sizeof address) {
    std::memcpy(&address, launch.parameters.data() + parameter.offset + at, sizeof address);
    if (trace::has_buffer(address) && trace::buffer_of(address) < memory.regions().size())
      f(trace::buffer_of(address));
  }
}

bool reads_images(const ptx::Program& program) {
  return std::ranges::any_of(program.sites, [](const ptx::MemorySite& site) {
    return !has_addresses(site.operation.space) && site.operation.kind == trace::Kind::Load;
  });
}

/// True if the kernel may read the variable, or any variable.
bool reads_variable(const ptx::Program& program, const std::string& name) {
  return std::ranges::any_of(program.sites, [&](const ptx::MemorySite& site) {
    const bool reads =
        site.operation.kind != trace::Kind::Store && site.operation.kind != trace::Kind::Reduction;
    if (!reads || site.operation.space != trace::Space::Global) return false;
    if (site.base.kind == ptx::AddressBase::Kind::Variable)
      return program.variables[site.base.number].name == name;
    return site.base.kind == ptx::AddressBase::Kind::Unknown;
  });
}

}  // namespace

void SampledLaunches::note(const KernelLaunch& launch, const DeviceMemory& memory,
                           const std::vector<uint32_t>& changed, uint32_t number) {
  const Origin origin{number, source_name_of(launch.program.kernel)};
  const auto add = [&](uint32_t allocation) { incomplete_.insert_or_assign(allocation, origin); };
  std::ranges::for_each(changed, add);
  for (const ptx::KernelParameter& parameter : launch.program.parameters)
    if (parameter.may_be_written) for_each_allocation(launch, parameter, memory, add);
}

std::optional<SampledLaunches::Origin> SampledLaunches::incomplete_input(const KernelLaunch& launch,
                                                                         const DeviceMemory& memory) const {
  if (incomplete_.empty()) return std::nullopt;
  if (reads_images(launch.program)) return incomplete_.begin()->second;
  std::optional<Origin> found;
  const auto look = [&](uint32_t allocation) {
    const auto known = incomplete_.find(allocation);
    if (known != incomplete_.end() && !found) found = known->second;
  };
  for (const ptx::KernelParameter& parameter : launch.program.parameters)
    if (parameter.may_be_read) for_each_allocation(launch, parameter, memory, look);
  for (const ModuleVariable& variable : launch.module.variables())
    if (incomplete_.contains(variable.allocation) && reads_variable(launch.program, variable.name))
      look(variable.allocation);
  return found;
}

std::string refusal_of(const SampledLaunches::Origin& origin) {
  return fmt::format(
      "the launch was not run, since it reads what launch {} ({}) left incomplete: --sample-blocks ran a "
      "part "
      "of that one; leave the option out, or count on incomplete data with --sample-all",
      origin.launch + 1, origin.kernel);
}

}  // namespace lanescope::driver
