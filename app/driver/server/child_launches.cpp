#include "driver/server/child_launches.h"

#include "ptx/device_runtime.h"
#include "ptx/program.h"
#include "trace/access.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

using List = std::array<uint64_t, 3>;  // of ptx::kDeviceLaunches

/// Memory of the module's list; null if its kernels launch none.
std::byte* list_of(const LoadedModule& module, const DeviceMemory& memory) {
  const ModuleVariable* const variable = module.find_variable(ptx::kDeviceLaunches);
  if (variable == nullptr) return nullptr;
  const emulator::Region& region = memory.allocation(variable->allocation).region;
  return region.size_bytes >= sizeof(List) ? region.data : nullptr;
}

uint64_t bytes_of_a_launch(const LoadedModule& module) {
  uint64_t most = 0;
  for (const ptx::Function& function : module.ptx().functions)
    if (function.is_kernel) most = std::max<uint64_t>(most, function.parameter_bytes);
  return sizeof(ptx::DeviceLaunch) + most;
}

/// The bytes of a launch in the heap; null if the address is none of the heap's.
const std::byte* bytes_at(uint64_t address, uint64_t bytes, const DeviceMemory& memory) {
  const emulator::Heap* const heap = memory.heap();
  if (heap == nullptr || !trace::has_buffer(address) ||
      trace::buffer_of(address) != trace::buffer_of(heap->begin()))
    return nullptr;
  const emulator::Region& region = memory.allocation(trace::buffer_of(address)).region;
  const uint64_t offset = trace::offset_of(address);
  return offset <= region.size_bytes && bytes <= region.size_bytes - offset ? region.data + offset : nullptr;
}

Result<ChildLaunch> child_at(const std::byte* bytes, const LoadedModule& module) {
  ptx::DeviceLaunch wanted;
  std::memcpy(&wanted, bytes, sizeof wanted);
  const uint64_t number = wanted.function - ptx::function_address(0);
  const auto& functions = module.ptx().functions;
  if (number >= functions.size() || !functions[number].is_kernel)
    return fail(ErrorKind::Launch,
                fmt::format("a kernel launches {:#x}, which is no kernel of its module", wanted.function));
  const std::byte* const parameters = bytes + sizeof wanted;
  return ChildLaunch{.kernel = functions[number].name,
                     .grid = {wanted.grid[0], wanted.grid[1], wanted.grid[2]},
                     .block = {wanted.block[0], wanted.block[1], wanted.block[2]},
                     .dynamic_shared_bytes = wanted.dynamic_shared_bytes,
                     .is_tail = wanted.stream == ptx::kTailLaunchStream,
                     .thread = wanted.thread,
                     .parameters = {parameters, parameters + functions[number].parameter_bytes}};
}

}  // namespace

void prepare_child_launches(const LoadedModule& module, const DeviceMemory& memory) {
  std::byte* const list = list_of(module, memory);
  if (list == nullptr) return;
  const List empty{0, bytes_of_a_launch(module), 0};
  std::memcpy(list, empty.data(), sizeof empty);
}

Result<std::vector<ChildLaunch>> take_child_launches(const LoadedModule& module, DeviceMemory& memory) {
  std::byte* const bytes = list_of(module, memory);
  if (bytes == nullptr) return {};
  List list{};
  std::memcpy(list.data(), bytes, sizeof list);
  prepare_child_launches(module, memory);
  if (list[2] > 0)
    return fail(ErrorKind::Limit,
                fmt::format("the device's heap had no room for {} of the launches that kernels asked for; "
                            "make it larger with cudaDeviceSetLimit(cudaLimitMallocHeapSize, BYTES)",
                            list[2]));
  const uint64_t size = bytes_of_a_launch(module);
  std::vector<ChildLaunch> children;
  for (uint64_t at = list[0]; at != 0;) {
    const std::byte* const launch = bytes_at(at, size, memory);
    // A piece that is no longer allocated has been taken, or was never a launch.
    if (launch == nullptr || !memory.heap()->free(at))
      return fail(ErrorKind::Launch,
                  fmt::format("the list of the launches that a kernel asked for leads to {:#x}, where there "
                              "is none; a kernel has overwritten it",
                              at));
    TRY(ChildLaunch child, child_at(launch, module));
    children.push_back(std::move(child));
    std::memcpy(&at, launch, sizeof at);
  }
  std::ranges::reverse(children);
  std::ranges::stable_sort(children, {}, &ChildLaunch::thread);
  return children;
}

}  // namespace lanescope::driver
