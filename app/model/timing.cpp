// The warps of the timing model, which step through their accesses; model/memory_network.h connects them to
// the memory. There are two kinds of events: a warp continues, and a transaction moves.

#include "model/timing.h"

#include "base/random.h"
#include "model/bank_rules.h"
#include "model/event_queue.h"
#include "model/memory_network.h"
#include "model/repeated_transactions.h"
#include "model/residency.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::Space;
using trace::StoredAccess;
using trace::StoredBlock;

constexpr Picoseconds kJitter = 200'000;

struct Warp {
  enum class State : uint8_t { Ready, Issued, Sleeping, WaitsForLoads, AtBarrier, Done };
  const StoredAccess* first = nullptr;
  const StoredAccess* next = nullptr;
  const StoredAccess* end = nullptr;
  uint32_t resident = 0;  // index of its block's slot
  uint32_t loads_under_way = 0;
  Picoseconds loads_return = 0;
  State state = State::Done;
  bool wrote_shared = false;  // since the last barrier
  bool read_shared = false;
};

/// A slot for a block on a multiprocessor.
struct Resident {
  const StoredBlock* block = nullptr;
  uint32_t multiprocessor = 0;
  uint32_t first_warp = 0;
  uint32_t live = 0;  // warps that are not done
  uint32_t at_barrier = 0;
};

/// Passes of the last affine access of a site to shared memory.
struct LastPasses {
  uint64_t base = 0;
  int32_t stride = 0;
  LaneMask active;
  uint32_t passes = 0;  // 0: none yet
};

class Simulation {
 public:
  Simulation(const trace::Trace& trace, const Device& device, const TimingParameters& parameters,
             const TimingOptions& options)
      : trace_(trace),
        device_(device),
        parameters_(parameters),
        options_(options),
        network_(device, parameters, options),
        transactions_(trace, device.compute_capability, Caching::L2Only),
        shader_(1e12 / parameters.shader_hertz),
        core_(1e12 / parameters.core_hertz) {
    set_up_blocks();
  }

  /// Errors: Cancelled.
  Result<TimingReport> run(const std::stop_token& stop) {
    start_blocks(0);
    constexpr uint64_t kStepsPerLook = 1 << 14;  // events between looks at `stop`: a millisecond or two
    for (uint64_t steps = 1;; ++steps) {
      if (steps % kStepsPerLook == 0 && stop.stop_requested()) return fail(ErrorKind::Cancelled, "cancelled");
      const Picoseconds memory_time = network_.next_time();
      const Picoseconds warp_time = events_.next_time();
      if (warp_time == kNever && memory_time == kNever) break;
      if (warp_time <= memory_time)
        walk(events_.pop(), warp_time);
      else
        network_.step([this](uint32_t warp, Picoseconds time) { load_returns(warp, time); },
                      [this](uint32_t warp, Picoseconds now) { wake(warp, now); });
    }
    network_.finish(report_);
    report_.blocks_missing = volume(trace_.grid) - std::min(volume(trace_.grid), report_.blocks);
    return std::move(report_);
  }

 private:
  bool holds(Assumption assumption) const { return options_.assumptions.holds(assumption); }

  void set_up_blocks() {
    const uint64_t warps_per_block = (volume(trace_.block) + kLanes - 1) / kLanes;
    uint32_t per_multiprocessor = holds(Assumption::Residency)
                                      ? residency_of(trace_, device_).per_multiprocessor
                                      : device_.blocks_per_multiprocessor;
    report_.blocks_in_flight = per_multiprocessor * device_.multiprocessors;
    // A multiprocessor never has more than all blocks.
    per_multiprocessor = static_cast<uint32_t>(std::min<size_t>(per_multiprocessor, trace_.blocks.size()));
    warps_.resize(
        static_cast<size_t>(uint64_t{per_multiprocessor} * device_.multiprocessors * warps_per_block));
    free_places_.resize(parameters_.clusters);
    // Slots of a cluster in the order of use: one on each multiprocessor, then the next on each.
    for (uint32_t layer = 0; layer < per_multiprocessor; ++layer) {
      for (uint32_t n = 0; n < device_.multiprocessors; ++n) {
        const auto place = static_cast<uint32_t>(residents_.size());
        residents_.push_back(
            {.multiprocessor = n, .first_warp = static_cast<uint32_t>(place * warps_per_block)});
        free_places_[cluster_of(n)].push_back(place);
      }
    }
    issue_free_.assign(device_.multiprocessors, 0);
    last_passes_.resize(trace_.sites.size());
    set_up_instructions(warps_per_block);
  }

  /// The instructions between the accesses of a warp, so that their sum is what the warps executed: the
  /// shortest paths of the gaps only distribute it.
  void set_up_instructions(uint64_t warps_per_block) {
    gaps_ = options_.gaps;
    double sum = gaps_.first.size() == trace_.sites.size() ? instructions_of_gaps(warps_per_block) : 0;
    if (sum == 0) {
      gaps_ = {.first = std::vector<Gap>(trace_.sites.size(), Gap{.instructions = 1}),
               .next = std::vector<Gap>(trace_.sites.size(), Gap{.instructions = 1}),
               .last = {.instructions = 1}};
      sum = instructions_of_gaps(warps_per_block);
    }
    if (holds(Assumption::Instructions)) {
      const uint64_t counted = options_.counted_blocks != 0 ? options_.counted_blocks : volume(trace_.grid);
      const double executed = static_cast<double>(trace_.warp_instructions) / static_cast<double>(counted) *
                              static_cast<double>(trace_.blocks.size());
      instructions_per_gap_ = executed / sum * parameters_.instructions_per_ptx;
    }
    if (holds(Assumption::Divisions))
      instructions_per_division_ = parameters_.division_instructions * options_.division_cost - 1;
  }

  double instructions_of_gaps(uint64_t warps_per_block) const {
    double sum = 0;
    for (const StoredBlock& block : trace_.blocks) {
      std::optional<WarpId> warp;
      for (const StoredAccess& access : block.accesses) {
        const bool first = warp != access.warp;
        warp = access.warp;
        sum += (first ? gaps_.first : gaps_.next)[access.site.value].instructions;
      }
      sum += static_cast<double>(warps_per_block) * gaps_.last.instructions;
    }
    return sum;
  }

  double instructions_before_next(const Warp& warp) const {
    const Gap& gap = warp.next == warp.end     ? gaps_.last
                     : warp.next == warp.first ? gaps_.first[warp.next->site.value]
                                               : gaps_.next[warp.next->site.value];
    return gap.instructions * instructions_per_gap_ + gap.divisions * instructions_per_division_;
  }

  uint32_t cluster_of(uint32_t multiprocessor) const { return multiprocessor % parameters_.clusters; }

  // ---------------------------------------------------------------------------------- blocks

  void start_blocks(Picoseconds now) {
    while (next_block_ < trace_.blocks.size()) {
      const std::optional<uint32_t> cluster = cluster_of_next_block();
      if (!cluster) return;
      Ring<uint32_t>& places = free_places_[*cluster];
      const uint32_t place = places.front();
      places.pop_front();
      next_cluster_ = (*cluster + 1) % parameters_.clusters;
      dispatch_free_ =
          std::max(now, dispatch_free_) + static_cast<Picoseconds>(parameters_.dispatch_core_cycles * core_);
      start(place, trace_.blocks[next_block_++], dispatch_free_);
    }
  }

  std::optional<uint32_t> cluster_of_next_block() const {
    if (!free_places_[next_cluster_].empty()) return next_cluster_;
    if (holds(Assumption::InOrderDispatch)) return {};
    for (uint32_t n = 0; n < parameters_.clusters; ++n)
      if (!free_places_[n].empty()) return n;
    return {};
  }

  void start(uint32_t place, const StoredBlock& block, Picoseconds now) {
    if (options_.jitter_seed)
      now += static_cast<Picoseconds>(random_at(*options_.jitter_seed, block.cta.value) % kJitter);
    Resident& resident = residents_[place];
    resident.block = &block;
    resident.at_barrier = 0;
    resident.live = 0;
    const uint32_t warps = static_cast<uint32_t>((volume(trace_.block) + kLanes - 1) / kLanes);
    const StoredAccess* const end = block.accesses.data() + block.accesses.size();
    const StoredAccess* access = block.accesses.data();
    for (uint32_t n = 0; n < warps; ++n) {
      const StoredAccess* const first = access;
      while (access != end && access->warp.value == n) ++access;
      Warp& warp = warps_[resident.first_warp + n];
      warp = {.first = first, .next = first, .end = access, .resident = place, .state = Warp::State::Ready};
      ++resident.live;
      wake(resident.first_warp + n, now);
    }
    ++report_.blocks;
  }

  void end_warp(uint32_t index, Picoseconds now) {
    warps_[index].state = Warp::State::Done;
    const uint32_t place = warps_[index].resident;
    Resident& resident = residents_[place];
    --resident.live;
    if (resident.live != 0) {
      open_barrier(resident, now);
      return;
    }
    free_places_[cluster_of(resident.multiprocessor)].push_back(place);
    start_blocks(now);
  }

  // ---------------------------------------------------------------------------------- warps

  void wake(uint32_t warp, Picoseconds time) { events_.push(time, warp); }

  /// Continues a warp as far as it can without waiting.
  void walk(uint32_t index, Picoseconds now) {
    Warp& warp = warps_[index];
    if (warp.state == Warp::State::Issued) {
      if (!access_memory(index, now)) return;
    }
    warp.state = Warp::State::Ready;
    if (!has_its_loads(warp, index, now)) return;
    if (warp.next != warp.end && waits_at_barrier(index, now)) return;
    issue(index, now);
  }

  /// A load waits for nothing; everything else may need the loaded data.
  bool has_its_loads(Warp& warp, uint32_t index, Picoseconds now) {
    if (warp.next != warp.end) {
      const trace::Operation& operation = operation_of(*warp.next);
      if (operation.space == Space::Global && operation.kind == Kind::Load) return true;
    }
    if (warp.loads_under_way != 0) {
      warp.state = Warp::State::WaitsForLoads;
      return false;
    }
    if (warp.loads_return > now) {
      wake(index, warp.loads_return);
      return false;
    }
    return true;
  }

  /// The trace has no barriers. MODEL: a block's warps wait for each other where they change from writing
  /// shared memory to reading it, or back.
  bool waits_at_barrier(uint32_t index, Picoseconds now) {
    Warp& warp = warps_[index];
    const trace::Operation& operation = operation_of(*warp.next);
    if (operation.space != Space::Shared || !holds(Assumption::Barriers)) return false;
    const bool reads = operation.kind == Kind::Load;
    const bool turns = reads ? warp.wrote_shared : warp.read_shared;
    if (!turns) return false;
    warp.wrote_shared = warp.read_shared = false;
    warp.state = Warp::State::AtBarrier;
    Resident& resident = residents_[warp.resident];
    ++resident.at_barrier;
    open_barrier(resident, now);
    return true;
  }

  void open_barrier(Resident& resident, Picoseconds now) {
    if (resident.at_barrier == 0 || resident.at_barrier < resident.live) return;
    resident.at_barrier = 0;
    const auto warps = static_cast<uint32_t>((volume(trace_.block) + kLanes - 1) / kLanes);
    for (uint32_t n = 0; n < warps; ++n) {
      Warp& warp = warps_[resident.first_warp + n];
      if (warp.state != Warp::State::AtBarrier) continue;
      warp.state = Warp::State::Ready;
      wake(resident.first_warp + n, now);
    }
  }

  /// The pipeline of the multiprocessor takes the instructions up to the next access, and the access.
  void issue(uint32_t index, Picoseconds now) {
    Warp& warp = warps_[index];
    double cycles = instructions_before_next(warp) * parameters_.issue_shader_cycles;
    if (warp.next != warp.end && operation_of(*warp.next).space == Space::Shared) cycles += bank_cycles(warp);
    Picoseconds& free = issue_free_[residents_[warp.resident].multiprocessor];
    free = std::max(now, free) + std::llround(cycles * shader_);
    warp.state = Warp::State::Issued;
    wake(index, free);
  }

  double bank_cycles(const Warp& warp) {
    if (!holds(Assumption::BankConflicts)) return 0;
    const uint32_t passes = passes_of(*warp.next, *residents_[warp.resident].block);
    return std::max(
        0.0, static_cast<double>(passes) * parameters_.bank_shader_cycles - parameters_.issue_shader_cycles);
  }

  /// Accesses of one site are nearly always alike: banks rotate with the base, the passes stay the same.
  uint32_t passes_of(const StoredAccess& stored, const StoredBlock& block) {
    // Banks rotate with the base: by a word if a rule depends only on banks, by 64 words on Kepler.
    const uint64_t turn = device_.compute_capability / 10 == 3 ? 256 : 4;
    LastPasses& last = last_passes_[stored.site.value];
    if (stored.affine && last.passes != 0 && last.stride == stored.stride && last.active == stored.active &&
        last.base == stored.base % turn)
      return last.passes;
    const uint32_t passes =
        count_shared_passes(view(trace_, block, stored), device_.compute_capability).passes;
    if (stored.affine) last = {stored.base % turn, stored.stride, stored.active, passes};
    return passes;
  }

  /// Returns whether the warp may continue at once.
  bool access_memory(uint32_t index, Picoseconds now) {
    Warp& warp = warps_[index];
    if (warp.next == warp.end) {
      end_warp(index, now);
      return false;
    }
    const StoredAccess& stored = *warp.next++;
    const trace::Operation& operation = operation_of(stored);
    if (operation.space == Space::Shared) {
      (operation.kind == Kind::Load ? warp.read_shared : warp.wrote_shared) = true;
      return true;
    }
    if (operation.space != Space::Global) return true;  // the location of local memory is not known
    report_.useful_bytes += static_cast<uint64_t>(stored.active.count()) * operation.bytes_per_lane;
    const Resident& resident = residents_[warp.resident];
    const uint32_t cluster = cluster_of(resident.multiprocessor);
    const bool reads = operation.kind != Kind::Store;
    const bool writes = operation.kind != Kind::Load && operation.kind != Kind::AsyncCopy;
    transactions_.for_each(*resident.block, stored, [&](uint64_t address, uint32_t bytes) {
      QueuedTransaction queued{.issued = now,
                               .warp = index,
                               .partition = static_cast<uint16_t>(network_.partition_at(address)),
                               .bytes = static_cast<uint8_t>(bytes)};
      if (reads) {
        ++warp.loads_under_way;
        network_.push(cluster, queued);
      }
      queued.write = true;
      if (writes) network_.push(cluster, queued);
    });
    if (network_.accept(cluster, index, now)) return true;
    warp.state = Warp::State::Sleeping;
    return false;
  }

  const trace::Operation& operation_of(const StoredAccess& stored) const {
    return trace_.sites[stored.site.value].operation;
  }

  /// The data of a read arrives at `time`.
  void load_returns(uint32_t index, Picoseconds time) {
    Warp& warp = warps_[index];
    warp.loads_return = std::max(warp.loads_return, time);
    if (--warp.loads_under_way == 0 && warp.state == Warp::State::WaitsForLoads) {
      warp.state = Warp::State::Ready;
      wake(index, warp.loads_return);
    }
  }

  const trace::Trace& trace_;
  const Device& device_;
  const TimingParameters& parameters_;
  const TimingOptions& options_;
  MemoryNetwork network_;
  RepeatedTransactions transactions_;
  TimingReport report_;

  double shader_, core_;  // picoseconds of a cycle
  AccessGaps gaps_;
  double instructions_per_gap_ = 0;       // of the multiprocessor, for each PTX instruction of a gap
  double instructions_per_division_ = 0;  // more than one

  std::vector<Resident> residents_;
  std::vector<Ring<uint32_t>> free_places_;  // [cluster]
  std::vector<Picoseconds> issue_free_;      // [multiprocessor]
  std::vector<Warp> warps_;                  // [slot][warp of the block]
  std::vector<LastPasses> last_passes_;      // [site]
  size_t next_block_ = 0;
  uint32_t next_cluster_ = 0;
  Picoseconds dispatch_free_ = 0;

  EventQueue events_;  // warps that continue
};

}  // namespace

Result<TimingReport> time_memory(const trace::Trace& trace, const Device& device,
                                 const TimingOptions& options, const std::stop_token& stop) {
  if (!device.timing || !device.memory_bytes_per_second)
    return fail(
        ErrorKind::Unsupported,
        fmt::format("{} has no timing model: its file has no [timing]; try --device gt200", device.title));
  if (device.partitions.hash == PartitionMap::Hash::Unknown)
    return fail(ErrorKind::Unsupported,
                fmt::format("the partitions of {} are not known; try --device gt200", device.title));
  if (trace.blocks.empty())
    return fail(ErrorKind::Usage,
                "the trace has no stored block, so there is nothing to time; use --blocks all");
  return Simulation(trace, device, *device.timing, options).run(stop);
}

}  // namespace lanescope::model
