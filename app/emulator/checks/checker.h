// Watches the memory accesses of one block after the other for reads of what nobody wrote and for races.
// Method: a stamp (stamp.h) per granule says who wrote it last and who read it since; block_order.h says what
// happened before what. A granule is as wide as the narrowest access that the program makes to the space:
// accesses are aligned, so each covers whole granules. 32 lanes in equal steps are checked by access_check.h;
// whatever it does not pass comes here, lane by lane. Races between blocks: grid_shadow.h.
// Tests: tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "base/dim3.h"
#include "emulator/checks/access_traits.h"
#include "emulator/checks/block_order.h"
#include "emulator/checks/cluster_shadow.h"
#include "emulator/checks/findings.h"
#include "emulator/checks/grid_shadow.h"
#include "emulator/checks/shadow_pages.h"
#include "emulator/checks/stamp.h"
#include "emulator/code.h"
#include "emulator/memory/memory.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {

/// One access of one warp to one space, before it is made.
struct CheckedAccess {
  const Step& step;
  ptx::Space space = ptx::Space::Global;
  uint32_t bytes = 0;  // per lane
  uint32_t warp = 0;
  uint32_t mask = 0;
  const uint64_t* address = nullptr;  // [lane]
  uint32_t rank = 0;  // 1 + rank of the block of the cluster whose shared memory it is; 0: own
};

class Checker {
 public:
  /// `grid` is shared by the checkers of all workers; null for a grid of one block.
  Checker(const Code& code, const Memory& memory, const AccessTraits& traits, GridShadow* grid);

  /// log2 of the bytes of a granule of global memory.
  static int global_granule_shift(const ptx::Program& program);

  void begin_block(CtaId block, Dim3 position);
  void end_block();

  // What orders the accesses.
  void pass_barrier() { order_.meet_all(next_); }  // of all warps
  void pass_barrier(uint32_t barrier, std::span<const uint32_t> warps) { order_.meet(barrier, warps, next_); }
  void arrive_at_barrier(uint32_t barrier, uint32_t warp) { order_.arrive(barrier, warp, next_); }
  void meet_lanes(uint32_t warp) { order_.meet_lanes(warp, next_); }
  void fence(uint32_t warp);
  /// What an atomic does to the order beside: for instructions such as those of mbarrier. `place` is an
  /// address in `space`.
  void release(ptx::Space space, uint64_t place, uint32_t warp) {
    order_.release(place_of(space, place), warp, next_, true);
  }
  void acquire(ptx::Space space, uint64_t place, uint32_t warp) {
    order_.acquire(place_of(space, place), warp);
    pass_cluster();
  }

  // In a cluster.
  /// Before begin_block(), rank by rank.
  void join(ClusterShadow& cluster);
  void arrive_at_cluster(uint32_t warp) { publish(warp); }
  /// To be called when the barrier is over, or something else that the other blocks may have given a sign
  /// with.
  void pass_cluster();
  /// It gives the others such a sign.
  void signal_cluster();
  /// The blocks have met.
  void begin_epoch() { epoch_birth_ = next_; }

  // For access_check.h: the whole warp at once.
  bool checks_alone(const Step& step) const { return traits_[step.site] != 0 || cluster_ != nullptr; }
  /// What an access is as far as its check goes; Special orders other accesses, or may.
  enum class Care : uint8_t { Plain, Atomic, Special };
  Care care(const Step& step) const;
  Stamp number_access(const Step& step, uint32_t mask, uint32_t warp);
  Limits limits(uint32_t warp) const {
    return {make_stamp(order_.met_all(), 0), make_stamp(order_.met_lanes(warp), 0), make_stamp(birth_, 0)};
  }
  int granule_shift(ptx::Space space) const {
    return space == ptx::Space::Global ? global_shift_ : shared_shift_;
  }
  /// Those of granule 0; of the others likewise.
  Cells shared_cells() {
    Stamp* const first = shared_stamps_.data();
    return {first, first + shared_granules_, first + 2 * shared_granules_};
  }
  /// For an access to global memory.
  ShadowPages& pages() {
    touched_global_ = true;
    return pages_;
  }
  ShadowPage* global_page(uint64_t key) { return pages().find(key); }
  enum class Watch : uint8_t { Nothing, Races, Everything };
  /// Of the buffer that `address` is in.
  Watch watch(uint64_t address) const { return watch_[trace::buffer_of(address)]; }
  /// Whether read_too says anything since the last barrier of all warps.
  bool has_second_readers() const { return second_read_ >= order_.met_all(); }
  void note_second_reader() { second_read_ = next_; }
  bool written_by_lanes(uint32_t warp, uint64_t address, uint32_t bytes, uint32_t mask) const;
  void write_by_lanes(uint32_t warp, uint64_t address, uint32_t bytes, uint32_t mask);

  /// Checks lane by lane. Whether compare_values() has to be called before the access is made.
  bool check(const CheckedAccess& access);
  /// Tells races of equal values from others. `values`: [n-th lane of the mask][bytes] about to be written;
  /// byte `address` of lane l lies at data + address + l * lane_pitch.
  void compare_values(const CheckedAccess& access, const std::byte* values, uintptr_t data);
  /// To be called when the access has been made.
  void finish(const CheckedAccess& access);

  /// What the heap's pieces hold and who used them is no longer known.
  void ignore_heap();

  /// What the lane's own memory holds at [address, address + bytes) counts as written by nobody.
  void forget_local(uint32_t warp, int lane, uint64_t address, uint64_t bytes);

  Findings& findings() { return findings_; }
  /// Whether a block accessed more global memory than is checked.
  bool overflowed() const { return overflowed_; }
  /// Whether something was found that the order of blocks may have a part in.
  bool depends_on_order() const { return depends_on_order_; }

 private:
  struct WritePair {
    int lane = 0;
    uint64_t granule = 0;
    Stamp other = 0;
  };
  /// A write on top of another block's, whose values are to be compared.
  struct BlockPair {
    int lane = 0;
    uint64_t granule = 0;
    RaceSide there;
  };
  /// Accesses to a page that the warp of a fence does not know of.
  struct HeldBack {
    size_t page = 0;
    uint32_t written = 0, read = 0, updated = 0;  // masks
  };
  enum class Life : uint8_t { ToCome, Running, Over };
  using Entry = NumberedAccess;

  static uint64_t place_of(ptx::Space space, uint64_t address) {
    return space == ptx::Space::Global ? address : address | uint64_t{1} << 63;
  }
  void visit_grid(bool is_known);
  void publish(uint32_t warp);
  void hold_back(uint32_t warp);
  void give_back();
  bool is_unknown(Stamp stamp, uint32_t warp) const;
  Finding weighed(Finding finding, uint32_t step, uint32_t other) const;
  void signal_grid(const CheckedAccess& access);
  void note_page(const CheckedAccess& access, uint64_t granule);
  void renumber();
  Doing doing(const CheckedAccess& access) const;
  Cells cells_of(const CheckedAccess& access, uint64_t granule);
  bool was_written_before(const CheckedAccess& access, uint64_t granule);
  void check_local(const CheckedAccess& access);
  bool check_remote(const CheckedAccess& access);
  void visit_remote(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine, Checker& owner,
                    uint32_t& unwritten);
  void note_remote(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine, const Checker& owner);
  Cells shared_cells_of(uint64_t granule);
  void compare_with_owner(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine,
                          Checker& owner);
  void compare_with_others(const CheckedAccess& access, int lane, uint64_t granule, Stamp mine,
                           const Checker& owner);
  void note_block_race(const CheckedAccess& access, int lane, uint64_t granule, const RaceSide& there,
                       Doing doing);
  void report_block_race(const CheckedAccess& access, Finding finding, int lane, uint64_t granule,
                         const RaceSide& there);
  void report_absence(const RaceSide& here, const Checker& owner, uint64_t address, Finding finding);
  void begin_in_cluster();
  void end_in_cluster();
  RacePlace race_place(const CheckedAccess& access, uint64_t address, Finding finding) const;
  RaceSide side_of(const CheckedAccess& access, int lane) const {
    return {access.step.index, access.warp * kLanes + static_cast<uint32_t>(lane), position_};
  }
  void visit(const CheckedAccess& access, int lane, uint64_t granule, Cells cells, Stamp mine,
             uint32_t& unwritten);
  void update(Cells cells, Stamp mine, Doing what);
  bool conflicts(const CheckedAccess& access, Stamp mine, Stamp other) const;
  void report_race(const CheckedAccess& access, Finding finding, int lane, uint64_t granule, Stamp other);
  void report_blocks(const GridShadow::Conflict& conflict);
  void report_unwritten(const CheckedAccess& access, int lane, uint32_t unwritten, uint32_t granules);
  const Entry& entry_of(Stamp stamp) const { return log_[number_of(stamp) - birth_]; }

  const Code& code_;
  const Memory& memory_;
  BlockOrder order_;
  Findings findings_;
  CtaId block_;
  Dim3 position_;
  uint32_t next_ = 1;   // number of the next access
  uint32_t birth_ = 1;  // of the block's first
  uint32_t second_read_ = 0;
  std::vector<Entry> log_;  // [number - birth]
  int shared_shift_ = 2;    // log2 of a granule's bytes
  int global_shift_ = 2;
  int local_shift_ = 2;
  size_t shared_granules_ = 0;
  std::vector<Stamp> shared_stamps_;  // [written, read, read_too][granule of shared memory]
  ShadowPages pages_;
  std::vector<uint32_t> local_written_;  // [warp][granule of local memory] lanes that wrote their own
  const std::vector<uint8_t>& traits_;   // [site]
  const std::vector<bool>& is_ahead_;    // [site]
  std::vector<Watch> watch_;             // [buffer]
  std::vector<WritePair> pairs_;         // of the access at hand
  bool overflowed_ = false;
  bool depends_on_order_ = false;
  GridShadow* grid_;
  uint32_t after_ = 0;           // ticket: visits of other blocks that are past
  bool signals_ = false;         // the program has atomics and the like on global memory
  bool fenced_ = false;          // the block has executed a fence
  bool touched_global_ = false;  // since its last visit to the grid
  std::vector<uint32_t> open_;   // tickets of the block that no fence has ended
  std::vector<HeldBack> held_;
  ClusterShadow* cluster_ = nullptr;  // null: the block is one of its own
  uint32_t rank_ = 0;
  std::vector<uint32_t> team_;  // [rank] numbers of the cluster's blocks
  Life life_ = Life::ToCome;
  uint32_t epoch_birth_ = 1;            // number of the first access since the blocks of the cluster last met
  uint32_t seen_epoch_ = 0;             // the block knows of what was before it
  uint32_t after_in_cluster_ = 0;       // like after_, of the blocks of the cluster
  std::vector<BlockPair> block_pairs_;  // of the access at hand
  std::vector<GridShadow::Conflict> conflicts_;
  std::unordered_map<uint64_t, Stamp> replaced_;  // [granule of global memory] plain writes below atomics
};

}  // namespace lanescope::emulator
