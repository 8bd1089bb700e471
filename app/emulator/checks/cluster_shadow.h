// Accesses of the blocks of a cluster to each other's shared memory, for the checks. Method: accesses since
// the last cluster barrier are unordered. A fence, an instruction that is one, and an mbarrier of another
// block count as a barrier too: better a race that is not found than a false alarm. Each of these ends an
// epoch. A block's accesses to its own memory are the stamps of its SharedShadow; only accesses of other
// blocks are kept here. Tests: tests/unit/emulator/cluster_race_test.cpp

#pragma once

#include "base/dim3.h"
#include "emulator/checks/access_log.h"
#include "emulator/checks/race_text.h"
#include "emulator/checks/shared_shadow.h"
#include "emulator/checks/stamp.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::emulator {

class ClusterShadow {
 public:
  enum class Life : uint8_t { NotStarted, Running, Exited };
  /// State of one block that the other blocks of the cluster read.
  struct Member {
    const AccessLog* log = nullptr;
    SharedShadow* shared = nullptr;
    uint32_t epoch_birth = 1;  // number of its first access in this epoch
    Life life = Life::NotStarted;
    Dim3 position = {};  // once it has started
  };
  /// The last access of its kind to a granule by another block.
  struct Access {
    RaceSide side;
    uint32_t rank = 0;
    uint32_t epoch = kNever;
    Stamp stamp = 0;  // by the numbers of the block that made it
  };
  struct Granule {
    Access written, read;
    bool was_written = false;
  };
  using Granules = std::map<uint64_t, Granule>;

  /// Adds a block. Returns its rank, which is the next one.
  uint32_t join(const AccessLog& log, SharedShadow& shared);
  /// Ends the epoch: everything that any of the blocks has done is past for all of them.
  void meet();

  Member& member(uint32_t rank) { return members_[rank]; }
  uint32_t epoch() const { return epoch_; }
  bool is_past(const Access& access) const { return access.epoch != epoch_; }
  /// Granules of the shared memory of the block with this rank: only those that other blocks accessed.
  Granules& granules(uint32_t rank) { return granules_[rank]; }
  bool was_written(uint32_t rank, uint64_t granule) const;

 private:
  static constexpr uint32_t kNever = 0xffffffff;

  std::vector<Member> members_;     // [rank]
  std::vector<Granules> granules_;  // [rank]
  uint32_t epoch_ = 0;
};

}  // namespace lanescope::emulator
