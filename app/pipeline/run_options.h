// Settings of one run. Tests: tests/unit/pipeline/lesson_runs_test.cpp

#pragma once

#include "base/error.h"
#include "caches/rules.h"
#include "caches/stream_stage.h"
#include "emulator/options.h"
#include "emulator/run.h"
#include "emulator/schedule/pool.h"
#include "launch/launch.h"
#include "pipeline/job_compiler.h"
#include "trace/recorder.h"
#include "trace/trace.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace lanescope::pipeline {

/// Traces a compiled kernel in place of the emulator.
using Tracer =
    std::function<Result<emulator::Recording>(const Compiled&, const launch::Launch&, const trace::Keep&)>;

struct RunOptions {
  trace::Keep keep;
  std::stop_token stop;
  uint64_t limit_steps = 0;                          // 0: the emulator's default
  unsigned threads = 0;                              // 0: the whole pool
  std::atomic<uint64_t>* finished_blocks = nullptr;  // counts up while the kernel runs
  uint64_t first_blocks = 0;                         // run only these; 0: all
  emulator::Checks checks = emulator::Checks::All;
  emulator::Scheduling scheduling = emulator::Scheduling::Independent;
  emulator::Engine engine = emulator::Engine::Batches;
  Tracer tracer = {};                                // empty: the emulator
  trace::CountLevel level = trace::CountLevel::Ptx;  // MachineCode for a job whose machine code is made
  std::optional<caches::Rules> caches = {};  // the caches are modelled by these rules; none: see Job::caches
  bool keeps_origins = false;                // of the sectors that are loaded, where the caches are modelled
  uint64_t cache_budget_bytes = caches::StreamStage::kDefaultBudgetBytes;  // of requests that are kept
};

/// Options of the emulator for a run on `pool`, which must outlive them.
emulator::Options emulator_options(const RunOptions& options, emulator::Pool& pool);

}  // namespace lanescope::pipeline
