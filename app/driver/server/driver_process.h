// A program's process as the driver sees it: its memory, modules and kernels, and the answers to its requests
// (messages.h). Requests come from untrusted programs: a malformed one is answered with an error.
// Tests: tests/unit/driver/driver_process_test.cpp, tests/fuzz

#pragma once

#include "caches/l2_memory.h"
#include "driver/messages.h"
#include "driver/server/answer.h"
#include "driver/server/captures.h"
#include "driver/server/device_memory.h"
#include "driver/server/kernel_launch.h"
#include "driver/server/launch_turn.h"
#include "driver/server/loaded_module.h"
#include "driver/server/machine_codes.h"
#include "driver/server/program_log.h"
#include "driver/server/repeated_launches.h"
#include "driver/server/sampled_launches.h"
#include "driver/server/source_texts.h"
#include "emulator/options.h"
#include "emulator/schedule/pool.h"
#include "model/device.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace lanescope::driver {

/// Launches that are checked and whose accesses are kept: the first of each kernel and shape, all, or none.
enum class KeptLaunches : uint8_t { First, All, None };

/// Settings and state that all processes of a run share.
struct ProgramRun {
  model::Device device;
  KeptLaunches keeps = KeptLaunches::First;
  KeptAccesses accesses = KeptAccesses::All;  // of the launches that are kept
  uint64_t most_input_bytes = 0;  // of the inputs of all kept launches together; 0: inputs are not kept
  std::optional<uint32_t> also_keeps = {};              // the number of a launch that is kept in any case
  uint64_t memory_bytes = 0;                            // of all devices together
  uint32_t devices = 1;                                 // which are alike; at most kLanescopeMostDevices
  uint64_t limit_steps = emulator::kDefaultLimitSteps;  // warp instructions after which a launch gives up
  bool runs_repeats = false;  // also a launch that would repeat one that changed nothing
  emulator::OutOfBounds out_of_bounds = emulator::OutOfBounds::Stops;
  uint64_t sample_blocks = 0;             // of a larger launch only so many are run; 0: all
  bool samples_all = false;               // also launches run that read what a sampled launch left incomplete
  bool models_caches = false;             // of `device`
  bool flushes_l2 = false;                // before each launch, where the caches are modelled
  MachineCodes* machine_codes = nullptr;  // whose accesses are counted; null: those of the PTX
  ProgramLog& log;
  emulator::Pool& pool;
  LaunchTurn& turn;              // the pool runs one launch at a time
  Captures* captures = nullptr;  // of launches on a GPU; null: the emulator runs all
};

/// "0007-transpose.lane": of launch 7.
std::string file_name_of(uint32_t number, std::string_view kernel);

/// "transpose", or the Python script if there is one. `command`: words ended by a zero byte.
std::string program_of(std::string_view command);

class DriverProcess {
 public:
  explicit DriverProcess(ProgramRun& run);
  ~DriverProcess();
  DriverProcess(const DriverProcess&) = delete;
  DriverProcess& operator=(const DriverProcess&) = delete;

  /// Never fails: an error is the result of the reply, with a sentence as its payload.
  Answer answer(const LanescopeRequest& request, std::string_view payload);
  const DeviceMemory& memory() const { return memory_; }

 private:
  struct Kernel {
    uint64_t module = 0;
    const ptx::Program* program = nullptr;
  };

  Answer note_use(const LanescopeRequest& request);
  caches::L2Memory& l2();
  Answer add_library_call(const LanescopeRequest& request, std::string_view payload);
  Answer greet(const LanescopeRequest& request, std::string_view command);
  Answer allocate(const LanescopeRequest& request);
  Answer free(const LanescopeRequest& request);
  Answer load(std::string_view image);
  Answer unload(const LanescopeRequest& request);
  Answer list_functions(const LanescopeRequest& request) const;
  Answer get_function(const LanescopeRequest& request, std::string_view name);
  Answer get_global(const LanescopeRequest& request, std::string_view name) const;
  Answer launch(const LanescopeRequest& request, std::string_view payload);
  Answer add_source(std::string_view payload);
  Answer list_launches();
  Answer note_forwarded(const LanescopeRequest& request, std::string_view payload);
  Answer note_times(std::string_view payload);
  Answer list_variables(const LanescopeRequest& request) const;
  Answer replay(const LanescopeRequest& request, std::string_view payload);
  void run_captured(const KernelLaunch& launch, uint32_t number,
                    const std::vector<LanescopeCaptured>& captured);
  void end_capture();
  Answer run(const KernelLaunch& launch, uint64_t module, uint64_t writes);
  void fail_children(const Error& error, Answer& answer);
  void run_children(LoadedModule& module, uint64_t handle, uint64_t writes, Answer& answer);
  bool takes(const KernelLaunch& launch, uint64_t module);
  void choose_level(const KernelLaunch& launch, Treatment& treatment);
  void note_treatment(const KernelLaunch& launch, const LaunchOutcome& outcome, uint32_t number);
  Answer refuse(const KernelLaunch& launch, const SampledLaunches::Origin& origin, uint32_t number);
  Answer repeat(const RepeatedLaunches::Known::Before& before, uint32_t number);
  Answer note(LaunchOutcome outcome, uint32_t number);

  static constexpr size_t kMostUnread = 10000;

  ProgramRun& run_;
  int process_ = 0;
  std::string program_;  // LaunchRecord::program
  DeviceMemory memory_;
  DeviceMemory after_;  // contents of the GPU's memory after a captured launch
  SourceTexts sources_;
  RepeatedLaunches repeats_{memory_};
  SampledLaunches sampled_;
  std::optional<caches::L2Memory> l2_;  // as launches and copies left it, where the caches are modelled
  uint64_t next_ = 1;                   // handle
  std::map<uint64_t, std::unique_ptr<LoadedModule>> modules_;  // [handle]
  std::map<uint64_t, Kernel> kernels_;                         // [handle]
  std::map<std::string, std::set<std::string>>
      kept_;                      // [kernel and shape] parameters of launches that were kept
  uint64_t input_bytes_ = 0;      // that were kept
  std::vector<uint32_t> unread_;  // numbers of the launches since the last list_launches()
};

}  // namespace lanescope::driver
