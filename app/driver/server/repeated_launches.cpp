#include "driver/server/repeated_launches.h"

#include "ptx/opcode_traits.h"
#include "ptx/order_dependence.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lanescope::driver {
namespace {

constexpr size_t kMostKnown = 4096;
/// A compare after this share of the launches that changed memory costs a few percent at most.
constexpr uint64_t kRunsPerCompare = 4;
constexpr uint32_t kMostUnused = 8;

/// Bytes that name the kernel, the shape and the parameters.
std::string key_of(const KernelLaunch& launch) {
  std::string key;
  const auto add = [&](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  add(&launch.program);
  const Dim3 cluster = launch.cluster.value_or(Dim3{0, 0, 0});
  for (const Dim3 extent : {launch.grid, launch.block, cluster}) {
    add(extent.x);
    add(extent.y);
    add(extent.z);
  }
  add(launch.dynamic_shared_bytes);
  key.append(reinterpret_cast<const char*>(launch.parameters.data()), launch.parameters.size());
  return key;
}

/// An atomic on memory that other blocks update too, whose result or rounding depends on who is first.
bool depends_on_order(const ptx::Program& program, const ptx::Step& step) {
  if (!ptx::updates_memory(step.op)) return false;
  const ptx::Space space = program.modifiers[step.modifiers].space;
  if (space == ptx::Space::Shared) return false;
  return ptx::loads(step.op) || ptx::is_float(step.type);
}

bool is_host_memory(const Allocation& allocation) {
  return allocation.descriptor >= 0 && allocation.visibility != Visibility::Device;
}

}  // namespace

bool repeats_alike(const ptx::Program& program) {
  using Kind = ptx::Call::Kind;
  const auto has_effects = [](const ptx::Call& call) {
    return call.kind == Kind::Print || call.kind == Kind::Allocate || call.kind == Kind::Free;
  };
  if (std::ranges::any_of(program.calls, has_effects)) return false;
  const auto differs = [&](const ptx::Step& step) {
    return ptx::reads_clock(step) || depends_on_order(program, step);
  };
  if (std::ranges::any_of(program.steps, differs)) return false;
  const std::vector<bool> sites = ptx::sites_that_depend_on(ptx::Others::Blocks, program);
  return std::ranges::none_of(sites, [](bool depends) { return depends; });
}

RepeatedLaunches::Known& RepeatedLaunches::plan(const KernelLaunch& launch, uint64_t writes) {
  writes_ = writes;
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [found, is_new] = known_.try_emplace(key_of(launch));
  Known& known = found->second;
  if (is_new) known.may_repeat = repeats_alike(launch.program);
  known.plan = Plan::Run;
  if (!known.may_repeat) return known;
  if (known.before) {
    if (is_same(*known.before)) {
      known.before->was_repeated = true;
      known.plan = Plan::Repeat;
      return known;
    }
    // Memory is not what it was: after a repeat this run may change it, and the next one need not. Without
    // one another kernel, which is compared too by now, may have been the reason.
    known.unused = known.before->was_repeated ? 0 : known.unused + 1;
    known.next_compared = known.unused == 0            ? known.runs + 2
                          : known.unused < kMostUnused ? known.runs + 1
                                                       : kRunsPerCompare * known.runs;
    known.before.reset();
  }
  if (known.wants_check)
    known.plan = Plan::Check;
  else if (known.runs + 1 >= known.next_compared)
    known.plan = Plan::Compare;
  return known;
}

void RepeatedLaunches::note(Known& known, const LaunchOutcome& outcome) {
  ++known.runs;
  const bool is_same = outcome.has_changed_memory == false;
  if (!is_same || !known.may_repeat || outcome.error) ++changes_;
  if (outcome.error || (outcome.record.was_checked && !outcome.is_orderly)) known.may_repeat = false;
  if (!known.may_repeat) {
    known.orderly.reset();
    return;
  }
  if (outcome.record.was_checked) {
    known.orderly = outcome.record;
    known.wants_check = false;
  }
  if (is_same) return note_unchanging(known, outcome.record);
  known.wants_check = false;
  if (known.plan != Plan::Run) known.next_compared = kRunsPerCompare * known.runs;
}

void RepeatedLaunches::note_unchanging(Known& known, const LaunchRecord& record) {
  // A run with other counts than the checked one did something else, which may depend on an order.
  const bool is_as_checked = known.orderly && known.orderly->totals == record.totals &&
                             known.orderly->warp_instructions == record.warp_instructions;
  if (!is_as_checked)
    known.wants_check = true;
  else if (keep_host_memory(record.seconds))
    known.before = Known::Before{.state = state(), .record = record};
  else
    known.next_compared = kRunsPerCompare * known.runs;
}

void RepeatedLaunches::note_change() {
  ++changes_;
  host_memory_.clear();
}

void RepeatedLaunches::forget() {
  note_change();
  known_.clear();
}

bool RepeatedLaunches::is_same(const Known::Before& before) {
  if (before.state != state()) return false;
  if (is_host_memory_same()) return true;
  note_change();
  return false;
}

bool RepeatedLaunches::is_host_memory_same() const {
  return std::ranges::all_of(host_memory_, [&](const HostCopy& copy) {
    return std::memcmp(memory_.allocation(copy.allocation).region.data, copy.bytes.data(),
                       copy.bytes.size()) == 0;
  });
}

/// Copies what the host can write without a call. False if a comparison with the copy would cost more than a
/// quarter of a launch that takes `seconds`.
bool RepeatedLaunches::keep_host_memory(double seconds) {
  constexpr double kBytesPerSecond = 4e9, kMostOfLaunch = 0.25;
  const auto count = static_cast<uint32_t>(memory_.regions().size());
  uint64_t bytes = 0;
  for (uint32_t number = 0; number < count; ++number)
    if (is_host_memory(memory_.allocation(number))) bytes += memory_.allocation(number).region.size_bytes;
  if (static_cast<double>(bytes) > kMostOfLaunch * seconds * kBytesPerSecond) return false;
  if (!host_memory_.empty() && is_host_memory_same()) return true;
  if (!host_memory_.empty()) note_change();
  for (uint32_t number = 0; number < count; ++number) {
    const Allocation& allocation = memory_.allocation(number);
    if (!is_host_memory(allocation)) continue;
    host_memory_.push_back(
        {number, {allocation.region.data, allocation.region.data + allocation.region.size_bytes}});
  }
  return true;
}

}  // namespace lanescope::driver
