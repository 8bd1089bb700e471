// The memory of a launch that was captured on a GPU, as the forwarding library sent it: allocations of the
// emulator that hold what the GPU's held before the launch, and others with what they held after it.
// Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "base/error.h"
#include "driver/device_memory.h"
#include "driver/kernel_launch.h"
#include "driver/memory_comparison.h"
#include "driver/messages.h"
#include "driver/source_texts.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::driver {

/// The allocation that begins at this address of the emulator; empty where none does.
std::span<std::byte> bytes_at(const DeviceMemory& memory, uint64_t address);

/// Errors: Usage where an allocation is not there or has another size.
Result<void> check_captured(const std::vector<LanescopeCaptured>& captured, const DeviceMemory& memory,
                            const DeviceMemory& after);

std::vector<Relocation> relocations_of(const std::vector<LanescopeCaptured>& captured);

/// What the launch left in `memory`, with what the GPU's left in `after`. Both hold the emulator's addresses.
MemoryComparison compare_captured(const KernelLaunch& launch, const std::vector<LanescopeCaptured>& captured,
                                  const DeviceMemory& memory, const DeviceMemory& after,
                                  SourceTexts& sources);

}  // namespace lanescope::driver
