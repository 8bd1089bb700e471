// A process of a program as the driver sees it, with requests as its library sends them.
#pragma once

#include "driver/server/driver_process.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <string>

#include <gtest/gtest.h>

namespace lanescope::driver {

class ProcessFixture : public testing::Test {
 protected:
  Answer ask(uint32_t kind, uint64_t a = 0, uint64_t b = 0, const std::string& payload = {}) {
    return process_.answer({kind, static_cast<uint32_t>(payload.size()), {a, b}}, payload);
  }
  uint64_t allocate(uint64_t bytes) { return ask(kLanescopeAllocate, bytes).reply.r[0]; }
  static LanescopeLaunch shape_of(uint32_t blocks, uint32_t threads) {
    LanescopeLaunch shape{};
    shape.grid[0] = blocks;
    shape.block[0] = threads;
    shape.grid[1] = shape.grid[2] = shape.block[1] = shape.block[2] = 1;
    shape.has_inputs = 1;
    return shape;
  }
  /// Each parameter lies at a multiple of its size.
  template <class... Parameters>
  Answer ask_to_launch(uint64_t function, const LanescopeLaunch& shape, const Parameters&... parameters) {
    std::string bytes;
    [[maybe_unused]] const auto add = [&](const auto& parameter) {
      bytes.resize((bytes.size() + sizeof parameter - 1) / sizeof parameter * sizeof parameter);
      bytes.append(reinterpret_cast<const char*>(&parameter), sizeof parameter);
    };
    (add(parameters), ...);
    return ask(kLanescopeLaunch, function, 0,
               std::string(reinterpret_cast<const char*>(&shape), sizeof shape) + bytes);
  }
  static ProgramRun run_of(ProgramLog& log, emulator::Pool& pool, LaunchTurn& turn, KeptLaunches keeps) {
    return {.device = *model::find_device(tests::kProject / "assets/devices", "ampere"),
            .keeps = keeps,
            .memory_bytes = uint64_t{1} << 24,
            .limit_steps = 100000000,
            .log = log,
            .pool = pool,
            .turn = turn};
  }

  tests::TemporaryFolder folder_{"driver-process"};
  ProgramLog log_{folder_.path(), {"program"}, "device"};
  emulator::Pool pool_{1};
  LaunchTurn turn_;
  ProgramRun run_ = run_of(log_, pool_, turn_, KeptLaunches::First);
  DriverProcess process_{run_};
};

}  // namespace lanescope::driver
