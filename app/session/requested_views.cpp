#include "session/matrix_selection.h"

#include "model/tiles.h"
#include "pipeline/value_maps.h"

namespace lanescope::session {

void MatrixSelection::show_elements(Snapshot& snapshot, const ShowElements& wanted) {
  elements_ = wanted;
  make_elements(snapshot);
}

void MatrixSelection::show_values(Snapshot& snapshot) {
  values_ = true;
  make_values(snapshot);
}

void MatrixSelection::follow_run(Snapshot& snapshot) const {
  make_elements(snapshot);
  make_values(snapshot);
}

void MatrixSelection::make_elements(Snapshot& snapshot) const {
  snapshot.elements = nullptr;
  if (!elements_ || !snapshot.run) return;
  if (auto map = model::map_elements(*snapshot.run->trace, elements_->buffer, elements_->kind))
    snapshot.elements = std::make_shared<const model::ElementMap>(*std::move(map));
}

void MatrixSelection::make_values(Snapshot& snapshot) const {
  snapshot.values = nullptr;
  if (values_ && snapshot.run)
    snapshot.values =
        std::make_shared<const std::vector<model::ValueMap>>(pipeline::value_maps(*snapshot.run));
}

}  // namespace lanescope::session
