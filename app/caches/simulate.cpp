#include "caches/simulate.h"

#include "caches/address_map.h"
#include "caches/carve_out.h"
#include "caches/known_devices.h"
#include "caches/l1_stages.h"
#include "caches/latencies.h"
#include "caches/line_requests.h"
#include "caches/packets.h"
#include "caches/running_launch.h"
#include "model/residency.h"
#include "model/sectors.h"
#include "trace/traffic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <queue>
#include <random>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::caches {
namespace {

constexpr Cycles kIssue = 4;  // between two requests of a warp
constexpr Cycles kAfterBarrier = 20;
constexpr Cycles kBetweenStarts = 0.5;  // of the blocks that start with the launch
constexpr Cycles kBetweenBlocks = 300;  // from the end of a block to the start of the next
constexpr Cycles kPerSector = 0.5;      // of the path to the L2
constexpr Cycles kQueued = 64;          // work for that path that does not hold the multiprocessor up
constexpr double kJitter = 0.3;         // of a latency, from its lowest to its highest
constexpr uint32_t kNone = ~uint32_t{0};

class Simulation {
 public:
  Simulation(const Streams& streams, const trace::Trace& trace, const model::Device& device,
             const SimulateOptions& options, L2Memory& l2)
      : rules_(options.rules),
        trace_(trace),
        waits_(waits_of(trace.sites)),
        addresses_(trace.buffers),
        order_(block_order_of(trace, device, options.rules)),
        l2_(l2),
        random_(1) {
    report_.multiprocessors = streams.multiprocessors;
    report_.all_multiprocessors = order_.multiprocessors();
    report_.blocks = streams.blocks.size();
    report_.ends_early = streams.ends_early;
    report_.all_blocks = volume(trace.grid);
    report_.carve_out_kib = carve_out_kib(model::needs_of(trace), device);
    report_.l1_lines = lines_beside(report_.carve_out_kib, *device.caches);
    report_.sites.resize(trace.sites.size());
    local_bytes_ = local_bytes_of(streams);
    index_.resize(order_.multiprocessors(), kNone);
    for (uint32_t number = 0; number < order_.multiprocessors(); ++number) {
      if (order_.place_in_sample(number) >= streams.multiprocessors) continue;
      index_[number] = static_cast<uint32_t>(multiprocessors_.size());
      multiprocessors_.emplace_back(report_.l1_lines, rules_, number, order_.resident());
    }
    blocks_left_ = streams.blocks;
    if (options.keeps_origins) origins_ = std::make_shared<SectorOrigins>(loaded_sectors_per_block());
  }

  Result<CacheReport> run(const std::stop_token& stop) {
    while (!blocks_left_.empty() && blocks_left_.front().cta.value < order_.first().size()) {
      const uint32_t block = blocks_left_.front().cta.value;
      start_block(index_[order_.first()[block]], kBetweenStarts * block);
    }
    constexpr uint32_t kBetweenStops = 1 << 14;
    for (uint32_t n = 0; !events_.empty(); ++n) {
      if (n % kBetweenStops == 0 && stop.stop_requested())
        return fail(ErrorKind::Cancelled, "the model of the caches was stopped");
      const Event event = events_.top();
      events_.pop();
      // Of thousands of warps each has its requests elsewhere in memory, which is slower than a step.
      if (!events_.empty()) __builtin_prefetch(warps_[events_.top().warp].rest.data());
      step(event.warp, event.time);
    }
    report_.l2 = l2_.exact().counts();
    const L2Memory::Band band =
        l2_.dram_reads().value_or(L2Memory::Band{report_.l2.dram_read, report_.l2.dram_read});
    report_.l2.dram_read += kLaunchSectors;
    report_.dram_read_low = band.low + kLaunchSectors;
    report_.dram_read_high = band.high + kLaunchSectors;
    report_.origins = std::move(origins_);
    return std::move(report_);
  }

 private:
  struct Event {
    Cycles time = 0;
    uint64_t order = 0;
    uint32_t warp = 0;
    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  uint64_t local_bytes_of(const Streams& streams) const {
    uint64_t most = 0;
    for (const BlockStream& block : streams.blocks)
      for (const auto& warp : block.warps)
        for (const Request& request : warp) {
          if (request.is_barrier() || trace_.sites[request.site].operation.space != trace::Space::Local)
            continue;
          int n = 0;
          for_each_lane(request.lanes,
                        [&](int lane) { most = std::max(most, addresses_of(block, request).at(n++, lane)); });
        }
    constexpr uint64_t kLongest = 32;  // access of a lane
    return most + kLongest;
  }

  double loaded_sectors_per_block() const {
    uint64_t sectors = 0;
    for (size_t site = 0; site < trace_.totals.size(); ++site)
      if (is_load(trace_.sites[site].operation)) sectors += trace_.totals[site].sectors;
    return static_cast<double>(sectors) / static_cast<double>(std::max<uint64_t>(volume(trace_.grid), 1));
  }

  void wake(uint32_t warp, Cycles time) { events_.push({time, events_pushed_++, warp}); }

  double jitter() {
    return rules_.jitter
               ? 1 + kJitter *
                         (static_cast<double>(random_()) / static_cast<double>(std::minstd_rand::max()) - 0.5)
               : 1;
  }

  void start_block(uint32_t number, Cycles time) {
    Multiprocessor& multiprocessor = multiprocessors_[number];
    if (blocks_left_.empty() || multiprocessor.free_slots.empty()) return;
    const BlockStream& stream = blocks_left_.front();
    blocks_left_ = blocks_left_.subspan(1);
    const uint32_t block = new_place(blocks_, free_blocks_);
    RunningBlock& running = blocks_[block];
    running = {.multiprocessor = number,
               .slot = multiprocessor.free_slots.back(),
               .warps_left = static_cast<uint32_t>(stream.warps.size()),
               .meetings = {}};
    multiprocessor.free_slots.pop_back();
    const size_t warps = stream.warps.size();
    const uint64_t of_warp = local_bytes_ * kLanes;
    for (size_t n = 0; n < warps; ++n) {
      const uint32_t warp = new_place(warps_, free_warps_);
      const uint64_t slot = (uint64_t{number} * order_.resident() + running.slot) * warps + n;
      warps_[warp] = {.stream = &stream,
                      .rest = stream.warps[n],
                      .block = block,
                      .local_start = addresses_.local_start() + slot * of_warp,
                      .number = static_cast<uint16_t>(n)};
      for (const Request& request : stream.warps[n]) {
        if (!request.is_barrier()) continue;
        const auto barrier = static_cast<size_t>(request.base);
        if (barrier >= running.meetings.size()) running.meetings.resize(barrier + 1);
        ++running.meetings[barrier].expected;
      }
      wake(warp, time + 2 * static_cast<double>(n));
    }
  }

  template <class T>
  static uint32_t new_place(std::vector<T>& all, std::vector<uint32_t>& free) {
    if (free.empty()) {
      all.emplace_back();
      return static_cast<uint32_t>(all.size() - 1);
    }
    const uint32_t place = free.back();
    free.pop_back();
    return place;
  }

  /// Time at which all loads of the warp have arrived.
  static Cycles arrival(const Warp& warp, Cycles time) {
    for (uint32_t n = 0; n < warp.under_way; ++n) time = std::max(time, warp.arrives[n]);
    return time;
  }

  void step(uint32_t number, Cycles time) {
    Warp& warp = warps_[number];
    if (warp.rest.empty()) return end_warp(number, time);
    const Request& request = warp.rest.front();
    const bool loads = !request.is_barrier() && is_load(trace_.sites[request.site].operation);
    if (const Cycles ready = arrival(warp, time); !loads && ready > time) return wake(number, ready);
    warp.rest = warp.rest.subspan(1);
    if (request.is_barrier()) return meet(number, static_cast<uint32_t>(request.base), time);
    if (!loads) warp.under_way = 0;
    const Cycles ready = access(warp, request, time);
    wake(number, ready);
  }

  void meet(uint32_t number, uint32_t meeting, Cycles time) {
    Warp& warp = warps_[number];
    warp.under_way = 0;
    if (!waits_.empty()) warp.clock.meet(waits_);
    Meeting& here = blocks_[warp.block].meetings[meeting];
    here.waiting.push_back(number);
    if (here.waiting.size() < here.expected) return;
    for (const uint32_t each : here.waiting) wake(each, time + kAfterBarrier);
    here.waiting = {};
  }

  void end_warp(uint32_t number, Cycles time) {
    const uint32_t block = warps_[number].block;
    if (!waits_.empty()) {
      const Cycles waited = warps_[number].clock.end(waits_);
      report_.warp_cycles += waited;
      report_.longest_warp_cycles = std::max(report_.longest_warp_cycles, waited);
    }
    free_warps_.push_back(number);
    RunningBlock& running = blocks_[block];
    if (--running.warps_left != 0) return;
    free_blocks_.push_back(block);
    multiprocessors_[running.multiprocessor].free_slots.push_back(running.slot);
    start_block(running.multiprocessor, time + kBetweenBlocks * jitter());
  }

  static bool is_load(const trace::Operation& operation) {
    return trace::direction_of(operation) == trace::Kind::Load;
  }
  void find_lines(const Warp& warp, const Request& request, const trace::Operation& operation) {
    lines_.clear();
    data_stage_.begin(operation.bytes_per_lane);
    const auto add = [&](int lane, uint64_t address, uint32_t bytes) {
      lines_.add(address, bytes);
      data_stage_.add(lane, address, bytes);
    };
    const trace::AddressRef addresses = addresses_of(*warp.stream, request);
    int n = 0;
    for_each_lane(request.lanes, [&](int lane) {
      const uint64_t address = addresses.at(n++, lane);
      if (operation.space == trace::Space::Global) {
        add(lane, addresses_.global(address), operation.bytes_per_lane);
        return;
      }
      for (uint32_t done = 0; done < operation.bytes_per_lane;) {
        const auto in_word = static_cast<uint32_t>((address + done) % model::kLocalWordBytes);
        const uint32_t bytes =
            std::min<uint32_t>(operation.bytes_per_lane - done, model::kLocalWordBytes - in_word);
        add(lane, warp.local_start + model::interleaved_address(lane, address + done), bytes);
        done += bytes;
      }
    });
  }

  /// Counts of the request whose lines were found, before the L1 is asked.
  Sectors request_at_l1() const {
    return {.requests = 1,
            .tag_cycles = tag_cycles_of(lines_.lines()),
            .data_cycles = data_stage_.cycles(lines_.lines())};
  }

  /// Does one request; returns when the warp continues.
  Cycles access(Warp& warp, const Request& request, Cycles time) {
    const trace::Site& site = trace_.sites[request.site];
    Multiprocessor& multiprocessor = multiprocessors_[blocks_[warp.block].multiprocessor];
    find_lines(warp, request, site.operation);
    begin_request(warp, request);
    const Cycles start = std::max(time, multiprocessor.takes_next);
    multiprocessor.takes_next = start + static_cast<double>(lines_.lines().size());
    const bool is_local = site.operation.space == trace::Space::Local;
    if (site.operation.kind != trace::Kind::Store) warp.stores.clear();
    if (is_load(site.operation)) {
      Sectors& counted = is_local ? report_.local_loads : report_.global_loads;
      const Loaded loaded = load(multiprocessor, warp, request.site, counted, start);
      issue(warp, request.site, loaded);
      warp.arrives[warp.under_way++] = start + loaded.latency * jitter();
      if (warp.under_way < kLoadsUnderWay) return start + kIssue;
      const Cycles ready = arrival(warp, start + kIssue);
      warp.under_way = 0;
      return ready;
    }
    if (site.operation.kind == trace::Kind::Store) {
      store(multiprocessor, warp, request.site, is_local ? report_.local_stores : report_.global_stores,
            start);
      issue(warp, request.site, {});
      return start + kIssue;
    }
    update(multiprocessor, request, site.operation, *warp.stream, start);
    issue(warp, request.site, {.least = site.operation.kind == trace::Kind::Atomic ? kL2Latency : 0});
    return start + (site.operation.kind == trace::Kind::Atomic ? kL2Latency * jitter() : kIssue);
  }

  /// What a load of a warp takes.
  struct Loaded {
    Cycles latency = 0;   // with the queue of the path to the L2
    Cycles least = 0;     // without
    uint64_t missed = 0;  // sectors
  };
  void issue(Warp& warp, uint16_t site, const Loaded& loaded) {
    if (waits_.empty()) return;
    warp.clock.issue(waits_, site, loaded.least);
    report_.byte_cycles += static_cast<double>(loaded.missed * kSectorBytes) * loaded.least;
  }

  /// Numbers the request as one that may bring sectors.
  void begin_request(const Warp& warp, const Request& request) {
    if (!origins_) return;
    const CtaId cta = warp.stream->cta;
    origins_->begin_request(cta, warp.number);
    by_ = static_cast<uint32_t>(bringers_.size());
    bringers_.push_back({cta, warp.number, request.site});
  }

  /// Keeps where the sectors of a line came from. `from_dram`: of those that the L1 misses.
  void keep_origins(const Warp& warp, const TouchedLine& line, const L1Cache::Outcome& l1,
                    SectorMask from_dram) {
    for (uint32_t sector = 0; sector < kSectorsOfLine; ++sector) {
      if ((line.sectors >> sector & 1) == 0) continue;
      SectorOrigin origin{.sector = line.number * kSectorsOfLine + sector, .level = CacheLevel::L1, .by = {}};
      if ((l1.missing >> sector & 1) == 0)
        origin.by = bringers_[l1.by[sector]];
      else
        origin.level = (from_dram >> sector & 1) != 0 ? CacheLevel::Dram : CacheLevel::L2;
      origins_->add(warp.stream->cta, warp.number, origin);
    }
  }

  Loaded load(Multiprocessor& multiprocessor, const Warp& warp, uint16_t number, Sectors& counted,
              Cycles start) {
    const CacheUse use = trace_.sites[number].cache_use;
    SiteCaches& site = report_.sites[number];
    Sectors sectors = request_at_l1();
    Cycles latency = kL1Latency, least = kL1Latency;
    uint64_t missed = 0;
    found_in_l1_.clear();
    for (const TouchedLine& line : lines_.lines()) {
      L1Cache::Outcome& l1 = found_in_l1_.emplace_back(L1Cache::Outcome{.missing = line.sectors});
      if (use.level1 != CacheUse::Level1::Bypass)
        l1 = multiprocessor.l1.load(line.number, line.bytes, use.level1 == CacheUse::Level1::EvictFirst, by_);
      if (l1.missing != 0) l2_.expect_read(multiprocessor.l2_partition, line.number);
    }
    size_t number_of_line = 0;
    for (const TouchedLine& line : lines_.lines()) {
      const L1Cache::Outcome& l1 = found_in_l1_[number_of_line++];
      const SectorMask missing = l1.missing;
      const auto touched = static_cast<uint64_t>(std::popcount(line.sectors));
      const auto missed_here = static_cast<uint64_t>(std::popcount(missing));
      sectors.sectors += touched;
      sectors.hits += touched - missed_here;
      missed += missed_here;
      if (missing == 0) {
        if (origins_) keep_origins(warp, line, l1, 0);
        continue;
      }
      site.packets_from_l2 += packets_of_load(missing);
      const L2Cache::Found found =
          l2_.read(multiprocessor.l2_partition, line.number, missing, use.fetched_bytes, use.leaves_l2_first);
      latency = std::max(latency, found == L2Cache::Found::Here     ? kL2Latency
                                  : found == L2Cache::Found::AtHome ? kHomeLatency
                                                                    : kDramLatency);
      least = std::max(least, found == L2Cache::Found::Dram ? kDramLatency : kL2Latency);
      if (origins_) keep_origins(warp, line, l1, l2_.exact().last_missing());
      const auto from_dram = static_cast<uint64_t>(std::popcount(l2_.exact().last_missing()));
      site.from_dram += from_dram;
      site.from_l2 += missed_here - from_dram;
    }
    counted += sectors;
    site.l1 += sectors;
    report_.l2_to_l1 += missed;
    if (missed == 0) return {latency, least, missed};
    occupy_path(multiprocessor, missed, start);
    return {std::max(latency, multiprocessor.path_free - start + latency), least, missed};
  }

  static void occupy_path(Multiprocessor& multiprocessor, uint64_t sectors, Cycles start) {
    multiprocessor.path_free =
        std::max(multiprocessor.path_free, start) + static_cast<double>(sectors) * kPerSector;
  }

  /// Holds the multiprocessor up once the path to the L2 has much to do.
  void send(Multiprocessor& multiprocessor, uint64_t sectors, Cycles start) {
    occupy_path(multiprocessor, sectors, start);
    multiprocessor.takes_next = std::max(multiprocessor.takes_next, multiprocessor.path_free - kQueued);
  }

  void store(Multiprocessor& multiprocessor, Warp& warp, uint16_t number, Sectors& counted, Cycles start) {
    Sectors sectors = request_at_l1();
    for (const TouchedLine& line : lines_.lines()) {
      const auto touched = static_cast<uint64_t>(std::popcount(line.sectors));
      sectors.sectors += touched;
      if (multiprocessor.l1.store(line.number, line.bytes, by_).has_line) sectors.hits += touched;
      l2_.write(line.number, line.bytes);
    }
    counted += sectors;
    report_.sites[number].packets_to_l2 += warp.stores.add(lines_.lines());
    report_.sites[number].l1 += sectors;
    report_.l1_to_l2 += sectors.sectors;
    send(multiprocessor, sectors.sectors, start);
  }

  /// Atomics and reductions: done by the L2. Of each sector as many are counted as lanes update one word.
  void update(Multiprocessor& multiprocessor, const Request& request, const trace::Operation& operation,
              const BlockStream& stream, Cycles start) {
    constexpr uint64_t kWordBytes = 4;
    std::unordered_map<uint64_t, uint64_t> lanes_on_word;
    std::unordered_map<uint64_t, uint64_t> most_of_sector;
    const trace::AddressRef addresses = addresses_of(stream, request);
    int n = 0;
    for_each_lane(request.lanes, [&](int lane) {
      const uint64_t address = addresses_.global(addresses.at(n++, lane));
      uint64_t& most = most_of_sector[address / kSectorBytes];
      most = std::max(most, ++lanes_on_word[address / kWordBytes]);
    });
    Sectors sectors = request_at_l1();
    SiteCaches& site = report_.sites[request.site];
    for (const auto& [sector, most] : most_of_sector) sectors.sectors += most;
    site.packets_to_l2 += sectors.sectors;
    for (const TouchedLine& line : lines_.lines()) {
      if (operation.kind == trace::Kind::Atomic) site.packets_from_l2 += packets_of_load(line.sectors);
      multiprocessor.l1.forget(line.number, line.sectors);
      l2_.read(multiprocessor.l2_partition, line.number, line.sectors, 0);
    }
    report_.atomics += sectors;
    site.l1 += sectors;
    if (operation.kind == trace::Kind::Atomic) report_.l2_to_l1 += sectors.sectors;
    send(multiprocessor, sectors.sectors, start);
  }

  Rules rules_;
  const trace::Trace& trace_;
  std::vector<LoadWait> waits_;  // [site]; empty: not known
  AddressMap addresses_;
  BlockOrder order_;
  L2Memory& l2_;
  std::minstd_rand random_;
  uint64_t local_bytes_ = 0;  // of a thread
  std::vector<Multiprocessor> multiprocessors_;
  std::vector<uint32_t> index_;  // [multiprocessor of the device] among those of the sample, or kNone
  std::span<const BlockStream> blocks_left_;
  std::vector<RunningBlock> blocks_;
  std::vector<uint32_t> free_blocks_;
  std::vector<Warp> warps_;
  std::vector<uint32_t> free_warps_;
  std::priority_queue<Event> events_;
  uint64_t events_pushed_ = 0;
  LineRequests lines_;
  DataStage data_stage_;
  std::vector<L1Cache::Outcome> found_in_l1_;  // [line of lines_]
  std::shared_ptr<SectorOrigins> origins_;     // null: not kept
  std::vector<Bringer> bringers_;              // [request], in the order of time
  uint32_t by_ = 0;                            // the request that is done, among bringers_
  CacheReport report_;
};

/// Bytes of memory that the launch can touch.
uint64_t reach_bytes(const trace::Trace& trace) {
  uint64_t bytes = 0;
  for (const auto& buffer : trace.buffers) bytes += buffer.size_bytes;
  return bytes;
}

}  // namespace

BlockOrder block_order_of(const trace::Trace& trace, const model::Device& device, const Rules& rules) {
  return {device.multiprocessors, model::residency_of(trace, device).per_multiprocessor, volume(trace.grid),
          rules.jitter};
}

Result<CacheReport> simulate(const Streams& streams, const trace::Trace& trace, const model::Device& device,
                             const SimulateOptions& options) {
  TRY_VOID(require_known(device));
  std::optional<L2Memory> own;
  if (options.memory == nullptr) own.emplace(*device.caches, options.rules);
  L2Memory& memory = own ? *own : *options.memory;
  memory.begin_launch(reach_bytes(trace));
  TRY(CacheReport report, Simulation(streams, trace, device, options, memory).run(options.stop));
  if (!report.is_whole()) memory.clear();
  return report;
}

}  // namespace lanescope::caches
