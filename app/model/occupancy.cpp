#include "model/occupancy.h"

#include <algorithm>

namespace lanescope::model {
namespace {

constexpr uint32_t kMostThreads = 1024;      // of a block
constexpr uint32_t kMostRegisters = 255;     // of a thread
constexpr uint64_t kLeastSharedStep = 1024;  // bytes, of the curve
constexpr uint64_t kMostSharedSteps = 256;
constexpr uint32_t kLeastRegisters = 16;  // of the curve

/// Blocks that fit; none if not even one does.
uint32_t blocks_of(const BlockNeeds& needs, const Device& device) {
  const Residency residency = residency_of(needs, device);
  const bool fits = residency.by_warps.value_or(1) != 0 && residency.by_shared_memory.value_or(1) != 0 &&
                    residency.by_registers.value_or(1) != 0;
  return fits ? residency.per_multiprocessor : 0;
}

uint32_t resident_warps(const BlockNeeds& needs, const Device& device) {
  return blocks_of(needs, device) * warps_of(needs);
}

template <class Change>
OccupancyCurve curve_of(const BlockNeeds& needs, const Device& device, uint64_t first, uint64_t last,
                        uint64_t step, const Change& with) {
  OccupancyCurve curve;
  for (uint64_t value = first; value <= last; value += step) {
    curve.at.push_back(value);
    curve.warps.push_back(resident_warps(with(needs, value), device));
  }
  return curve;
}

}  // namespace

Occupancy occupancy_of(const trace::Trace& trace, const Device& device) {
  const auto with_threads = [](BlockNeeds needs, uint64_t threads) {
    needs.threads = static_cast<uint32_t>(threads);
    return needs;
  };
  const auto with_registers = [](BlockNeeds needs, uint64_t registers) {
    needs.registers_per_thread = static_cast<uint32_t>(registers);
    return needs;
  };
  const auto with_shared = [](BlockNeeds needs, uint64_t bytes) {
    needs.shared_bytes = bytes;
    return needs;
  };
  Occupancy occupancy;
  const BlockNeeds needs = needs_of(trace);
  occupancy.needs = needs;
  occupancy.residency = residency_of(needs, device);
  occupancy.warps = occupancy.residency.per_multiprocessor * warps_of(needs);
  occupancy.most_warps = device.warps_per_multiprocessor;
  occupancy.by_threads = curve_of(needs, device, kLanes, kMostThreads, kLanes, with_threads);
  if (occupancy.residency.by_registers)
    occupancy.by_registers = curve_of(needs, device, kLeastRegisters, kMostRegisters, 1, with_registers);
  const uint64_t most_shared =
      device.shared_bytes_per_multiprocessor -
      std::min(device.shared_bytes_per_multiprocessor, device.shared_bytes_reserved_per_block);
  occupancy.by_shared_bytes = curve_of(
      needs, device, 0, most_shared, std::max(kLeastSharedStep, most_shared / kMostSharedSteps), with_shared);

  const auto what_if = [&](const BlockNeeds& other, uint64_t value) -> std::optional<WhatIf> {
    const uint32_t blocks = blocks_of(other, device);
    const uint32_t warps = blocks * warps_of(other);
    if (warps <= occupancy.warps) return {};
    return WhatIf{.value = value, .blocks = blocks, .warps = warps};
  };
  if (occupancy.residency.by_registers)
    for (uint64_t registers = needs.registers_per_thread;
         registers-- > kLeastRegisters && !occupancy.fewer_registers;)
      occupancy.fewer_registers = what_if(with_registers(needs, registers), registers);
  for (uint64_t bytes = needs.shared_bytes; bytes-- > 0 && !occupancy.less_shared;)
    occupancy.less_shared = what_if(with_shared(needs, bytes), bytes);
  for (const uint64_t threads : occupancy.by_threads.at) {
    const auto found = what_if(with_threads(needs, threads), threads);
    if (!found) continue;
    const auto distance = [&](uint64_t value) {
      return value > needs.threads ? value - needs.threads : needs.threads - value;
    };
    const auto& best = occupancy.other_threads;
    if (!best || found->warps > best->warps ||
        (found->warps == best->warps && distance(threads) < distance(best->value)))
      occupancy.other_threads = found;
  }
  return occupancy;
}

}  // namespace lanescope::model
