// Memory of a launch captured on a GPU, as the forwarding library sent it: allocations of the emulator
// with the contents before the launch, and others with the contents after it.
// Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "base/error.h"
#include "driver/messages.h"
#include "driver/server/device_memory.h"
#include "driver/server/kernel_launch.h"
#include "driver/server/memory_comparison.h"
#include "driver/server/source_texts.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::driver {

/// Bytes of the allocation that begins at this address of the emulator; empty if there is none.
std::span<std::byte> bytes_at(const DeviceMemory& memory, uint64_t address);

/// Checks that both memories have every captured allocation. Errors: Usage if one is missing or has another
/// size.
Result<void> check_captured(const std::vector<LanescopeCaptured>& captured, const DeviceMemory& memory,
                            const DeviceMemory& after);

std::vector<Relocation> relocations_of(const std::vector<LanescopeCaptured>& captured);

/// Compares `memory`, after the emulator's launch, with `after`, the GPU's result. Both hold the emulator's
/// addresses.
MemoryComparison compare_captured(const KernelLaunch& launch, const std::vector<LanescopeCaptured>& captured,
                                  const DeviceMemory& memory, const DeviceMemory& after,
                                  SourceTexts& sources);

}  // namespace lanescope::driver
