// One compiled and executed kernel: its texts, its trace, and what the models say of the whole grid.
// Made by Execution::run(); tests: tests/unit/pipeline/lesson_runs_test.cpp

#pragma once

#include "launch/launch.h"
#include "model/partitions.h"
#include "model/tiles.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

struct Seconds {
  double compile = 0;
  double run = 0;
  double model = 0;
};

/// Totals of a source line over the whole run.
struct LineCost {
  trace::Totals shared;
  trace::Totals global;
};

/// One compiled and executed kernel, and all that does not depend on the selection.
struct Run {
  std::string kernel;       // entry name
  std::string source_name;  // "transpose_tiled.cu"
  std::string source_text;
  std::string ptx_text;
  std::vector<std::string> defines;
  std::shared_ptr<const launch::Launch> launch;
  std::shared_ptr<const trace::Trace> trace;
  std::vector<LineCost> lines;                               // [source line - 1]
  std::shared_ptr<const model::PartitionReport> partitions;  // null: the device has no known map
  std::string partitions_reason;                             // why partitions is null
  std::shared_ptr<const std::vector<model::TileMap>> tiles;
  std::vector<launch::Contents> buffers;    // contents after the run, [buffer]
  std::vector<launch::Variable> variables;  // those in global memory after the run; of the emulator only
  std::optional<bool> output_correct;       // against the lesson's host reference
  std::string note;                         // what the results do not show by themselves; usually empty
  Seconds seconds;
  bool from_cache = false;  // PTX came from assets or the cache
};

}  // namespace lanescope::pipeline
