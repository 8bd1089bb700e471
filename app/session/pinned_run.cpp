#include "session/pinned_run.h"

#include "pipeline/matching_access.h"
#include "session/shown_run.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {
namespace {

Result<void> require_run(const Snapshot& snapshot) {
  if (snapshot.run && !snapshot.failed) return {};
  return fail(ErrorKind::Usage, "what is chosen did not run, so there is nothing to compare; mend it first");
}

/// A snapshot of nothing but the run that is shown. Measuring goes on for the session, not for A.
Snapshot snapshot_of_run(const ShownRun& shown) {
  Snapshot a;
  static_cast<ShownRun&>(a) = shown;
  a.timings.measuring.reset();
  return a;
}

bool has_same_texts(const Choices& one, const Choices& other) {
  static const pipeline::EditedFiles kNone;
  return std::ranges::equal(
      one.edited ? *one.edited : kNone, other.edited ? *other.edited : kNone,
      [](const auto& a, const auto& b) { return a.first == b.first && *a.second == *b.second; });
}

bool has_same_sites(const trace::Trace& one, const trace::Trace& other) {
  return std::ranges::equal(one.sites, other.sites, [](const trace::Site& a, const trace::Site& b) {
    return a.operation == b.operation && a.source == b.source;
  });
}

}  // namespace

bool PinnedRun::Followed::operator==(const Followed& other) const {
  const auto key = [](const Followed& f) {
    return std::tuple(f.run_generation, f.place.cta, f.place.warp, f.place.access, f.wave, f.language,
                      f.views);
  };
  return key(*this) == key(other);
}

Result<void> PinnedRun::pin(const Snapshot& snapshot, const CurrentRuns& runs) {
  TRY_VOID(require_run(snapshot));
  a_ = snapshot_of_run(snapshot);
  a_.run_generation = ++run_generation_;
  made_ = runs.made();
  values_of_ = snapshot.selection.cta;
  followed_.reset();
  return {};
}

Result<void> PinnedRun::swap(Snapshot& snapshot, CurrentRuns& runs) {
  if (!is_set()) return fail(ErrorKind::Usage, "nothing is compared; keep a run as A first");
  TRY_VOID(require_run(snapshot));
  if (!has_same_texts(a_.choices, snapshot.choices))
    return fail(
        ErrorKind::Usage,
        "the text was edited since A was kept, so A cannot become the present run; take the edit back "
        "instead");
  ShownRun a = std::exchange(a_, snapshot_of_run(snapshot));
  a.choices.language = snapshot.choices.language;
  a_.run_generation = ++run_generation_;
  values_of_ = snapshot.selection.cta;
  CurrentRuns::Made made = std::exchange(made_, runs.made());
  static_cast<ShownRun&>(snapshot) = std::move(a);
  runs.take(std::move(made), snapshot);
  followed_.reset();
  return {};
}

/// The block at the same place of the grid, or the nearest one.
CtaId PinnedRun::block_of(const Snapshot& snapshot, CtaId cta) const {
  const Dim3 grid = a_.run->trace->grid;
  Dim3 at = position_of(cta.value, snapshot.run->trace->grid);
  at = {std::min(at.x, grid.x - 1), std::min(at.y, grid.y - 1), std::min(at.z, grid.z - 1)};
  return CtaId{static_cast<uint32_t>(linear(at, grid))};
}

bool PinnedRun::needs_run(const Snapshot& snapshot, CtaId cta) const {
  if (!is_set() || !snapshot.run || made_.steps.empty()) return false;
  const CtaId block = block_of(snapshot, cta);
  const trace::Trace& trace = *a_.run->trace;
  if (snapshot.choices.with_caches && !a_.choices.with_caches) return true;
  const bool has_values = trace.provenance == Provenance::Emulated;
  return has_values ? block != values_of_ : trace::find_block(trace, block) == nullptr;
}

Result<void> PinnedRun::read_block(const Snapshot& snapshot, CtaId cta, const CurrentRuns& runs) {
  if (!is_set() || !snapshot.run) return {};
  TRY(const bool is_other, runs.read_block(a_, block_of(snapshot, cta)));
  if (!is_other) return {};
  a_.run_generation = ++run_generation_;
  followed_.reset();
  return {};
}

Result<void> PinnedRun::run(const Snapshot& snapshot, CtaId cta, const std::stop_token& stop) {
  const CtaId block = block_of(snapshot, cta);
  a_.choices.with_caches = snapshot.choices.with_caches;
  TRY(ProducedRuns produced, run_by_producer(a_.choices, made_.steps, run_options(a_.choices, block, stop),
                                             execution_, gpu_, [](const pipeline::Job&) {}));
  a_.runs = std::move(produced.runs);
  a_.run = a_.runs[std::min<size_t>(a_.choices.launch, a_.runs.size() - 1)];
  values_of_ = block;
  a_.run_generation = ++run_generation_;
  followed_.reset();
  return {};
}

void PinnedRun::select(const Snapshot& snapshot) {
  const CtaId block = block_of(snapshot, snapshot.selection.cta);
  const pipeline::SelectionRequest place{block, snapshot.selection.warp, 0};
  const bool is_here = a_.selection.cta == block && a_.selection.warp == place.warp;
  if (!is_here || !followed_) session::select(a_, place);
  session::select(a_, {block, place.warp,
                       pipeline::matching_access(snapshot.selection.timeline, snapshot.selection.access,
                                                 a_.selection.timeline)});
}

void PinnedRun::follow(Snapshot& snapshot, const RequestedViews& views) {
  snapshot.pinned = nullptr;
  snapshot.has_same_sites = false;
  if (!is_set() || !snapshot.run) return;
  const Followed wanted{
      snapshot.run_generation,
      pipeline::request_of(snapshot.selection),
      snapshot.wave,
      snapshot.choices.language,
      {snapshot.elements.get(), snapshot.values.get(), snapshot.warps.get(), snapshot.block_costs.get()}};
  if (followed_ != wanted) {
    a_.available = snapshot.available;  // both sides leave room for the same controls
    select(snapshot);
    show_wave(a_, snapshot.wave);
    a_.choices.language = snapshot.choices.language;
    views.follow(a_);
    has_same_sites_ = session::has_same_sites(*a_.run->trace, *snapshot.run->trace);
    followed_ = wanted;
    a_.generation = ++generation_;
    shown_ = std::make_shared<const Snapshot>(a_);
  }
  snapshot.pinned = shown_;
  snapshot.has_same_sites = has_same_sites_;
}

uint32_t PinnedRun::in_present(const Snapshot& snapshot, uint32_t index) const {
  return pipeline::matching_access(a_.selection.timeline, index, snapshot.selection.timeline);
}

std::optional<uint32_t> PinnedRun::on_line(int line) const {
  return pipeline::access_on_line(a_.selection, line);
}

}  // namespace lanescope::session
