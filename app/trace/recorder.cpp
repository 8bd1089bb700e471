#include "trace/recorder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <utility>

namespace lanescope::trace {
namespace {

uint64_t size_bytes(const StoredBlock& block) {
  return sizeof block + block.accesses.size() * sizeof(StoredAccess) + block.list.size() * sizeof(uint64_t) +
         block.values.size() + block.waits.size() * sizeof(Wait);
}

/// Properties that determine the cost of an access of a given site, if the access is not listed. Sectors and
/// lines repeat after 128 bytes, banks rotate with every word.
struct Pattern {
  int64_t stride = 0;
  int64_t row = 0;
  uint32_t row_lanes = kLanes;
  uint32_t active = 0;  // never 0 in an access: matches nothing at first
  uint32_t phase = 0;   // of the base
  bool operator==(const Pattern&) const = default;
};

constexpr uint32_t phase_bits(Space space) { return space == Space::Shared ? 3 : 127; }

Pattern pattern_of(const WarpAccess& access) {
  const AddressRef& addresses = access.addresses;
  return {.stride = addresses.stride,
          .row = addresses.affine() ? 0 : addresses.row,
          .row_lanes = addresses.row_lanes,
          .active = access.active.bits,
          .phase = static_cast<uint32_t>(addresses.base) & phase_bits(access.operation.space)};
}

/// Properties that determine the cost of an access of a given site by a group of warps.
struct GroupPattern {
  PatternId id;
  uint32_t count = 0;  // never 0 in a group: matches nothing at first
  uint32_t active = 0;
  uint32_t phase = 0;
  bool operator==(const GroupPattern&) const = default;
};

GroupPattern pattern_of(const GroupAccess& group) {
  return {group.pattern, group.count, group.active.bits,
          static_cast<uint32_t>(group.address) & phase_bits(group.operation.space)};
}

/// Totals of one site, its latest patterns, and how often each came. Most sites repeat a few over the whole
/// grid: then an access, or one of all warps of a block, is a comparison and an increment.
class SiteCounter {
 public:
  void add(const WarpAccess& access, CostFunction cost) {
    if (access.addresses.listed() || access.reading.any()) {
      totals_.add(access, cost(access));
      return;
    }
    const Pattern pattern = pattern_of(access);
    Known& known = known_[pattern.phase / 32];
    if (known.pattern != pattern) {
      flush(known, access.operation);
      known = {.pattern = pattern, .cost = cost(access), .times = 0};
    }
    ++known.times;
  }

  void add(const GroupAccess& group, CostFunction cost) {
    if (group.masks != nullptr) return add_masked(group, cost);
    const GroupPattern pattern = pattern_of(group);
    if (groups_ == nullptr) groups_ = std::make_unique<KnownGroups>();
    KnownGroup& known = (*groups_)[pattern.phase / 4];
    if (known.pattern != pattern) [[unlikely]] {
      if (group.pattern.maker == nullptr) return add_each(group, cost);
      totals_ += known.one.times(known.times);
      known = {.pattern = pattern, .one = total_of(group, cost), .times = 0};
    }
    ++known.times;
  }

  const Totals& finish(const Operation& operation) {
    for (Known& known : known_) flush(known, operation);
    const auto take = [&](auto& all) {
      if (all != nullptr)
        for (const KnownGroup& known : *all) totals_ += known.one.times(known.times);
      all.reset();
    };
    take(groups_);
    take(masked_);
    return totals_;
  }

 private:
  struct Known {
    Pattern pattern;
    Cost cost;
    uint64_t times = 0;
  };
  struct KnownGroup {
    GroupPattern pattern;
    Totals one;  // of one such group
    uint64_t times = 0;
  };
  using KnownGroups = std::array<KnownGroup, 32>;  // [phase / 4]: a loop over a row goes through all of them
  /// A known group whose warps have different lanes.
  struct KnownMasked : KnownGroup {
    std::array<uint32_t, 32> masks{};
  };
  using KnownMasks = std::array<KnownMasked, 32>;

  [[gnu::noinline]] void add_each(const GroupAccess& group, CostFunction cost) {
    for (uint32_t n = 0; n < group.count; ++n)
      if (group.lanes_of(n).bits != 0) add(group.at(n), cost);
  }

  [[gnu::noinline]] void add_masked(const GroupAccess& group, CostFunction cost) {
    const GroupPattern pattern = pattern_of(group);
    if (masked_ == nullptr) masked_ = std::make_unique<KnownMasks>();
    const std::span masks(group.masks, group.count);
    // Blocks at the edges of a grid have other lanes than those within it.
    const uint32_t differs = masks.front() + 3 * masks[masks.size() / 2] + 5 * masks.back();
    KnownMasked& known = (*masked_)[(pattern.phase / 4 + differs) % masked_->size()];
    if (known.pattern != pattern || std::memcmp(known.masks.data(), masks.data(), masks.size_bytes()) != 0) {
      if (group.pattern.maker == nullptr || masks.size() > known.masks.size()) return add_each(group, cost);
      totals_ += known.one.times(known.times);
      known = {{.pattern = pattern, .one = total_of(group, cost), .times = 0}, {}};
      std::ranges::copy(masks, known.masks.begin());
    }
    ++known.times;
  }

  /// Totals of the group's accesses. Mostly all warps have one pattern.
  [[gnu::noinline]] static Totals total_of(const GroupAccess& group, CostFunction cost) {
    const bool same = group.same_strides && (group.base_bits & phase_bits(group.operation.space)) == 0;
    Totals total;
    uint32_t last = 0;  // lanes
    Cost of_last;
    for (uint32_t n = 0; n < group.count; ++n) {
      const WarpAccess access = group.at(n);
      if (access.active.bits == 0) continue;
      if (!same || access.active.bits != last) of_last = cost(access);
      last = access.active.bits;
      total.add(access, of_last);
    }
    return total;
  }

  void flush(Known& known, const Operation& operation) {
    totals_.add({known.pattern.active}, operation, known.cost, known.times);
    known.times = 0;
  }

  Totals totals_;
  std::array<Known, 4> known_;           // [phase / 32]: rows of a matrix begin at any sector of a line
  std::unique_ptr<KnownGroups> groups_;  // null: there were none
  std::unique_ptr<KnownMasks> masked_;
};

constexpr uint64_t kNoPlace = std::numeric_limits<uint64_t>::max();

/// Index of the block among the blocks to be stored; kNoPlace if it is not to be stored.
uint64_t place_of(const Keep& keep, CtaId cta) {
  switch (keep.blocks) {
    case Keep::Blocks::All:
      return cta.value;
    case Keep::Blocks::None:
      return kNoPlace;
    case Keep::Blocks::Listed: {
      const auto found = std::ranges::lower_bound(keep.listed, cta);
      const bool is_listed = found != keep.listed.end() && *found == cta;
      return is_listed ? static_cast<uint64_t>(found - keep.listed.begin()) : kNoPlace;
    }
  }
  return kNoPlace;
}

}  // namespace

/// The longest prefix of the blocks to be stored, in launch order, that fits the budget: those with a place
/// in that order from `end()` on will not be stored. Shared by the workers, which report no other blocks.
class Recorder::KeptPrefix {
 public:
  explicit KeptPrefix(uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  uint64_t end() const { return end_.load(std::memory_order_relaxed); }

  /// Blocks that a worker has finished and not yet reported. A worker reports many at a time, since all wait
  /// for the lock; the few blocks that it stores beyond the end meanwhile are removed when the run ends.
  struct Finished {
    struct Block {
      uint64_t place = 0;
      uint64_t bytes = 0;
    };
    std::vector<Block> blocks;
    uint64_t bytes = 0;
  };
  void add(Finished& finished, uint64_t place, uint64_t bytes) {
    if (end() != kNoEnd) return;
    finished.blocks.push_back({place, bytes});
    finished.bytes += bytes;
    if (finished.blocks.size() >= kMostFinished || finished.bytes >= budget_bytes_ / kMostFinished)
      tell(finished);
  }
  void tell(Finished& finished) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [place, bytes] : finished.blocks) waiting_.emplace(place, bytes);
    finished = {};
    for (; !waiting_.empty() && waiting_.begin()->first == next_; waiting_.erase(waiting_.begin()))
      advance(waiting_.begin()->second);
  }

 private:
  static constexpr uint64_t kMostFinished = 64;
  static constexpr uint64_t kNoEnd = std::numeric_limits<uint64_t>::max();

  void advance(uint64_t bytes) {
    stored_bytes_ += bytes;
    if (stored_bytes_ > budget_bytes_ && next_ < end()) end_.store(next_, std::memory_order_relaxed);
    ++next_;
  }

  std::mutex mutex_;
  std::map<uint64_t, uint64_t> waiting_;  // finished before an earlier block is
  uint64_t budget_bytes_;
  uint64_t stored_bytes_ = 0;
  uint64_t next_ = 0;
  std::atomic<uint64_t> end_ = kNoEnd;
};

class Recorder::Worker final : public Sink {
 public:
  Worker(const Trace& trace, CostFunction cost, const Keep& keep, KeptPrefix& prefix)
      : trace_(trace), cost_(cost), keep_(keep), prefix_(prefix), counters_(trace.sites.size()) {}

  bool begin_block(CtaId cta) override {
    end_blocks();
    current_.resize(1);
    begin(current_.front(), cta);
    return current_.front().with_values;
  }

  bool begin_batch(CtaId first, BatchOrder order) override {
    if (keep_.values_of && keep_.values_of->value - first.value < order.blocks) return false;
    end_blocks();
    current_.resize(order.blocks);
    for (uint32_t n = 0; n < order.blocks; ++n) begin(current_[n], {first.value + n});
    return true;
  }

  void suspend_block() override {
    for (Current& current : current_) aside_.insert_or_assign(current.block.cta, std::move(current));
    current_.clear();
  }

  void resume_block(CtaId cta) override {
    end_blocks();
    const auto found = aside_.find(cta);
    if (found == aside_.end()) return;
    current_.clear();
    current_.push_back(std::move(found->second));
    aside_.erase(found);
  }

  void on_access(const WarpAccess& access) override {
    counters_[access.site.value].add(access, cost_);
    if (!has_addresses(access.operation.space)) return;  // its requests and lanes are all there is
    const BatchOrder order = this->order();
    keep(access, {order.warp_of(access.warp.value)}, current_[order.block_of(access.warp.value)]);
  }

  void on_group(const GroupAccess& group) override {
    counters_[group.site.value].add(group, cost_);
    const BatchOrder order = this->order();
    for (uint32_t block = 0; block < order.blocks; ++block) {
      Current& current = current_[block];
      if (!current.is_wanted()) continue;
      for (uint32_t warp = 0; warp < order.warps_among(group.count, block); ++warp) {
        const uint32_t n = order.number_of(block, warp);
        if (group.lanes_of(n).bits != 0) keep(group.at(n), {warp}, current);
      }
    }
  }

  void on_wait(const Wait& wait) override {
    Current& current = current_.front();
    if (!current.with_values || !current.storing) return;
    current.block.waits.push_back(wait);
    current.room -= static_cast<int64_t>(sizeof wait);
    if (current.room < 0) give_up(current);
  }

  /// Moves what this worker recorded into `totals` and `blocks`; returns the accesses it dropped.
  uint64_t finish(std::vector<Totals>& totals, std::vector<StoredBlock>& blocks) {
    end_blocks();
    while (!aside_.empty()) resume_block(aside_.begin()->first);
    end_blocks();
    prefix_.tell(finished_);
    for (size_t n = 0; n < counters_.size(); ++n) totals[n] += counters_[n].finish(trace_.sites[n].operation);
    std::ranges::move(blocks_, std::back_inserter(blocks));
    return dropped_;
  }

 private:
  /// A current block: several in a batch.
  struct Current {
    StoredBlock block;          // accesses in the order of arrival
    int64_t room = 0;           // bytes of the budget that it may still take
    uint64_t outgrown = 0;      // bytes that it had when it was dropped
    uint64_t place = kNoPlace;  // in the order of the blocks to be stored
    bool in_block = false;
    bool storing = false;
    bool with_values = false;
    bool is_wanted() const { return place != kNoPlace; }
  };

  /// The numbers that warps have in accesses to the current blocks.
  BatchOrder order() const { return {static_cast<uint32_t>(current_.size())}; }

  void begin(Current& current, CtaId cta) {
    current.block.cta = cta;
    current.in_block = true;
    current.place = place_of(keep_, cta);
    current.storing = current.is_wanted() && (current.place < prefix_.end() || keep_.values_of == cta);
    current.room =
        static_cast<int64_t>(std::min<uint64_t>(keep_.budget_bytes, std::numeric_limits<int64_t>::max()));
    current.with_values = current.storing && keep_.values_of == cta;
  }

  /// Stores the access in its block, if that is to be stored. `warp`: in the block.
  void keep(const WarpAccess& access, WarpId warp, Current& current) {
    if (current.storing) {
      store(access, warp, current);
    } else if (current.is_wanted()) {
      ++dropped_;
    }
  }

  /// Writes each field in place: a record that is built first and then copied stalls on store forwarding,
  /// which costs more than the rest of the function.
  void store(const WarpAccess& access, WarpId warp, Current& current) {
    StoredAccess& stored = current.block.accesses.emplace_back();
    stored.site = access.site;
    stored.warp = warp;
    stored.step = access.step;
    stored.active = access.active;
    stored.base = access.addresses.base;
    stored.stride = static_cast<int32_t>(access.addresses.stride);
    current.room -= static_cast<int64_t>(sizeof stored);
    if (!access.addresses.affine() || stored.stride != access.addresses.stride)
      store_list(access, stored, current);
    if (current.with_values && access.values != nullptr) store_values(access, stored, current);
    if (current.room < 0) give_up(current);
  }

  static void store_list(const WarpAccess& access, StoredAccess& stored, Current& current) {
    stored.affine = false;
    stored.base = current.block.list.size();
    stored.stride = 0;
    for_each_address(access, [&](int, int, uint64_t address) { current.block.list.push_back(address); });
    current.room -= static_cast<int64_t>(sizeof(uint64_t)) * access.active.count();
  }

  static void store_values(const WarpAccess& access, StoredAccess& stored, Current& current) {
    const auto bytes = size_t{access.operation.bytes_per_lane} * static_cast<size_t>(access.active.count());
    stored.values_at = static_cast<uint32_t>(current.block.values.size());
    current.block.values.insert(current.block.values.end(), access.values, access.values + bytes);
    current.room -= static_cast<int64_t>(bytes);
  }

  /// One block alone exceeds the budget, so it cannot be stored: do not fill the memory with it.
  void give_up(Current& current) {
    dropped_ += current.block.accesses.size();
    current.outgrown = size_bytes(current.block);
    current.block = StoredBlock{.cta = current.block.cta, .accesses = {}, .list = {}, .values = {}};
    current.storing = false;
  }

  void end_blocks() {
    for (Current& current : current_) end(current);
  }

  /// Stores the block with its accesses in order of (warp, step). They arrive in order within a warp, so a
  /// counting sort by warp is enough.
  void end(Current& current) {
    if (!std::exchange(current.in_block, false)) return;
    if (!current.storing) {
      if (current.is_wanted()) prefix_.add(finished_, current.place, std::exchange(current.outgrown, 0));
      return;
    }
    first_of_warp_.clear();
    for (const StoredAccess& access : current.block.accesses) {
      if (access.warp.value >= first_of_warp_.size()) first_of_warp_.resize(access.warp.value + 1);
      ++first_of_warp_[access.warp.value];
    }
    uint32_t first = 0;
    for (uint32_t& of_warp : first_of_warp_) first += std::exchange(of_warp, first);
    order_.resize(current.block.accesses.size());
    for (uint32_t n = 0; n < order_.size(); ++n)
      order_[first_of_warp_[current.block.accesses[n].warp.value]++] = n;
    StoredBlock kept{.cta = current.block.cta,
                     .accesses = {},
                     .list = current.block.list,
                     .values = current.block.values,
                     .waits = std::exchange(current.block.waits, {}),
                     .knows_waits = current.with_values && trace_.provenance == Provenance::Emulated};
    kept.accesses.reserve(order_.size());
    for (const uint32_t n : order_) kept.accesses.push_back(current.block.accesses[n]);
    prefix_.add(finished_, current.place, size_bytes(kept));
    blocks_.push_back(std::move(kept));
    current.block.accesses.clear();
    current.block.list.clear();
    current.block.values.clear();
  }

  const Trace& trace_;
  CostFunction cost_;
  const Keep& keep_;
  KeptPrefix& prefix_;
  std::vector<SiteCounter> counters_;  // [site]
  std::vector<Current> current_;       // one, or those of a batch
  std::map<CtaId, Current> aside_;
  std::vector<uint32_t> first_of_warp_;
  std::vector<uint32_t> order_;  // [index in the stored block] index in Current::block
  std::vector<StoredBlock> blocks_;
  KeptPrefix::Finished finished_;
  uint64_t dropped_ = 0;
};

Recorder::Recorder(Trace header, CostFunction cost, Keep keep)
    : trace_(std::move(header)), cost_(cost), keep_(std::move(keep)) {
  std::ranges::sort(keep_.listed);
  const auto repeated = std::ranges::unique(keep_.listed);  // each block has one place
  keep_.listed.erase(repeated.begin(), repeated.end());
  prefix_ = std::make_unique<KeptPrefix>(keep_.budget_bytes);
}

Recorder::~Recorder() = default;

Sink& Recorder::sink(unsigned worker) {
  while (workers_.size() <= worker)
    workers_.push_back(std::make_unique<Worker>(trace_, cost_, keep_, *prefix_));
  return *workers_[worker];
}

Trace Recorder::finish() {
  std::vector<Totals> totals(trace_.sites.size());
  std::vector<StoredBlock> blocks;
  for (const auto& worker : workers_) trace_.dropped += worker->finish(totals, blocks);
  workers_.clear();
  std::ranges::sort(blocks, {}, &StoredBlock::cta);
  const auto is_looked_at = [&](const StoredBlock& block) { return keep_.values_of == block.cta; };
  uint64_t bytes = 0;
  for (const StoredBlock& block : blocks)
    if (is_looked_at(block)) bytes = size_bytes(block);
  bool fits = true;
  for (StoredBlock& block : blocks) {
    if (!is_looked_at(block))
      fits = fits && place_of(keep_, block.cta) < prefix_->end() &&
             (bytes += size_bytes(block)) <= keep_.budget_bytes;
    if (fits || is_looked_at(block))
      trace_.blocks.push_back(std::move(block));
    else
      trace_.dropped += block.accesses.size();
  }
  trace_.totals = std::move(totals);
  return std::move(trace_);
}

}  // namespace lanescope::trace
