#include "support/emulated_counts.h"

#include "emulator/run.h"
#include "model/banks.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "sass/cubin.h"
#include "sass/folding_sink.h"
#include "sass/machine_level.h"
#include "sass/match.h"
#include "sass/reconvergence.h"
#include "trace/sink.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

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

/// Sums of one site, or of what one machine instruction makes of several.
struct SiteSums {
  trace::Operation operation;
  trace::Totals totals;
  uint64_t address_wavefronts = 0;
  uint64_t requests_per_instruction = 1;
  uint64_t repeated_sectors = 0;
};

void add_site(const SiteSums& site, Counts& counts) {
  const std::string subject = subject_of(site.operation);
  const bool is_tensor_load = site.operation.detail == trace::Detail::Tensor;
  if (site.totals.requests == 0 || (subject.empty() && !is_tensor_load)) return;
  if (site.operation.space == Space::Shared) {
    if (!is_tensor_load) counts[subject + "_wavefronts"] += site.totals.wavefronts;
    counts["shared_address_wavefronts"] += site.address_wavefronts;
    counts["shared_ideal_wavefronts"] += site.totals.ideal_wavefronts;
    return;
  }
  counts[subject + "_requests"] += site.totals.requests * site.requests_per_instruction;
  counts[subject + "_sectors"] += site.totals.sectors + site.repeated_sectors;
  if (site.operation.space == Space::Global) counts["global_theoretical_sectors"] += site.totals.sectors;
}

/// Cost with the wavefronts by address in place of the lines.
trace::Cost cost_by_address(const trace::WarpAccess& access) {
  trace::Cost cost = model::cost_of(access);
  if (access.operation.space == Space::Shared)
    cost.lines = static_cast<uint16_t>(model::count_address_wavefronts(access));
  return cost;
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
  const std::vector<SiteSums>& sites() const { return sites_; }

 private:
  std::vector<SiteSums> sites_;
};

}  // namespace

Result<Counts> emulated_counts(std::string_view ptx, const std::string& name, const std::string& entry,
                               const launch::Launch& launch) {
  return machine_counts(ptx, {}, name, entry, launch);
}

Result<Counts> machine_counts(std::string_view ptx, std::string_view cubin, const std::string& name,
                              const std::string& entry, const launch::Launch& launch) {
  TRY(const ptx::Module module, ptx::parse(std::string(ptx), name));
  TRY(const ptx::Program program, ptx::lower(module, entry));
  std::optional<sass::Match> match;
  emulator::Options options;
  if (!cubin.empty()) {
    TRY(const sass::Cubin code, sass::read_cubin(std::as_bytes(std::span(cubin))));
    const sass::MachineFunction* const function = code.find(entry);
    if (function == nullptr) return fail(ErrorKind::Internal, "the machine code lacks the kernel " + entry);
    match = sass::match(program, *function);
    options.barriers = sass::reconvergence_of(*function, program).barriers;
  }
  options.limit_steps = 50'000'000;
  options.threads = 1;  // the order of blocks decides how often an atomic is tried
  CountingSink sink;
  std::optional<sass::FoldingSink> folding;
  if (match) folding.emplace(*match, cost_by_address, sink);
  TRY(const emulator::Outcome outcome,
      emulator::run(
          program, launch,
          [&](unsigned) -> trace::Sink& { return folding ? static_cast<trace::Sink&>(*folding) : sink; },
          options));
  Counts counts;
  for (size_t n = 0; n < sink.sites().size(); ++n) {
    const sass::Fate fate = match ? match->sites[n].fate : sass::Fate::Same;
    if (fate == sass::Fate::Merged || fate == sass::Fate::Removed) continue;
    SiteSums site = sink.sites()[n];
    if (match) site.requests_per_instruction = sass::requests_per_instruction(site.operation);
    if (folding) {
      site.repeated_sectors = folding->repeated_sectors()[n];
      const trace::Totals& absent = folding->absent()[n];
      site.totals.wavefronts -= absent.wavefronts;
      site.totals.ideal_wavefronts -= absent.ideal_wavefronts;
      site.address_wavefronts -= absent.lines;
    }
    add_site(site, counts);
  }
  if (!match) return counts;
  const std::vector<sass::FoldedTotals>& folded = folding->finish();
  for (size_t n = 0; n < folded.size(); ++n) {
    const sass::MergedAccess& merged = match->merged[n];
    const trace::Operation operation{merged.space, merged.kind, static_cast<uint8_t>(merged.bytes)};
    add_site({.operation = operation,
              .totals = folded[n].totals,
              .address_wavefronts = folded[n].totals.lines,
              .requests_per_instruction = sass::requests_per_instruction(operation)},
             counts);
  }
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
