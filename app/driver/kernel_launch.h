// A launch of a program, carried out by the emulator in the device's memory. Method: totals are exact for
// each launch, whose memory is used in place. A launch that is checked for data races and uninitialized reads
// runs on a view of it (memory_view.h), and may be repeated. Tests: tests/unit/driver/driver_process_test.cpp

#pragma once

#include "driver/device_memory.h"
#include "driver/launch_record.h"
#include "driver/messages.h"
#include "driver/requested_launch.h"
#include "driver/source_texts.h"
#include "emulator/options.h"
#include "emulator/schedule/pool.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace lanescope::driver {

struct LaunchOutcome {
  LaunchRecord record;               // but for number and process
  std::vector<std::string> sources;  // that the accesses which were kept are made by; names
  uint64_t input_bytes = 0;          // that were kept of what it was given
  std::string printed;
  std::vector<LanescopeWritten> written;  // allocations that it changed; of a launch that is checked
  std::optional<Error> error;             // why it did not run to its end
  /// What stopped the kernel, where `error` is a defect of it.
  std::optional<trace::HazardKind> stopped_by;
};

/// Whether the file of a kept launch has its accesses besides its totals and findings.
enum class KeptAccesses : uint8_t { All, None };

/// What is done with a launch besides counting its totals.
struct Treatment {
  bool is_checked = false;                    // for data races and uninitialized reads
  std::filesystem::path file;                 // where its trace goes; empty: it is not kept
  KeptAccesses accesses = KeptAccesses::All;  // of that trace
  uint64_t most_input_bytes = 0;  // of what it was given, beside that trace (launch_inputs.h); 0: not kept
  uint64_t limit_steps = emulator::kDefaultLimitSteps;  // warp instructions
  std::stop_token stop = {};                            // ends the launch
};

LaunchOutcome carry_out(const KernelLaunch& launch, DeviceMemory& memory, SourceTexts& sources,
                        emulator::Pool& pool, const Treatment& treatment);

}  // namespace lanescope::driver
