// A run of a trace that was saved: its accesses, totals and findings, and what the models say of them. It has
// no PTX, and a source only where one is given, no lane values and no buffers. Of a large trace some blocks
// are in memory (Run::unread); what needs all of them is added up part by part. Tests:
// tests/unit/session/saved_trace_test.cpp

#pragma once

#include "base/error.h"
#include "model/device.h"
#include "pipeline/run.h"
#include "trace/trace_part.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

/// `sources`: texts by the names that the trace's sites have; the kernel's is the run's source.
std::shared_ptr<const Run> run_of_trace(trace::Trace trace, const model::Device& device,
                                        const std::map<std::string, std::string>& sources = {});

/// The same of a part that begins with the first block.
std::shared_ptr<const Run> run_of_trace(trace::TracePart part, const model::Device& device,
                                        const std::map<std::string, std::string>& sources = {});

/// Whether the run is of a saved trace.
bool is_saved_trace(const Run& run);

/// Whether the block may be in the file and is not in memory.
bool is_unread(const Run& run, CtaId block);
/// The run with the accesses of `part`, which has a block that is_unread(), in place of those in memory.
/// Errors: File where the part is of another launch, since the file was replaced.
Result<std::shared_ptr<const Run>> with_part(const Run& run, trace::TracePart part);

/// What the blocks of a run that has `unread` say together.
class BlockSums {
 public:
  /// A buffer whose elements are mapped: see model::map_elements().
  struct Elements {
    uint32_t buffer = 0;
    trace::Kind kind = trace::Kind::Load;
    bool operator==(const Elements&) const = default;
  };
  /// `run` says which launch it is.
  BlockSums(std::shared_ptr<const Run> run, const model::Device& device, std::optional<Elements> elements);

  /// Adds blocks after those before. Errors: File where they are of another launch.
  Result<void> add(const trace::Trace& part);
  /// A run of the launch with the sums, once all blocks were added. Called once.
  std::shared_ptr<const Run> counted(const Run& shown);

 private:
  std::shared_ptr<const Run> run_;
  model::Device device_;
  std::optional<Elements> wanted_elements_;
  std::vector<model::TileMap> tiles_;
  std::optional<model::PartitionReport> partitions_;
  std::vector<trace::Totals> totals_;  // [site]; empty where those of the trace are the device's
  model::BlockCosts costs_;
  std::optional<model::ElementMap> elements_;
};

}  // namespace lanescope::pipeline
