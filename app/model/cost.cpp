// Which rule counts an access: sectors for global and local memory, wavefronts for shared memory.

#include "model/cost.h"

#include "model/bank_cost.h"
#include "model/sector_cost.h"

namespace lanescope::model {

trace::Cost cost_of(const trace::WarpAccess& access) {
  if (!access.active.any()) return {};
  switch (access.operation.space) {
    case trace::Space::Global:
      return global_cost(access);
    case trace::Space::Shared:
      return bank_cost(access);
    case trace::Space::Local:
      return local_cost(access);
    case trace::Space::Constant:
      break;  // served by its own cache, which counts neither sectors nor wavefronts
    case trace::Space::Texture:
    case trace::Space::Surface:
      break;  // there are no addresses
  }
  return {};
}

}  // namespace lanescope::model
