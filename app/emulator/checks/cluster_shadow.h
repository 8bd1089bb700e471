// Who accessed a block's shared memory from other blocks of its cluster, for the checks. Method: what was
// done since the blocks last met is in nobody's order. They meet at barrier.cluster; a fence, an instruction
// that is one, and an mbarrier of another block count as if all had met: better a race that is not found than
// a false alarm. Each meeting ends an epoch. A block's accesses to its own memory are the stamps of its
// Checker, and only the others' are kept here. Tests: tests/unit/emulator/cluster_race_test.cpp

#pragma once

#include "emulator/checks/race_text.h"
#include "emulator/checks/stamp.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::emulator {

class Checker;

class ClusterShadow {
 public:
  /// The last access of its kind to a granule by another block.
  struct Access {
    RaceSide who;
    uint32_t rank = 0;
    uint32_t epoch = kNever;
    Stamp stamp = 0;  // by the numbers of who did it
  };
  struct Granule {
    Access written, read;
    bool was_written = false;
  };
  using Granules = std::map<uint64_t, Granule>;

  /// The next rank.
  uint32_t join(Checker& checker);
  /// Everything that any of the blocks has done is past for all of them.
  void meet();

  Checker& checker(uint32_t rank) { return *checkers_[rank]; }
  uint32_t epoch() const { return epoch_; }
  bool is_past(const Access& access) const { return access.epoch != epoch_; }
  /// Of the shared memory of the block with this rank; those that others accessed.
  Granules& granules(uint32_t rank) { return granules_[rank]; }
  bool was_written(uint32_t rank, uint64_t granule) const;

 private:
  static constexpr uint32_t kNever = 0xffffffff;

  std::vector<Checker*> checkers_;  // [rank]
  std::vector<Granules> granules_;  // [rank]
  uint32_t epoch_ = 0;
};

}  // namespace lanescope::emulator
