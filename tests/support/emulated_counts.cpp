#include "support/emulated_counts.h"

#include "emulator/run.h"
#include "model/banks.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "trace/sink.h"

#include <algorithm>
#include <array>
#include <deque>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

using trace::Kind;
using trace::Space;

/// "global_load" and the like; empty for what has no counter (constant memory, bulk copies).
std::string subject_of(Space space, Kind kind, trace::Detail detail) {
  static const std::map<Kind, std::string> kKinds{{Kind::Load, "load"},
                                                  {Kind::Store, "store"},
                                                  {Kind::Atomic, "atomic"},
                                                  {Kind::Reduction, "reduction"},
                                                  {Kind::AsyncCopy, "async_copy"}};
  // Bulk copies and the operands of wgmma are no requests of the load and store unit. Of the latter the
  // wavefronts are counted by address.
  const bool is_request = detail != trace::Detail::Bulk && detail != trace::Detail::Tensor;
  if (space == Space::Constant || !is_request) return {};
  // The hardware counts an asynchronous copy's fetch among the loads.
  if (space == Space::Global && kind == Kind::AsyncCopy) return "global_load";
  // Shared memory has one kind of atomic: a reduction is an atomic with an unused result.
  if (space == Space::Shared && kind == Kind::Reduction) return "shared_atomic";
  return fmt::format("{}_{}", name_of(space), kKinds.at(kind));
}

/// Sums of the accesses of one operation.
struct OperationSums {
  uint64_t requests = 0;
  uint64_t sectors = 0;
  uint64_t wavefronts = 0;
  uint64_t address_wavefronts = 0;
  uint64_t ideal_wavefronts = 0;
};

class CountingSink : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess& access) override {
    const trace::Operation& operation = access.operation;
    if (last_ == nullptr || last_operation_ != operation) {
      last_operation_ = operation;
      last_ = &sums_[{operation.space, operation.kind, operation.detail}];
    }
    const trace::Cost cost = model::cost_of(access);
    last_->requests += 1;
    last_->sectors += cost.sectors;
    last_->wavefronts += cost.wavefronts;
    last_->ideal_wavefronts += cost.ideal_wavefronts;
    if (operation.space == Space::Shared)
      last_->address_wavefronts += model::count_address_wavefronts(access);
  }
  void add_to(Counts& counts) const {
    for (const auto& [key, sums] : sums_) {
      const auto& [space, kind, detail] = key;
      const std::string subject = subject_of(space, kind, detail);
      const bool is_tensor_load = detail == trace::Detail::Tensor;
      if (subject.empty() && !is_tensor_load) continue;
      if (space == Space::Shared) {
        if (!is_tensor_load) counts[subject + "_wavefronts"] += sums.wavefronts;
        counts["shared_address_wavefronts"] += sums.address_wavefronts;
        counts["shared_ideal_wavefronts"] += sums.ideal_wavefronts;
        continue;
      }
      counts[subject + "_requests"] += sums.requests;
      counts[subject + "_sectors"] += sums.sectors;
      if (space == Space::Global) counts["global_theoretical_sectors"] += sums.sectors;
    }
  }

 private:
  std::map<std::tuple<Space, Kind, trace::Detail>, OperationSums> sums_;
  trace::Operation last_operation_;
  OperationSums* last_ = nullptr;  // of it; null: there was none
};

}  // namespace

Result<Counts> emulated_counts(std::string_view ptx, const std::string& name, const std::string& entry,
                               const launch::Launch& launch) {
  TRY(const ptx::Module module, ptx::parse(std::string(ptx), name));
  TRY(const ptx::Program program, ptx::lower(module, entry));
  emulator::Options options;
  options.limit_steps = 50'000'000;
  options.threads = 1;  // the order of blocks decides how often an atomic is tried
  std::deque<CountingSink> sinks;
  TRY(const emulator::Outcome outcome,
      emulator::run(
          program, launch, [&](unsigned) -> trace::Sink& { return sinks.emplace_back(); }, options));
  Counts counts;
  for (const CountingSink& sink : sinks) sink.add_to(counts);
  return counts;
}

std::vector<CountDifference> differences_of(const Counts& emulated, const trace::HardwareCounts& hardware) {
  using enum trace::HardwareCount;
  constexpr std::array kFromAddresses{
      GlobalLoadRequests,      GlobalLoadSectors,     GlobalStoreRequests,     GlobalStoreSectors,
      GlobalAtomicRequests,    GlobalAtomicSectors,   GlobalReductionRequests, GlobalReductionSectors,
      SharedAddressWavefronts, SharedIdealWavefronts, GlobalTheoreticalSectors};
  std::vector<CountDifference> differences;
  for (const trace::HardwareCountRow& row : trace::hardware_count_rows()) {
    if (std::ranges::find(kFromAddresses, row.count) == kFromAddresses.end() || !hardware[row.count])
      continue;
    const auto at = emulated.find(std::string(row.name));
    const uint64_t expected = at == emulated.end() ? 0 : at->second;
    if (expected != *hardware[row.count])
      differences.push_back({std::string(row.name), expected, *hardware[row.count]});
  }
  return differences;
}

}  // namespace lanescope::tests
