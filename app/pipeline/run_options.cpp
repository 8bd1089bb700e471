#include "pipeline/run_options.h"

namespace lanescope::pipeline {

emulator::Options emulator_options(const RunOptions& options, emulator::Pool& pool) {
  emulator::Options wanted;
  wanted.stop = options.stop;
  wanted.pool = &pool;
  wanted.threads = options.threads;
  wanted.finished_blocks = options.finished_blocks;
  wanted.first_blocks = options.first_blocks;
  wanted.checks = options.checks;
  wanted.scheduling = options.scheduling;
  wanted.engine = options.engine;
  if (options.limit_steps != 0) wanted.limit_steps = options.limit_steps;
  return wanted;
}

}  // namespace lanescope::pipeline
