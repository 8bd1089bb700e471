#include "trace/trace.h"

#include <algorithm>

namespace lanescope::trace {

WarpAccess view(const Trace& trace, const StoredBlock& block, const StoredAccess& stored) {
  WarpAccess access{.site = stored.site,
                    .cta = block.cta,
                    .warp = stored.warp,
                    .step = stored.step,
                    .active = stored.active,
                    .operation = trace.sites[stored.site.value].operation,
                    .addresses = {}};
  if (stored.affine) {
    access.addresses = {.base = stored.base, .stride = stored.stride};
  } else {
    access.addresses.list = block.list.data() + stored.base;
  }
  if (stored.values_at != StoredAccess::kNoValues) access.values = block.values.data() + stored.values_at;
  return access;
}

const StoredBlock* find_block(const Trace& trace, CtaId cta) {
  const auto found = std::ranges::lower_bound(trace.blocks, cta, {}, &StoredBlock::cta);
  return found != trace.blocks.end() && found->cta == cta ? &*found : nullptr;
}

std::span<const StoredAccess> accesses_of(const StoredBlock& block, WarpId warp) {
  const auto found = std::ranges::equal_range(block.accesses, warp, {}, &StoredAccess::warp);
  return {found.begin(), found.end()};
}

}  // namespace lanescope::trace
