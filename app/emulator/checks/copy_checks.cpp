#include "emulator/checks/copy_checks.h"

#include <algorithm>
#include <bit>

namespace lanescope::emulator {
namespace {

constexpr uint32_t warp_of_thread(uint32_t thread) { return thread / kLanes; }

constexpr bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

void CopyChecks::begin_block(AsyncCopies& copies) {
  if (under_way_ != 0) shared_.clear_under_way();
  copies_ = &copies;
  under_way_ = sources_ = targets_ = 0;
  has_shared_sources_ = false;
  landing_next_ = 0;
}

void CopyChecks::renumber(uint32_t birth) {
  landed_now_.clear();
  if (under_way_ != 0)
    copies_->for_each([&](AsyncCopy& copy) { copy.stamp = renumbered(copy.stamp, birth); });
}

/// Calls f(stamp, address) for the granules of shared memory that the copy writes.
template <class F>
void CopyChecks::for_each_target(const AsyncCopy& copy, F&& f) {
  const int shift = shared_.granule_shift();
  const uint64_t last = (copy.to + copy.size - 1) >> shift;
  for (uint64_t granule = copy.to >> shift; copy.size != 0 && granule <= last; ++granule)
    f(*shared_.settled_cells_of(granule).written, granule << shift);
}

void CopyChecks::begin(AsyncCopy& copy) {
  ++under_way_;
  if (copy.end == AsyncCopy::End::BulkGroup) {
    has_shared_sources_ = true;
    targets_ |= bit_of(copy.to);
    return;
  }
  if (copy.source_size != 0) sources_ |= bit_of(copy.from);
  copy.stamp =
      make_stamp(log_.next() - 1, warp_of_thread(copy.thread)) | copy.thread % kLanes | kSeveralLanes;
  for_each_target(copy, [&](Stamp& written, uint64_t address) {
    if (is_under_way(written)) {
      const AsyncCopy* const earlier = copies_->find(thread_of(written), address);
      copy.replaces_unread |= earlier != nullptr && !earlier->was_read;
    }
    written = under_way_stamp(copy.thread);
  });
}

void CopyChecks::end(const AsyncCopy& copy) {
  if (copy.end != AsyncCopy::End::BulkGroup) {
    const Stamp now = copy.end == AsyncCopy::End::Group ? landed(copy)
                      : copy.is_awaited                 ? copy.stamp & ~kSeveralLanes
                                                        : copy.stamp;
    for_each_target(copy, [&](Stamp& written, uint64_t address) {
      if (written == under_way_stamp(copy.thread) && copies_->find(copy.thread, address) == nullptr)
        written = now;
    });
  }
  if (--under_way_ != 0) return;
  sources_ = targets_ = 0;
  has_shared_sources_ = false;
}

/// Stamp of a copy whose thread has waited for it: a write that the thread makes now.
Stamp CopyChecks::landed(const AsyncCopy& copy) {
  const uint32_t warp = warp_of_thread(copy.thread);
  if (number_of(copy.stamp) < log_.order().met_all()) reporter_.note_late_wait(copy.step);
  if (log_.next() != landing_next_ || warp != landing_warp_) landed_now_.clear();
  landing_warp_ = warp;
  const auto found = std::ranges::find(landed_now_, copy.step, &std::pair<uint32_t, Stamp>::first);
  const Stamp lane = copy.thread % kLanes;
  if (found != landed_now_.end()) return found->second | lane;
  landed_now_.emplace_back(copy.step, log_.add(copy.step, kAllLanes.bits, warp));
  landing_next_ = log_.next();
  return landed_now_.back().second | lane;
}

void CopyChecks::check(const ObservedAccess& access) {
  const bool writes = doing_of(access) != Doing::Reading;
  const bool global = access.space == ptx::Space::Global;
  uint64_t lowest = ~uint64_t{0};
  uint64_t highest = 0;
  for_each_lane({access.mask}, [&](int lane) {
    lowest = std::min(lowest, access.address[lane]);
    highest = std::max(highest, access.address[lane] + access.bytes);
  });
  const auto compare = [&](const AsyncCopy& copy, Finding finding, uint64_t address, uint32_t bytes) {
    if (!overlap(address, bytes, lowest, highest - lowest)) return;
    for_each_lane({access.mask}, [&](int lane) {
      if (overlap(address, bytes, access.address[lane], access.bytes))
        reporter_.report_copy(access, finding, lane, std::max(address, access.address[lane]), copy, *copies_);
    });
  };
  copies_->for_each([&](const AsyncCopy& copy) {
    const bool to_global = copy.end == AsyncCopy::End::BulkGroup;
    if (writes && global != to_global && !copy.source_is_read)
      compare(copy, Finding::CopySource, copy.from, copy.source_size);
    const bool both_update = copy.updates && doing_of(access) == Doing::Updating;
    if (global && to_global && !both_update) compare(copy, Finding::CopyUnderWay, copy.to, copy.size);
  });
}

void CopyChecks::meet(const ObservedAccess& access, int lane, uint64_t granule, Stamp stamp) {
  const uint64_t address = granule << shared_.granule_shift();
  AsyncCopy* const copy = copies_->find(thread_of(stamp), address);
  if (copy == nullptr) return;
  reporter_.report_copy(access, Finding::CopyUnderWay, lane, address, *copy, *copies_);
  if (doing_of(access) != Doing::Writing) copy->was_read = true;
}

}  // namespace lanescope::emulator
