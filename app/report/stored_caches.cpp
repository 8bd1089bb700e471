#include "report/stored_caches.h"

#include "caches/known_devices.h"
#include "caches/simulate.h"
#include "caches/stream_stage.h"

#include <utility>

namespace lanescope::report {
namespace {

/// The requests of a block to global and local memory, warp by warp in their order.
caches::BlockStream stream_of(const trace::Trace& trace, const trace::StoredBlock& block) {
  caches::BlockStream stream{.cta = block.cta, .warps = {}, .list = {}};
  stream.warps.resize((volume(trace.block) + kLanes - 1) / kLanes);
  for (const trace::StoredAccess& stored : block.accesses) {
    const trace::WarpAccess access = trace::view(trace, block, stored);
    const trace::Space space = access.operation.space;
    if (space != trace::Space::Global && space != trace::Space::Local) continue;
    caches::add_request(stream, access.warp.value, access);
  }
  return stream;
}

}  // namespace

bool has_every_access(const trace::Trace& trace) {
  if (trace.dropped != 0) return false;
  if (trace.blocks.size() == volume(trace.grid)) return true;
  if (trace.level != trace::CountLevel::Ptx) return false;
  uint64_t stored = 0, made = 0;
  for (const trace::StoredBlock& block : trace.blocks) stored += block.accesses.size();
  for (const trace::Site& site : trace.sites)
    if (has_addresses(site.operation.space)) made += trace.totals[site.id.value].requests;
  return stored == made;
}

Result<caches::CacheReport> caches_of_stored(const trace::Trace& trace, const model::Device& device) {
  TRY_VOID(caches::require_known(device));
  if (!has_every_access(trace))
    return fail(ErrorKind::Unsupported,
                "the time is not known: not every access of the launch was stored, which the model of the "
                "caches needs");
  caches::Streams streams{.multiprocessors = device.multiprocessors, .blocks = {}};
  for (const trace::StoredBlock& block : trace.blocks) streams.blocks.push_back(stream_of(trace, block));
  return caches::simulate(streams, trace, device);
}

}  // namespace lanescope::report
