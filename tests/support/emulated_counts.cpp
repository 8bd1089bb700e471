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

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

using trace::Kind;
using trace::Space;

/// "global_load" and the like; empty for what has no counter (constant memory, bulk copies).
std::string subject_of(const trace::Operation& operation) {
  static const std::map<Kind, std::string> kKinds{{Kind::Load, "load"},
                                                  {Kind::Store, "store"},
                                                  {Kind::Atomic, "atomic"},
                                                  {Kind::Reduction, "reduction"},
                                                  {Kind::AsyncCopy, "async_copy"}};
  // Bulk copies and the operands of wgmma are no requests of the load and store unit. Of the latter the
  // wavefronts are counted by address.
  const bool is_request =
      operation.detail != trace::Detail::Bulk && operation.detail != trace::Detail::Tensor;
  if (operation.space == Space::Constant || !is_request) return {};
  // The hardware counts an asynchronous copy's fetch among the loads.
  if (operation.space == Space::Global && operation.kind == Kind::AsyncCopy) return "global_load";
  // Shared memory has one kind of atomic: a reduction is an atomic with an unused result.
  if (operation.space == Space::Shared && operation.kind == Kind::Reduction) return "shared_atomic";
  return fmt::format("{}_{}", name_of(operation.space), kKinds.at(operation.kind));
}

class CountingSink : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess& access) override {
    if (sites_.size() <= access.site.value) sites_.resize(access.site.value + 1);
    SiteSums& site = sites_[access.site.value];
    site.operation = access.operation;
    site.totals.add(access, model::cost_of(access));
    if (access.operation.space == Space::Shared)
      site.address_wavefronts += model::count_address_wavefronts(access);
  }
  void add_to(Counts& counts) const {
    for (const SiteSums& site : sites_)
      if (site.totals.requests != 0) add_site(site, counts);
  }

 private:
  struct SiteSums {
    trace::Operation operation;
    trace::Totals totals;
    uint64_t address_wavefronts = 0;
  };

  static void add_site(const SiteSums& site, Counts& counts) {
    const std::string subject = subject_of(site.operation);
    const bool is_tensor_load = site.operation.detail == trace::Detail::Tensor;
    if (subject.empty() && !is_tensor_load) return;
    if (site.operation.space == Space::Shared) {
      if (!is_tensor_load) counts[subject + "_wavefronts"] += site.totals.wavefronts;
      counts["shared_address_wavefronts"] += site.address_wavefronts;
      counts["shared_ideal_wavefronts"] += site.totals.ideal_wavefronts;
      return;
    }
    counts[subject + "_requests"] += site.totals.requests;
    counts[subject + "_sectors"] += site.totals.sectors;
    if (site.operation.space == Space::Global) counts["global_theoretical_sectors"] += site.totals.sectors;
  }

  std::vector<SiteSums> sites_;
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
