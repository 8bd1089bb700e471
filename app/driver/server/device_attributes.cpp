#include "driver/server/device_attributes.h"

#include "launch/launch.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace lanescope::driver {
namespace {

/// Values of CUdevice_attribute.
enum class Attribute : uint8_t {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxBlockDimY = 3,
  MaxBlockDimZ = 4,
  MaxGridDimX = 5,
  MaxGridDimY = 6,
  MaxGridDimZ = 7,
  MaxSharedBytesPerBlock = 8,
  TotalConstantBytes = 9,
  WarpSize = 10,
  MaxPitch = 11,
  MaxRegistersPerBlock = 12,
  ClockKilohertz = 13,
  TextureAlignment = 14,
  GpuOverlap = 15,
  Multiprocessors = 16,
  CanMapHostMemory = 19,
  ConcurrentKernels = 31,
  PciBusId = 33,
  MemoryClockKilohertz = 36,
  MemoryBusBits = 37,
  L2Bytes = 38,
  MaxThreadsPerMultiprocessor = 39,
  AsyncEngines = 40,
  UnifiedAddressing = 41,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  StreamPriorities = 78,
  GlobalL1Cache = 79,
  LocalL1Cache = 80,
  MaxSharedBytesPerMultiprocessor = 81,
  MaxRegistersPerMultiprocessor = 82,
  ManagedMemory = 83,
  ConcurrentManagedAccess = 89,
  CooperativeLaunch = 95,
  MaxSharedBytesPerBlockOptIn = 97,
  MaxBlocksPerMultiprocessor = 106,
  ReservedSharedBytesPerBlock = 111,
  MemoryPools = 115,
  ClusterLaunch = 120,
};

constexpr uint32_t kWarp = 32;
constexpr int32_t kLargest = 2147483647;

/// An attribute that has no name here, and its value.
struct Numbered {
  uint8_t attribute;
  uint32_t value;
};
/// Largest textures and surfaces of compute capability 5.0 and later, as launch/image.h checks them.
constexpr Numbered kLargestImages[] = {
    {21, 131072}, {22, 131072}, {23, 65536},     {24, 16384},  {25, 16384}, {26, 16384},  // 1-D, 2-D, 3-D
    {27, 32768},  {28, 32768},  {29, 2048},      {42, 32768},  {43, 2048},                // layered: 2-D, 1-D
    {45, 32768},  {46, 32768},  {69, 268435456}, {70, 131072}, {71, 65000}, {72, 2097120},  // gather, linear
    {55, 32768},  {56, 131072}, {57, 65536},     {58, 16384},  {59, 16384}, {60, 16384},    // surfaces
    {61, 32768},  {62, 2048},   {63, 32768},     {64, 32768},  {65, 2048},  // layered surfaces
    {30, 512},    {51, 32}};  // alignments of surfaces and of rows at a pitch

/// Most shared memory of a block that opts in to more than 48 KB, in bytes: the multiprocessor's, less the
/// reserved part.
uint64_t opt_in_bytes(const model::Device& device) {
  const uint64_t whole = device.shared_bytes_per_multiprocessor;
  if (device.compute_capability < 70) return std::min<uint64_t>(whole, launch::kMaximumStaticSharedBytes);
  const uint64_t reserved = device.compute_capability >= 80 ? 1024 : 0;
  return std::min<uint64_t>(whole - std::min(whole, reserved), launch::kMaximumSharedBytes);
}

}  // namespace

LanescopeDevice device_attributes(const model::Device& device) {
  LanescopeDevice answer{};
  const std::string name = fmt::format("Lanescope emulator (sm_{})", device.compute_capability);
  name.copy(answer.name, sizeof answer.name - 1);
  const auto set = [&](Attribute attribute, uint64_t value) {
    answer.attribute[static_cast<size_t>(attribute)] =
        static_cast<int32_t>(std::min<uint64_t>(value, static_cast<uint64_t>(kLargest)));
  };
  using enum Attribute;
  // Attributes that all emulated devices share.
  set(MaxThreadsPerBlock, 1024);
  set(MaxBlockDimX, 1024);
  set(MaxBlockDimY, 1024);
  set(MaxBlockDimZ, 64);
  set(MaxGridDimX, kLargest);
  set(MaxGridDimY, 65535);
  set(MaxGridDimZ, 65535);
  set(MaxSharedBytesPerBlock, launch::kMaximumStaticSharedBytes);
  set(TotalConstantBytes, launch::kMaximumConstantBytes);
  set(WarpSize, kWarp);
  set(MaxPitch, kLargest);
  set(TextureAlignment, 512);
  for (const Numbered& one : kLargestImages) set(static_cast<Attribute>(one.attribute), one.value);
  for (const Attribute present :
       {GpuOverlap, CanMapHostMemory, ConcurrentKernels, PciBusId, AsyncEngines, UnifiedAddressing,
        StreamPriorities, GlobalL1Cache, LocalL1Cache, ManagedMemory, MemoryPools})
    set(present, 1);
  // Work is done when a call returns, so that the host may use managed memory at any time.
  set(ConcurrentManagedAccess, 1);
  // Attributes of this device.
  set(MaxRegistersPerBlock, device.registers_per_multiprocessor);
  set(MaxRegistersPerMultiprocessor, device.registers_per_multiprocessor);
  set(ClockKilohertz, static_cast<uint64_t>(device.clock_hertz / 1000));
  set(Multiprocessors, device.multiprocessors);
  set(MaxThreadsPerMultiprocessor, kWarp * device.warps_per_multiprocessor);
  set(MaxBlocksPerMultiprocessor, device.blocks_per_multiprocessor);
  set(MaxSharedBytesPerMultiprocessor, device.shared_bytes_per_multiprocessor);
  set(MaxSharedBytesPerBlockOptIn, opt_in_bytes(device));
  set(ReservedSharedBytesPerBlock, device.shared_bytes_reserved_per_block);
  set(ComputeCapabilityMajor, static_cast<uint64_t>(device.compute_capability / 10));
  set(ComputeCapabilityMinor, static_cast<uint64_t>(device.compute_capability % 10));
  set(CooperativeLaunch, device.compute_capability >= 60 ? 1 : 0);
  set(ClusterLaunch, device.compute_capability >= 90 ? 1 : 0);
  // A bus of 64 bytes, with the clock that gives the device's bandwidth: programs multiply the two.
  if (device.memory_bytes_per_second) {
    constexpr double kBusBits = 512, kTransfersPerClock = 2;
    set(MemoryBusBits, static_cast<uint64_t>(kBusBits));
    set(MemoryClockKilohertz,
        static_cast<uint64_t>(*device.memory_bytes_per_second / (kBusBits / 8 * kTransfersPerClock) / 1000));
  }
  return answer;
}

}  // namespace lanescope::driver
