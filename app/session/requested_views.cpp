#include "session/requested_views.h"

#include "model/block_costs.h"
#include "model/block_timeline.h"
#include "model/tiles.h"
#include "pipeline/value_maps.h"

#include <utility>

namespace lanescope::session {

namespace {

std::shared_ptr<const model::BlockCosts> costs_of(const pipeline::Run& run, int compute_capability) {
  if (run.unread && run.unread->costs) return run.unread->costs;
  return std::make_shared<const model::BlockCosts>(model::block_costs(*run.trace, compute_capability));
}

}  // namespace

void RequestedViews::follow(Snapshot& snapshot) const {
  const bool is_other_run =
      std::exchange(snapshot.views_of, snapshot.run_generation) != snapshot.run_generation;
  if (is_other_run) {
    snapshot.elements = nullptr;
    snapshot.values = nullptr;
    snapshot.warps = nullptr;
    snapshot.block_costs = nullptr;
  }
  if (!snapshot.run) return;
  const trace::Trace& trace = *snapshot.run->trace;
  const int capability = snapshot.choices.device.compute_capability;
  if (elements_) make_elements(snapshot);
  if (values_ && !snapshot.values)
    snapshot.values =
        std::make_shared<const std::vector<model::ValueMap>>(pipeline::value_maps(*snapshot.run));
  if (block_costs_ && !snapshot.block_costs) snapshot.block_costs = costs_of(*snapshot.run, capability);
  if (!warps_ || (snapshot.warps && snapshot.warps->cta == snapshot.selection.cta)) return;
  const trace::StoredBlock* const block = trace::find_block(trace, snapshot.selection.cta);
  snapshot.warps =
      block == nullptr
          ? nullptr
          : std::make_shared<const model::BlockTimeline>(model::block_timeline(trace, *block, capability));
}

void RequestedViews::make_elements(Snapshot& snapshot) const {
  const model::ElementMap* const made = snapshot.elements.get();
  if (made != nullptr && made->buffer == elements_->buffer && made->kind == elements_->kind) return;
  snapshot.elements = nullptr;
  if (const auto& unread = snapshot.run->unread; unread && unread->elements)
    if (unread->elements->buffer == elements_->buffer && unread->elements->kind == elements_->kind)
      return void(snapshot.elements = unread->elements);
  if (auto map = model::map_elements(*snapshot.run->trace, elements_->buffer, elements_->kind))
    snapshot.elements = std::make_shared<const model::ElementMap>(*std::move(map));
}

}  // namespace lanescope::session
