// All blocks of a large saved trace, read part by part while nobody waits: what needs all of them is then in
// the run (pipeline::BlockSums), which never holds more than some of them. Tests:
// tests/unit/session/saved_trace_test.cpp

#pragma once

#include "pipeline/options.h"
#include "pipeline/saved_trace.h"
#include "session/command.h"
#include "session/snapshot.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::session {

class BlockReading {
 public:
  explicit BlockReading(const pipeline::Options& options) : options_(options) {}

  /// Whether advance() has something to do.
  bool is_under_way() const { return work_.has_value(); }
  /// Begins with the first block where the run has not counted all, or not mapped the elements that are
  /// asked for. Snapshot::reading says how far it is.
  void follow(Snapshot& snapshot, const std::optional<ShowElements>& elements);
  /// Reads the next part. After the last the snapshot has the run with the sums, and the value is true.
  /// Errors: those of Options::read_trace and BlockSums::add(); the run then stays as it is.
  Result<bool> advance(Snapshot& snapshot);

 private:
  using Elements = std::optional<pipeline::BlockSums::Elements>;
  struct Work {
    std::shared_ptr<const launch::Launch> launch;  // of the runs that differ only in the blocks in memory
    std::string device;
    Elements elements;
    pipeline::BlockSums sums;
    CtaId next;
  };

  const pipeline::Options& options_;
  std::optional<Work> work_;
  std::shared_ptr<const launch::Launch> failed_;  // of which blocks could not be read
};

}  // namespace lanescope::session
