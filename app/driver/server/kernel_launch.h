// A launch of a program, carried out by the emulator in the device's memory. Method: every launch has exact
// totals. An unchecked launch uses the memory in place; one that is checked for data races and uninitialized
// reads, or whose changes of memory are to be known, runs on a view (memory_view.h). Tests:
// tests/unit/driver/driver_process_test.cpp

#pragma once

#include "caches/l2_memory.h"
#include "driver/messages.h"
#include "driver/server/device_memory.h"
#include "driver/server/launch_record.h"
#include "driver/server/launch_turn.h"
#include "driver/server/requested_launch.h"
#include "driver/server/source_texts.h"
#include "emulator/options.h"
#include "emulator/schedule/pool.h"
#include "model/device.h"
#include "sass/machine_level.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::driver {

struct LaunchOutcome {
  LaunchRecord record;               // but for number and process
  std::vector<std::string> sources;  // names of the source files of the kept accesses
  uint64_t input_bytes = 0;          // of the launch's inputs, kept in files
  std::string printed;
  std::vector<LanescopeWritten> written;   // allocations that the launch changed, if it was checked
  std::vector<uint32_t> changed;           // numbers of the allocations that a sampled launch changed
  std::optional<bool> has_changed_memory;  // nullopt: that is not known
  /// True if the launch was checked, and no finding says that its result may depend on an order.
  bool is_orderly = false;
  std::optional<Error> error;  // why it did not run to its end
  /// Kind of the hazard that stopped the kernel; nullopt if `error` is not a hazard or there is none.
  std::optional<trace::HazardKind> stopped_by;
};

/// Accesses in the file of a kept launch: all, or none besides its totals and findings.
enum class KeptAccesses : uint8_t { All, None };

/// Checks, files and limits of a launch. Its totals are counted in any case.
struct Treatment {
  bool is_checked = false;                    // for data races and uninitialized reads
  bool finds_changes = false;                 // LaunchOutcome::has_changed_memory is to be known
  std::filesystem::path file;                 // of the trace; empty: the trace is not kept
  KeptAccesses accesses = KeptAccesses::All;  // in `file`
  uint64_t most_input_bytes = 0;  // limit of the kept inputs, next to `file` (launch_inputs.h); 0: none kept
  uint64_t limit_steps = emulator::kDefaultLimitSteps;  // warp instructions
  emulator::OutOfBounds out_of_bounds = emulator::OutOfBounds::Stops;
  uint64_t sample_blocks = 0;  // of a larger launch only so many are run; 0: all
  /// The launch reads incomplete data: what is found may come from them, and is a note.
  bool has_incomplete_inputs = false;
  std::shared_ptr<const sass::MachineLevel> machine = {};  // whose accesses are counted; null: the PTX's
  const model::Device* cached = nullptr;                   // whose caches are modelled; null: none
  caches::L2Memory* l2 = nullptr;  // that the launch finds and leaves; null: it finds an empty one
  LaunchControl control = {};
};

/// Record of a launch that has not run yet, without number and process.
LaunchRecord record_of(const KernelLaunch& launch);

LaunchOutcome carry_out(const KernelLaunch& launch, DeviceMemory& memory, SourceTexts& sources,
                        emulator::Pool& pool, const Treatment& treatment);

}  // namespace lanescope::driver
