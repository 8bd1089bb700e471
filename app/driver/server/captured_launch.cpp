#include "driver/server/captured_launch.h"

#include "base/source_name.h"
#include "driver/server/buffer_names.h"
#include "driver/server/difference_causes.h"
#include "trace/access.h"

#include <utility>

#include <fmt/format.h>

namespace lanescope::driver {

std::span<std::byte> bytes_at(const DeviceMemory& memory, uint64_t address) {
  const std::vector<emulator::Region> regions = memory.regions();
  const bool is_start = trace::has_buffer(address) && trace::offset_of(address) == 0;
  if (!is_start || trace::buffer_of(address) >= regions.size()) return {};
  const emulator::Region& region = regions[trace::buffer_of(address)];
  return {region.data, region.size_bytes};
}

Result<void> check_captured(const std::vector<LanescopeCaptured>& captured, const DeviceMemory& memory,
                            const DeviceMemory& after) {
  for (const LanescopeCaptured& one : captured)
    if (one.size_bytes == 0 || bytes_at(memory, one.address).size() != one.size_bytes ||
        bytes_at(after, one.after).size() != one.size_bytes)
      return fail(
          ErrorKind::Usage,
          fmt::format("the captured memory at {:#x} was not sent as it is described", one.gpu_address));
  return {};
}

std::vector<Relocation> relocations_of(const std::vector<LanescopeCaptured>& captured) {
  std::vector<Relocation> relocations;
  for (const LanescopeCaptured& one : captured)
    relocations.push_back({.from = one.gpu_address, .to = one.address, .size_bytes = one.size_bytes});
  return relocations;
}

MemoryComparison compare_captured(const KernelLaunch& launch, const std::vector<LanescopeCaptured>& captured,
                                  const DeviceMemory& memory, const DeviceMemory& after,
                                  SourceTexts& sources) {
  std::vector<launch::Buffer> buffers;
  for (const emulator::Region& region : memory.regions())
    buffers.push_back(
        {.name = {}, .type = launch::ElementType::U8, .shape = {region.size_bytes}, .initial = {}});
  for (const ModuleVariable& variable : launch.module.variables())
    buffers[variable.allocation].name = variable_name_of(variable.name);
  describe_buffers(launch.program, launch.parameters, sources, buffers);
  MemoryComparison comparison;
  comparison.causes = causes_of_difference(launch.program);
  for (const LanescopeCaptured& one : captured) {
    launch::Buffer buffer = buffers[trace::buffer_of(one.address)];
    if (buffer.name.empty()) buffer.name = fmt::format("memory at {:#x}", one.gpu_address);
    compare(comparison, std::move(buffer), bytes_at(after, one.after), bytes_at(memory, one.address));
  }
  return comparison;
}

}  // namespace lanescope::driver
