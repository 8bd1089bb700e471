#include "report/worst_access.h"

#include "model/cost.h"
#include "model/explain.h"
#include "plot/figures.h"

#include <algorithm>

namespace lanescope::report {
namespace {

constexpr uint64_t kMostLookedAt = 100'000;

int excess_of(const trace::WarpAccess& access) {
  const trace::Cost cost = model::cost_of(access);
  if (access.operation.space == trace::Space::Shared) return cost.wavefronts - cost.ideal_wavefronts;
  return cost.sectors - cost.ideal_sectors;
}

}  // namespace

std::optional<pipeline::SelectionRequest> worst_access(const trace::Trace& trace,
                                                       std::span<const SiteId> sites) {
  std::optional<pipeline::SelectionRequest> worst;
  int most = -1;
  uint64_t looked_at = 0;
  for (const trace::StoredBlock& block : trace.blocks) {
    for (const trace::StoredAccess& stored : block.accesses) {
      if (std::ranges::find(sites, stored.site) == sites.end()) continue;
      const int excess = excess_of(trace::view(trace, block, stored));
      if (excess > most) {
        const auto of_warp = trace::accesses_of(block, stored.warp);
        worst = {block.cta, stored.warp, static_cast<uint32_t>(&stored - of_warp.data())};
        most = excess;
      }
      if (++looked_at == kMostLookedAt) return worst;
    }
  }
  return worst;
}

trace::WarpAccess access_at(const trace::Trace& trace, const pipeline::SelectionRequest& request) {
  const trace::StoredBlock& block = *trace::find_block(trace, request.cta);
  return trace::view(trace, block, trace::accesses_of(block, request.warp)[request.access]);
}

std::string explanation_of(const trace::WarpAccess& access, Language language) {
  if (access.operation.space == trace::Space::Shared)
    return model::explain(model::count_banks(access), access, language);
  return model::explain(model::count_sectors(access), access, language);
}

std::optional<plot::Figure> picture_of(const pipeline::Run& run, const pipeline::SelectionRequest& request,
                                       Language language) {
  const pipeline::Selection selection = pipeline::select(run, request);
  if (!selection.current) return std::nullopt;
  const pipeline::AccessDetail& access = *selection.current;
  const plot::Frame frame{.size = {720, 300}, .language = language};
  if (access.banks) return plot::bank_figure(access.drawn, *access.banks, frame);
  if (access.sectors) return plot::sector_figure(access.drawn, *access.sectors, frame);
  return std::nullopt;
}

}  // namespace lanescope::report
