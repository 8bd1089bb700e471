#include "emulator/checks/run_checks.h"

#include "emulator/checks/overlapping_arrays.h"
#include "emulator/checks/vectors/fast_checks.h"
#include "emulator/values/vectors.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

const FastChecks& fast_checks_of(Vectors vectors) {
  switch (best_vectors(vectors)) {
#ifdef LANESCOPE_AVX512
    case Vectors::Widest:
      return avx512_vectors::kFastChecks;
#endif
#ifdef LANESCOPE_AVX2
    case Vectors::Avx2:
      return avx2_vectors::kFastChecks;
#endif
    default:
      return plain_vectors::kFastChecks;
  }
}

}  // namespace

RunChecks::RunChecks(const Code& code, const Memory& memory, SpareBuffers& spare, const Options& options)
    : code_(code), memory_(memory), checks_(options.checks), fast_(fast_checks_of(options.vectors)) {
  if (checks_ == Checks::All) traits_ = access_traits(*code.program);
  if (checks_ == Checks::All && volume(code.grid) > 1)
    grid_.emplace(memory, GlobalShadow::granule_shift_of(*code.program), spare, options.suspects,
                  code.one_worker);
}

std::unique_ptr<BlockChecks> RunChecks::checks_of(const Code& code) {
  if (checks_ == Checks::None) return nullptr;
  std::vector<std::unique_ptr<Checker>> checkers;
  for (uint32_t n = 0; n < code.batch; ++n)
    checkers.push_back(std::make_unique<Checker>(code_, memory_, traits_, grid_ ? &*grid_ : nullptr));
  return std::make_unique<BlockChecks>(code, fast_, std::move(checkers));
}

void RunChecks::collect(const BlockChecks& done) {
  const std::scoped_lock lock(mutex_);
  for (const auto& checker : done.checkers()) {
    findings_.merge(std::move(checker->findings()));
    overflowed_ |= checker->overflowed();
    depends_on_order_ |= checker->depends_on_order();
  }
}

void RunChecks::report(Outcome& outcome) {
  for (trace::Hazard& found : findings_.hazards()) outcome.hazards.push_back(std::move(found));
  outcome.notes = findings_.notes();
  if (checks_ == Checks::All)
    if (auto note = note_on_overlap(code_)) outcome.notes.push_back(*std::move(note));
  if (overflowed_)
    outcome.unchecked.push_back(fmt::format(
        "races in global memory of blocks that access more than {} MiB of it; use a smaller launch",
        (ShadowPages::kMaximum * ShadowPage::kGranules << GlobalShadow::granule_shift_of(*code_.program)) >>
            20));
  if (checks_ == Checks::All && memory_.heap().gives_again())
    outcome.unchecked.emplace_back(
        "the device heap from where it was full and pieces that had been freed were given again");
  const auto writes_surface = [](const ptx::MemorySite& site) {
    return site.operation.space == trace::Space::Surface && site.operation.kind == trace::Kind::Store;
  };
  if (checks_ == Checks::All && std::ranges::any_of(code_.program->sites, writes_surface))
    outcome.unchecked.emplace_back("races in surfaces, whose texels have no addresses");
  if (!grid_) return;
  if (grid_->overflowed())
    outcome.unchecked.push_back(
        fmt::format("races between blocks in all of global memory, which would take more than {} MiB; use a "
                    "smaller launch",
                    GridShadow::maximum_bytes(memory_) >> 20));
  outcome.suspects = grid_->suspects();
  if (!outcome.suspects && depends_on_order_ && !outcome.in_order)
    outcome.suspects = std::make_shared<const Suspects>();
}

}  // namespace lanescope::emulator
