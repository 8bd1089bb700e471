#include "trace/trace.h"

#include <algorithm>
#include <functional>

namespace lanescope::trace {

namespace {

AddressRef addresses_of(const StoredBlock& block, const StoredAccess& stored) {
  if (stored.affine) return {.base = stored.base, .stride = stored.stride};
  return {.list = block.list.data() + stored.base};
}

/// The read of an asynchronous copy, which is stored before its write; null if there is none.
const StoredAccess* read_of(const Trace& trace, const StoredBlock& block, const StoredAccess& write) {
  const Operation& operation = trace.sites[write.site.value].operation;
  if (operation.kind != Kind::AsyncCopy || operation.space != Space::Shared) return nullptr;
  const StoredAccess* const first = block.accesses.data();
  const bool is_after_first =
      std::less<>()(first, &write) && std::less<>()(&write, first + block.accesses.size());
  if (!is_after_first) return nullptr;
  const StoredAccess* const read = &write - 1;
  const Operation& reads = trace.sites[read->site.value].operation;
  const bool is_its_read = reads.kind == Kind::AsyncCopy && reads.space == Space::Global &&
                           read->warp == write.warp && read->step + 1 == write.step;
  return is_its_read ? read : nullptr;
}

}  // namespace

WarpAccess view(const Trace& trace, const StoredBlock& block, const StoredAccess& stored) {
  WarpAccess access{.site = stored.site,
                    .cta = block.cta,
                    .warp = stored.warp,
                    .step = stored.step,
                    .active = stored.active,
                    .operation = trace.sites[stored.site.value].operation,
                    .addresses = addresses_of(block, stored)};
  if (const StoredAccess* const read = read_of(trace, block, stored)) {
    access.reading = read->active;
    access.source = addresses_of(block, *read);
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
