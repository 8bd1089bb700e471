#include "gpu/instrument/kernel_tracer.h"

#include "gpu/instrument/address_map.h"
#include "gpu/instrument/group_costs.h"
#include "gpu/instrument/instrument.h"
#include "gpu/instrument/recorder_output.h"
#include "gpu/instrument/step_statistics.h"
#include "gpu/kernel_check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

constexpr uint64_t kMostRegions = 256;
constexpr uint64_t kSmallWarps = 16384;  // so many are recorded at once
constexpr uint32_t kFirstUnits = 32;     // of a warp's first chunk while nothing is known
constexpr uint32_t kMostUnits = 4096;
constexpr uint32_t kSampleUnits = 512;
constexpr uint64_t kSampleBlocks = 4;
constexpr uint64_t kMostCountBytes = uint64_t{64} << 20;
constexpr int kMostAttempts = 8;
constexpr uint64_t kStoredBytes = sizeof(trace::StoredAccess);

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// [site][lane]; zeros where lanes are in equal steps.
std::vector<int32_t> distances_of(const RecorderLayout& plan) {
  std::vector<int32_t> distances(size_t{plan.sites} * kLanes);
  for (size_t site = 0; site < plan.expected.size(); ++site)
    if (plan.expected[site] && plan.expected[site]->distances)
      std::ranges::copy(*plan.expected[site]->distances, &distances[site * kLanes]);
  return distances;
}

uint64_t requests_of(const std::vector<trace::Totals>& totals) {
  uint64_t requests = 0;
  for (const trace::Totals& one : totals) requests += one.requests;
  return requests;
}

class KernelTracer {
 public:
  KernelTracer(TraceMachine& machine, TraceRequest& request)
      : machine_(machine), request_(request), cursor_(cursor_for(request.module, request.program)) {}

  Result<TracedRun> run() {
    using Blocks = trace::Keep::Blocks;
    const Blocks wanted = request_.keep.blocks;
    const uint64_t blocks = volume(request_.launch.grid);
    const uint64_t warps = blocks * plan_of(RecorderLayout::What::Totals).warps();
    if (wanted == Blocks::All && warps <= kSmallWarps) {
      TRY(trace::Trace all, record_kept(blocks, kFirstUnits));
      if (lost_ == 0) return finish(std::move(all));
    }
    TRY_VOID(sample());
    TRY_VOID(count());
    const uint64_t requests = requests_of(totals_);
    if (wanted == Blocks::None) {
      request_.header.totals = std::move(totals_);
      return finish(std::move(request_.header));
    }
    const uint64_t per_block = std::max<uint64_t>(requests / blocks, 1);
    const uint64_t per_warp = recorded_requests() / warps;
    const uint64_t fitting = std::max<uint64_t>(request_.keep.budget_bytes / (per_block * kStoredBytes), 1);
    const uint64_t kept = wanted == Blocks::Listed ? request_.keep.listed.size() : std::min(fitting, blocks);
    const auto units = static_cast<uint32_t>(std::clamp<uint64_t>(per_warp, 4, kMostUnits));
    TRY(trace::Trace trace, record_kept(kept, units));
    trace.totals = std::move(totals_);
    if (wanted == Blocks::All) {
      uint64_t stored = 0;
      for (const trace::StoredBlock& block : trace.blocks) stored += block.accesses.size();
      trace.dropped = requests - std::min(stored, requests);
    } else {
      trace.dropped += lost_;
    }
    return finish(std::move(trace));
  }

 private:
  RecorderLayout plan_of(RecorderLayout::What what) const {
    RecorderLayout plan;
    plan.what = what;
    plan.cursor = cursor_;
    plan.grid = request_.launch.grid;
    plan.block = request_.launch.block;
    plan.sites = static_cast<uint32_t>(request_.program.sites.size());
    const uint64_t fitting =
        std::max<uint64_t>(kMostCountBytes / std::max<uint64_t>(plan.counts_bytes(), 1), 1);
    plan.regions =
        static_cast<uint32_t>(std::bit_floor(std::min({kMostRegions, volume(plan.grid), fitting})));
    plan.expected = expected_;
    plan.has_distances =
        std::ranges::any_of(expected_, [](const auto& steps) { return steps && steps->distances; });
    plan.end_region = plan.regions;
    return plan;
  }

  Result<TracedRun> finish(trace::Trace trace) {
    trace.provenance = Provenance::Traced;
    TRY(std::vector<launch::Contents> buffers, machine_.buffers());
    return TracedRun{std::move(trace), std::move(buffers)};
  }

  /// Puts the kernel with its recorders on the machine and runs it. Fills in the plan's address.
  Result<Counted> pass(RecorderLayout& plan, std::span<const uint32_t> kept) {
    TRY(plan.address, machine_.reserve(plan.size_bytes()));
    TRY(const Instrumented kernel, instrument(request_.module, request_.program, plan));
    if (!kept.empty()) TRY_VOID(machine_.write(plan.kept_at(), std::as_bytes(kept)));
    if (plan.has_distances) TRY_VOID(machine_.write(plan.distances_at(), bytes_of(distances_of(plan))));
    TRY_VOID(machine_.run(kernel.text));
    variables_ = kernel.variables;
    groups_ = kernel.groups;
    TRY(const std::vector<std::byte> bytes,
        machine_.read(RecorderLayout::counters_at(), uint64_t{plan.regions} * RecorderLayout::kCounterBytes));
    Counted counted;
    for (uint32_t n = 0; n < plan.regions; ++n)
      counted.regions.push_back(
          counters_of(std::span(bytes).subspan(size_t{n} * RecorderLayout::kCounterBytes)));
    return counted;
  }

  /// Where the latest pass had its variables.
  Result<void> read_variables() {
    TRY(const std::vector<std::byte> bytes,
        machine_.read(RecorderLayout::variables_at(), uint64_t{RecorderLayout::kMostVariables} * 8));
    variable_addresses_.resize(RecorderLayout::kMostVariables);
    std::memcpy(variable_addresses_.data(), bytes.data(), bytes.size());
    return {};
  }
  AddressMap address_map() const {
    return AddressMap(request_.program, request_.launch, machine_.buffer_addresses(), variables_,
                      variable_addresses_);
  }

  /// Exact totals of the whole grid. Loops are counted by sums; the sites where these do not fit are recorded
  /// access by access, in another pass.
  Result<void> count() {
    RecorderLayout plan = plan_of(RecorderLayout::What::Totals);
    totals_.assign(plan.sites, {});
    broken_.assign(plan.sites, false);
    plan.accumulates = true;
    TRY_VOID(count_sites(plan));
    if (std::ranges::none_of(broken_, std::identity{})) return {};
    plan.accumulates = false;
    plan.only = broken_;
    for (size_t site = 0; site < broken_.size(); ++site)
      for (const SiteGroup::Member& member : groups_[site].members)
        if (broken_[site]) totals_[member.site] = {};
    return count_sites(plan);
  }

  /// Adds to the totals. Sets broken_.
  Result<void> count_sites(RecorderLayout plan) {
    plan.list_capacity = first_lists(plan, machine_.first_bytes());
    TRY(Counted counted, pass(plan, {}));
    TRY_VOID(read_broken(plan));
    if (counted.most_lists() <= plan.list_capacity) return add_totals(plan, counted);
    // The lists of so many regions at a time, with room for more than the longest seen: another run may
    // differ.
    const uint32_t regions = plan.regions;
    for (uint32_t first = 0; first < regions;) {
      plan.list_capacity = counted.most_lists() + counted.most_lists() / 8 + 64;
      const uint64_t of_region = uint64_t{plan.list_capacity} * RecorderLayout::kListBytes;
      const uint64_t rest = machine_.most_bytes() - std::min(machine_.most_bytes(), plan.lists_at());
      plan.first_region = first;
      plan.end_region =
          static_cast<uint32_t>(std::clamp<uint64_t>(first + rest / of_region, first + 1, regions));
      TRY(counted, pass(plan, {}));
      TRY_VOID(read_broken(plan));
      uint32_t most = 0;
      for (uint32_t n = plan.first_region; n < plan.end_region; ++n)
        most = std::max(most, counted.regions[n].lists);
      if (most > plan.list_capacity) continue;  // with more room
      TRY_VOID(add_totals(plan, counted));
      first = plan.end_region;
    }
    return {};
  }

  Result<void> read_broken(const RecorderLayout& plan) {
    TRY(const std::vector<std::byte> bytes, machine_.read(plan.broken_at(), plan.broken_bytes()));
    for (size_t site = 0; site < broken_.size(); ++site) {
      uint32_t word = 0;
      std::memcpy(&word, bytes.data() + site * sizeof word, sizeof word);
      if (word != 0) broken_[site] = true;
    }
    return {};
  }

  uint32_t first_lists(const RecorderLayout& plan, uint64_t bytes) const {
    return static_cast<uint32_t>(
        std::clamp<uint64_t>(bytes / RecorderLayout::kListBytes / plan.regions, 8, 1 << 24));
  }

  /// What the plan's regions counted: patterns and lists.
  Result<void> add_totals(const RecorderLayout& plan, const Counted& counted) {
    TRY(const std::vector<std::byte> dictionary,
        machine_.read(plan.dictionary_at(), plan.dictionary_bytes()));
    const size_t of_region = plan.counts_bytes() / sizeof(uint64_t);
    const size_t places = size_t{plan.sites} * RecorderLayout::kPatterns;
    std::vector<uint64_t> times(of_region);
    TRY(const std::vector<std::byte> counts,
        machine_.read(plan.counts_at() + plan.first_region * plan.counts_bytes(),
                      (plan.end_region - plan.first_region) * plan.counts_bytes()));
    for (size_t at = 0; at < counts.size(); at += sizeof(uint64_t)) {
      uint64_t count = 0;
      std::memcpy(&count, counts.data() + at, sizeof count);
      times[at / sizeof(uint64_t) % of_region] += count;
    }
    for (size_t n = 0; n < of_region; ++n) {
      if (times[n] == 0) continue;
      const auto pattern =
          n < places ? pattern_at(dictionary, n, plan.row_lanes()) : expected_at(plan, n - places);
      if (!pattern) continue;
      if (n >= places && !costs().are_the_same(*pattern, (n - places) % RecorderLayout::kPlaces))
        broken_[pattern->site] = true;
      add(*pattern, times[n]);
    }
    for (uint32_t region = plan.first_region; region < plan.end_region; ++region) {
      TRY(const std::vector<std::byte> lists, lists_of(plan, region, counted.regions[region].lists));
      for (size_t at = 0; at < lists.size(); at += RecorderLayout::kListBytes)
        if (const auto entry = list_entry(std::span(lists).subspan(at), plan.row_lanes())) add(*entry, 1);
    }
    return {};
  }

  Result<std::vector<std::byte>> lists_of(const RecorderLayout& plan, uint32_t region, uint32_t used) {
    const uint64_t begin =
        uint64_t{region - plan.first_region} * plan.list_capacity * RecorderLayout::kListBytes;
    const uint64_t count = std::min(used, plan.list_capacity);
    if (count == 0) return std::vector<std::byte>();
    return machine_.read(plan.lists_at() + begin, count * RecorderLayout::kListBytes);
  }

  /// Requests that have a separate record.
  uint64_t recorded_requests() const {
    uint64_t requests = requests_of(totals_);
    for (size_t site = 0; site < groups_.size(); ++site)
      for (const SiteGroup::Member& member : groups_[site].members)
        if (member.site != site) requests -= totals_[member.site].requests;
    return requests;
  }

  /// Of the groups of the latest pass.
  GroupCosts costs() const { return {groups_, request_.header.sites, request_.cost}; }

  void add(const RecordedAccess& recorded, uint64_t times) {
    if (recorded.site >= totals_.size()) return;
    costs().for_each(recorded, [&](const trace::WarpAccess& access, const trace::Cost& cost) {
      totals_[access.site.value].add(access, cost, times);
    });
  }

  /// Numbers of the kept blocks in the order of the grid; the one that is looked at is among them.
  std::vector<uint32_t> kept_blocks(uint64_t count) const {
    std::vector<uint32_t> kept;
    for (uint64_t n = 0; n < count; ++n)
      kept.push_back(request_.keep.blocks == trace::Keep::Blocks::Listed ? request_.keep.listed[n].value
                                                                         : static_cast<uint32_t>(n));
    const auto looked_at = request_.keep.values_of;
    if (request_.keep.blocks == trace::Keep::Blocks::All && looked_at && looked_at->value >= count &&
        looked_at->value < volume(request_.launch.grid))
      kept.push_back(looked_at->value);
    return kept;
  }

  /// The accesses of `count` blocks: the trace of them alone. Sets lost_.
  Result<trace::Trace> record_kept(uint64_t count, uint32_t units) {
    trace::Recorder recorder(request_.header, request_.cost, request_.keep);
    trace::Sink& sink = recorder.sink(0);
    std::optional<AddressMap> map;
    TRY_VOID(
        record(kept_blocks(count), units, kMostAttempts, [&](uint32_t block, const StreamsOfWarp& warps) {
          if (!map) map = address_map();
          sink.begin_block({block});
          for (const auto& [warp, streams] : warps) emit({block}, {warp}, streams, *map, sink);
        }));
    return recorder.finish();
  }

  /// Which steps are the most frequent at each site, in a few blocks.
  Result<void> sample() {
    const uint64_t blocks = volume(request_.launch.grid);
    std::set<uint32_t> some;
    for (uint64_t n = 0; n < kSampleBlocks; ++n)
      some.insert(static_cast<uint32_t>(blocks * n / kSampleBlocks));
    const uint32_t row = plan_of(RecorderLayout::What::Records).row_lanes();
    StepStatistics statistics(row);
    TRY_VOID(record({some.begin(), some.end()}, kSampleUnits, 0, [&](uint32_t, const StreamsOfWarp& warps) {
      for (const auto& [warp, streams] : warps)
        for (const std::vector<RecordedAccess>& stream : streams)
          for (const RecordedAccess& access : stream) statistics.add(access);
    }));
    expected_ = statistics.expected(request_.program.sites.size());
    for (uint32_t site = 0; site < expected_.size(); ++site)
      if (expected_[site]) expected_[site]->phase_mask = costs().phase_mask(site, *expected_[site], row);
    return {};
  }

  using Streams = std::array<std::vector<RecordedAccess>, kLanes>;
  using StreamsOfWarp = std::map<uint32_t, Streams>;

  /// Records the accesses of blocks and hands them on, block by block: f(block, streams of its warps).
  /// Sets lost_.
  template <class F>
  Result<void> record(const std::vector<uint32_t>& kept, uint32_t units, int attempts, F&& f) {
    RecorderLayout plan = plan_of(RecorderLayout::What::Records);
    std::vector<uint32_t> table(plan.kept_bytes() / sizeof(uint32_t), RecorderLayout::kNotKept);
    for (uint32_t n = 0; n < kept.size(); ++n)
      if (kept[n] < table.size()) table[kept[n]] = n;
    plan.kept_blocks = static_cast<uint32_t>(kept.size());
    plan.chunk_units = units;
    const uint64_t half = machine_.first_bytes() / 2;
    plan.pool_chunks =
        static_cast<uint32_t>(std::clamp<uint64_t>(half / plan.chunk_bytes() / plan.regions, 4, 1 << 20));
    plan.list_capacity = first_lists(plan, half);
    for (int attempt = 0;; ++attempt) {
      TRY(const Counted counted, pass(plan, table));
      lost_ = counted.lost();
      const RecorderLayout used = plan;
      if (lost_ == 0 || attempt >= attempts || !grow(plan, counted)) return collect(used, kept, counted, f);
    }
  }

  /// More room where it was too little; false if there is none.
  bool grow(RecorderLayout& plan, const Counted& counted) const {
    RecorderLayout larger = plan;
    const auto room = [](uint64_t wanted) {
      return static_cast<uint32_t>(std::min<uint64_t>(wanted + wanted / 8 + 4, 1u << 30));
    };
    if (counted.most_lists() > plan.list_capacity) larger.list_capacity = room(counted.most_lists());
    // A lane that finds no chunk requests one again for each access: at most one for each was needed.
    if (counted.most_chunks() > plan.pool_chunks)
      larger.pool_chunks = room(std::min<uint64_t>(counted.most_chunks(), uint64_t{plan.pool_chunks} * 8));
    if (larger.size_bytes() > machine_.most_bytes()) return false;
    plan = larger;
    return true;
  }

  template <class F>
  Result<void> collect(const RecorderLayout& plan, const std::vector<uint32_t>& kept, const Counted& counted,
                       F& f) {
    TRY_VOID(read_variables());
    TRY(const std::vector<std::byte> first,
        machine_.read(plan.chunks_at(), plan.first_chunks() * plan.chunk_bytes()));
    std::vector<std::vector<std::byte>> pools, lists;
    std::map<uint32_t, std::vector<std::span<const std::byte>>> further;  // [block] chunks of the pool
    for (uint32_t region = 0; region < plan.regions; ++region) {
      const uint64_t chunks = std::min(counted.regions[region].chunks, plan.pool_chunks);
      const uint64_t begin = uint64_t{region} * plan.pool_chunks * plan.chunk_bytes();
      TRY(pools.emplace_back(), machine_.read(plan.pool_at() + begin, chunks * plan.chunk_bytes()));
      TRY(lists.emplace_back(), lists_of(plan, region, counted.regions[region].lists));
      for (uint64_t n = 0; n < chunks; ++n) {
        const auto chunk =
            std::span<const std::byte>(pools.back()).subspan(n * plan.chunk_bytes(), plan.chunk_bytes());
        if (const auto owner = owner_of(chunk)) further[owner->block].push_back(chunk);
      }
    }
    for (uint32_t n = 0; n < kept.size(); ++n) {
      StreamsOfWarp warps;
      const uint32_t region = kept[n] & (plan.regions - 1);
      const UnitReader reader(plan, lists[region], uint64_t{region} * plan.list_capacity);
      for (uint32_t warp = 0; warp < plan.warps() && !first.empty(); ++warp)
        reader.read(std::span(first).subspan((uint64_t{n} * plan.warps() + warp) * plan.chunk_bytes(),
                                             plan.chunk_bytes()),
                    warps[warp][0]);
      for (const auto& chunk : further[kept[n]]) {
        const ChunkOwner owner = *owner_of(chunk);
        if (owner.lane < kLanes)
          reader.read(chunk.subspan(RecorderLayout::kUnitBytes), warps[owner.warp][owner.lane]);
      }
      f(kept[n], std::as_const(warps));
    }
    return {};
  }

  void emit(CtaId cta, WarpId warp, const Streams& streams, const AddressMap& map, trace::Sink& sink) const {
    uint32_t step = 0;
    for (RecordedAccess& recorded : with_members(in_order(streams), groups_)) {
      if (recorded.site >= request_.header.sites.size()) continue;
      const trace::Operation operation = request_.header.sites[recorded.site].operation;
      for (uint64_t& address : recorded.lanes) address = map.normalized(operation.space, address);
      LaneAddresses list{};
      sink.on_access({.site = {recorded.site},
                      .cta = cta,
                      .warp = warp,
                      .step = has_addresses(operation.space) ? step++ : step,
                      .active = {recorded.mask},
                      .operation = operation,
                      .addresses = reference_to(recorded.lanes, {recorded.mask}, list)});
    }
  }

  TraceMachine& machine_;
  TraceRequest& request_;
  RecorderLayout::Cursor cursor_;
  std::vector<uint32_t> variables_;  // of the latest pass
  SiteGroups groups_;                // the same
  std::vector<uint64_t> variable_addresses_;
  std::vector<std::optional<ExpectedSteps>> expected_;  // [site], once some blocks were looked at
  std::vector<trace::Totals> totals_;
  std::vector<bool> broken_;  // [site] where the sums of a loop did not fit
  uint64_t lost_ = 0;
};

/// What is known of the trace beforehand may come from another program.
Result<void> check_header(const TraceRequest& request) {
  const trace::Trace& header = request.header;
  if (header.grid == request.launch.grid && header.block == request.launch.block &&
      header.sites.size() == request.program.sites.size())
    return {};
  return fail(
      ErrorKind::Launch,
      fmt::format("a trace of kernel {} has {} sites and its launch's grid and block; one of {} sites "
                  "was prepared; install the same version of Lanescope at both ends",
                  request.program.kernel, request.program.sites.size(), header.sites.size()));
}

}  // namespace

Result<TracedRun> trace_kernel(TraceMachine& machine, TraceRequest request) {
  TRY_VOID(launch::check(request.launch));
  TRY_VOID(check_arguments(request.program, request.launch));
  TRY_VOID(check_header(request));
  TRY_VOID(check_traceable(request.module, request.program));
  return KernelTracer(machine, request).run();
}

}  // namespace lanescope::gpu
