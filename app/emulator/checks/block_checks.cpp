#include "emulator/checks/block_checks.h"

#include <utility>

namespace lanescope::emulator {

BlockChecks::BlockChecks(const Code& code, const FastChecks& fast,
                         std::vector<std::unique_ptr<Checker>> checkers)
    : fast_(fast),
      order_(code.order()),
      blocks_{.code = code,
              .checkers = std::move(checkers),
              .spreads = {code.steps.size(), code.warps_of_block(), code.forms.row_lanes},
              .lane_sets = LaneSets(code.steps.size())} {}

void BlockChecks::continue_block(BlockChecks& batch, uint32_t n) {
  // The checker of the block comes from the batch and may still list spreads of the batch. Both checkers may
  // list spreads that are about to be forgotten.
  std::swap(blocks_.checkers.front(), batch.blocks_.checkers[n]);
  first().change_spreads();
  batch.blocks_.checkers[n]->change_spreads();
  batch.blocks_.spreads.keep_all();
}

void BlockChecks::begin_block(CtaId first, AsyncCopies& copies) {
  blocks_.spreads.begin_block();
  for (uint32_t n = 0; n < blocks_.checkers.size(); ++n)
    blocks_.checkers[n]->begin_block({first.value + n}, position_of(first.value + n, blocks_.code.grid),
                                     copies);
}

void BlockChecks::end_block() {
  for (const auto& checker : blocks_.checkers) checker->end_block();
}

void BlockChecks::suspend_block() { first().suspend_block(); }

uint32_t BlockChecks::on_group(const ObservedGroup& access) { return fast_.check_group(blocks_, access); }

bool BlockChecks::on_whole_warp(const Step& step, uint64_t base, int64_t stride, uint32_t bytes,
                                uint32_t warp) {
  return fast_.check_whole_warp(checker_of(warp), step, base, stride, bytes, order_.warp_of(warp));
}

bool BlockChecks::on_access(const ObservedAccess& access) {
  Checker& checker = *blocks_.checkers[access.block];
  if (!blocks_.code.is_reference && fast_.check_lanes(checker, access)) return false;
  return checker.check(access);
}

void BlockChecks::on_values(const ObservedAccess& access, const std::byte* values, uintptr_t data) {
  blocks_.checkers[access.block]->compare_values(access, values, data);
}

void BlockChecks::after_access(const ObservedAccess& access) {
  blocks_.checkers[access.block]->finish(access);
}

void BlockChecks::on_warp_synchronized(uint32_t warp) { checker_of(warp).meet_lanes(order_.warp_of(warp)); }

void BlockChecks::on_member_masks(uint32_t step, uint32_t warp, uint32_t lanes,
                                  std::span<const uint32_t> masks, uint32_t existing) {
  checker_of(warp).synchronization().meet(step, order_.warp_of(warp), lanes, masks, existing);
}

void BlockChecks::on_values_taken(uint32_t step, uint32_t warp, uint32_t lanes,
                                  std::span<const int> sources) {
  checker_of(warp).synchronization().take(step, order_.warp_of(warp), lanes, sources);
}

void BlockChecks::on_barrier(uint32_t block) { blocks_.checkers[block]->pass_barrier(); }

void BlockChecks::on_barrier_of(uint32_t barrier, std::span<const uint32_t> warps) {
  first().pass_barrier(barrier, warps);
}

void BlockChecks::on_arrival(uint32_t barrier, uint32_t warp) { first().arrive_at_barrier(barrier, warp); }

void BlockChecks::on_threads_at_barrier(uint32_t block, uint32_t step, uint32_t thread, uint64_t running) {
  blocks_.checkers[block]->synchronization().pass_barrier(step, thread, running);
}

void BlockChecks::on_fence(uint32_t warp, Reach reach) {
  checker_of(warp).fence(order_.warp_of(warp), reach);
}

void BlockChecks::on_release(ptx::Space space, uint64_t address, uint32_t warp) {
  checker_of(warp).release(space, address, order_.warp_of(warp));
}

void BlockChecks::on_acquire(ptx::Space space, uint64_t address, uint32_t warp) {
  checker_of(warp).acquire(space, address, order_.warp_of(warp));
}

void BlockChecks::on_cluster_arrival(uint32_t warp) { first().arrive_at_cluster(warp); }

void BlockChecks::on_cluster_complete() { first().signal_cluster(); }

void BlockChecks::on_cluster_barrier() { first().pass_cluster(); }

void BlockChecks::on_cluster_signal() { first().signal_cluster(); }

void BlockChecks::on_copy_begun(AsyncCopy& copy) { first().copies().begin(copy); }

void BlockChecks::on_copy_ended(const AsyncCopy& copy) { first().copies().end(copy); }

void BlockChecks::on_local_allocated(uint32_t warp, int lane, uint64_t address, uint64_t bytes) {
  checker_of(warp).local().forget(order_.warp_of(warp), lane, address, bytes);
}

void BlockChecks::on_heap_reused() { first().global().ignore_heap(); }

}  // namespace lanescope::emulator
