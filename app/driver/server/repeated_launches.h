// Launches that need not be run again: one that left every byte of the device's memory as it found it does so
// again on the same memory, with the same counts. Method: whether a launch changes memory is found on a view
// (memory_view.h), for launches with equal kernel, shape and parameters as an earlier one; if it does, they
// are compared again only when four times as many have run. Memory is the same as long as no other launch and
// no request may have changed it, the program has made no copy or fill, which it counts
// (LanescopeLaunch.writes), and what the host can write without a call equals a copy of it. A launch whose
// result may depend on an order, on a clock or on the heap, or that prints, is always run. Tests:
// tests/unit/driver/repeated_launches_test.cpp

#pragma once

#include "driver/server/device_memory.h"
#include "driver/server/kernel_launch.h"
#include "driver/server/launch_record.h"
#include "driver/server/requested_launch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanescope::driver {

class RepeatedLaunches {
 public:
  /// Ways to deal with a launch.
  enum class Plan : uint8_t {
    Run,
    Compare,  // run it on a view, to find out whether it changes memory
    Check,    // the same with all checks, to find out whether its result depends on an order
    Repeat    // do not run it: Known::before has its counts, and memory is as it would leave it
  };

  /// Counts of what may have changed memory: writes of the program, other changes, DeviceMemory::patterns().
  struct State {
    uint64_t writes = 0, changes = 0, patterns = 0;
    bool operator==(const State&) const = default;
  };

  /// Facts about the launches with one kernel, shape and parameters.
  struct Known {
    struct Before {
      State state;
      LaunchRecord record;
      bool was_repeated = false;
    };
    bool may_repeat = false;
    Plan plan = Plan::Run;  // of the last one
    uint64_t runs = 0, next_compared = 2;
    uint32_t unused = 0;                  // compares in a row that found no change and led to no repeat
    bool wants_check = false;             // it changed nothing, and may depend on an order
    std::optional<LaunchRecord> orderly;  // a checked run, in which nothing depended on an order
    std::optional<Before> before;         // a run that changed nothing
  };

  /// `memory` must outlive it.
  explicit RepeatedLaunches(const DeviceMemory& memory) : memory_(memory) {}

  /// Plans a launch. `writes`: LanescopeLaunch.writes. The reference is valid until the next call.
  Known& plan(const KernelLaunch& launch, uint64_t writes);
  /// Notes the outcome of a launch that was planned and has run.
  void note(Known& known, const LaunchOutcome& outcome);
  /// Memory may have changed.
  void note_change();
  /// Forgets all launches: modules and their kernels may be gone.
  void forget();

 private:
  struct HostCopy {
    uint32_t allocation = 0;  // number
    std::vector<std::byte> bytes;
  };
  State state() const { return {writes_, changes_, memory_.patterns()}; }
  bool is_same(const Known::Before& before);
  bool is_host_memory_same() const;
  bool keep_host_memory(double seconds);
  void note_unchanging(Known& known, const LaunchRecord& record);

  const DeviceMemory& memory_;
  uint64_t writes_ = 0;
  uint64_t changes_ = 0;
  std::vector<HostCopy> host_memory_;  // that the host can write without a call, in this state
  std::unordered_map<std::string, Known> known_;
};

/// True if the launches of a kernel on equal memory have equal results and counts, unless they race.
bool repeats_alike(const ptx::Program& program);

}  // namespace lanescope::driver
