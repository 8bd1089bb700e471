// The run that the present one is compared with: A. Method: a snapshot of its own, which the worker keeps at
// the place that corresponds to the present selection. Another block runs A's launches again, as the emulator
// keeps lane values of one block. Tests: tests/unit/session/pinned_run_test.cpp

#pragma once

#include "session/current_runs.h"
#include "session/requested_views.h"
#include "session/snapshot.h"

#include <array>
#include <memory>
#include <optional>
#include <tuple>

namespace lanescope::session {

class PinnedRun {
 public:
  PinnedRun(pipeline::Execution& execution, GpuHandle& gpu) : execution_(execution), gpu_(gpu) {}

  bool is_set() const { return a_.run != nullptr; }
  /// The snapshot as A. Errors: Usage while what is chosen there did not run.
  Result<void> pin(const Snapshot& snapshot, const CurrentRuns& runs);
  void unpin() { a_ = {}; }
  /// Exchanges A and what the snapshot shows. Errors: those of pin(), and Usage where nothing is pinned.
  Result<void> swap(Snapshot& snapshot, CurrentRuns& runs);

  /// Whether lane values of A at this place of the present run need another run.
  bool needs_run(const Snapshot& snapshot, CtaId cta) const;
  /// Reads that block of A, where A is a large saved trace. Errors: those of CurrentRuns::read_block().
  Result<void> read_block(const Snapshot& snapshot, CtaId cta, const CurrentRuns& runs);
  /// Makes that run. Errors: those of run_by_producer(); A is then as before.
  Result<void> run(const Snapshot& snapshot, CtaId cta, const std::stop_token& stop);

  /// Shows A in the snapshot, at the place that corresponds to its selection.
  void follow(Snapshot& snapshot, const RequestedViews& views);
  /// The access of the snapshot's warp that corresponds to access `index` of A.
  uint32_t in_present(const Snapshot& snapshot, uint32_t index) const;
  /// A's first access on a line of its own source.
  std::optional<uint32_t> on_line(int line) const;

 private:
  /// What A's snapshot depends on.
  struct Followed {
    uint64_t run_generation = 0;
    pipeline::SelectionRequest place;
    uint32_t wave = 0;
    Language language = Language::English;
    std::array<const void*, 4> views{};  // that RequestedViews made for the present run
    bool operator==(const Followed& other) const;
  };
  CtaId block_of(const Snapshot& snapshot, CtaId cta) const;
  void select(const Snapshot& snapshot);

  pipeline::Execution& execution_;
  GpuHandle& gpu_;
  Snapshot a_;              // run: null while nothing is pinned
  CurrentRuns::Made made_;  // what A's runs were made from
  CtaId values_of_;         // the block whose lane values A has
  std::optional<Followed> followed_;
  std::shared_ptr<const Snapshot> shown_;
  bool has_same_sites_ = false;
  uint64_t generation_ = 0;
  uint64_t run_generation_ = 0;  // of A's runs: its panels are not those of the present run
};

}  // namespace lanescope::session
