// Findings of the checks: one hazard for each pair of lines, the first of its kind, with the number of times
// that it happened. Method: a finding is identified by its instructions, so that the millionth costs a
// look-up; findings of several workers are merged by block, so the list does not depend on the number of
// workers. Tests: tests/unit/emulator/race_test.cpp

#pragma once

#include "base/ids.h"
#include "trace/hazard.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {

/// Kind of a finding, which selects its sentence. Two findings of one kind at the same lines are one.
enum class Finding : uint8_t {
  RaceOfWarps,
  RaceOfLanes,        // of one warp, which a device need not run in step
  RaceInInstruction,  // lanes write different values to one place
  RaceOfBlocks,
  BlockNotStarted,  // shared memory of a block of the cluster that need not have begun
  BlockExited,      // shared memory of a block of the cluster that may have ended
  CopyUnderWay,     // access to the target of an asynchronous copy that has not arrived
  CopySource,       // write to the source of an asynchronous copy that is still being read
  EqualValues,      // a race whose two sides write the same
  Unwritten,
  PartlyUnwritten,
  TestAndSet,      // race of a test and a store of one value for all threads (access_idioms.h)
  RaceAhead,       // race of a load that the compiler moved before a condition
  UnwrittenAhead,  // uninitialized read by a load that the compiler moved before a condition
  UnwrittenInput,  // uninitialized read in a program that has put no data on the device
  BeyondPiece,     // of the device heap
  FreedPiece,
  NoMember,       // a lane executes a warp-wide instruction whose member mask does not name it
  AbsentSource,   // a shuffle takes the value of a lane that does not take part
  AbsentMembers,  // lanes that a member mask names have exited
  LeftBarrier,    // threads have exited before a barrier
  SkippedBarrier  // threads have skipped a barrier, executed code after it, and exited
};

/// True for findings that a correct kernel may have: they are reported as notes.
constexpr bool is_note(Finding finding) {
  return finding == Finding::EqualValues || finding == Finding::PartlyUnwritten ||
         finding == Finding::TestAndSet || finding == Finding::RaceAhead ||
         finding == Finding::UnwrittenAhead || finding == Finding::UnwrittenInput ||
         finding == Finding::AbsentSource || finding == Finding::AbsentMembers ||
         finding == Finding::LeftBarrier;
}

/// True for races of two plain accesses to memory, or of a plain access and an atomic.
constexpr bool is_race(Finding finding) {
  return finding == Finding::RaceOfWarps || finding == Finding::RaceOfLanes ||
         finding == Finding::RaceOfBlocks;
}

class Findings {
 public:
  struct Key {
    Finding finding = Finding::RaceOfWarps;
    uint32_t step = 0;   // in Program::steps
    uint32_t other = 0;  // step of the other side; kNoStep if unknown
    bool operator==(const Key&) const = default;
  };
  static constexpr uint32_t kNoStep = 0xffffffff;

  /// Counts the finding if it is known already; false if not.
  bool count(const Key& key);
  void add(const Key& key, CtaId block, trace::Hazard hazard);
  void merge(Findings&& other);
  bool empty() const { return list_.empty(); }

  /// Hazards or notes, one for each pair of source lines, in the order of blocks, at most kMaximumListed.
  std::vector<trace::Hazard> hazards() const;
  std::vector<trace::Hazard> notes() const;

 private:
  static constexpr size_t kMaximumListed = 100;
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    CtaId block;
    trace::Hazard hazard;
  };
  enum class Which : uint8_t { Hazards, Notes };
  std::vector<trace::Hazard> list(Which which) const;

  std::vector<Entry> list_;  // in the order in which they were found
  std::unordered_map<Key, size_t, Hash> index_;
};

}  // namespace lanescope::emulator
