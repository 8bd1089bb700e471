#include "report/stored_caches.h"

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
    caches::Request request{.base = access.addresses.base,
                            .stride = static_cast<int32_t>(access.addresses.stride),
                            .lanes = access.active,
                            .site = static_cast<uint16_t>(access.site.value),
                            .listed = access.addresses.listed()};
    if (request.listed) {
      request.base = stream.list.size();
      trace::for_each_address(access, [&](int, int, uint64_t address) { stream.list.push_back(address); });
    }
    stream.warps[access.warp.value].push_back(request);
  }
  return stream;
}

/// Whether every access is stored: a block without accesses has no entry in a saved trace.
bool is_whole(const trace::Trace& trace) {
  if (trace.dropped != 0) return false;
  if (trace.blocks.size() == volume(trace.grid)) return true;
  if (trace.level != trace::CountLevel::Ptx) return false;
  uint64_t stored = 0, made = 0;
  for (const trace::StoredBlock& block : trace.blocks) stored += block.accesses.size();
  for (const trace::Site& site : trace.sites)
    if (has_addresses(site.operation.space)) made += trace.totals[site.id.value].requests;
  return stored == made;
}

}  // namespace

Result<caches::CacheReport> caches_of_stored(const trace::Trace& trace, const model::Device& device) {
  TRY_VOID(caches::require_known(device));
  if (!is_whole(trace))
    return fail(ErrorKind::Unsupported,
                "the time is not known: not every access of the launch was stored, which the model of the "
                "caches needs");
  caches::Streams streams{.multiprocessors = device.multiprocessors, .blocks = {}};
  for (const trace::StoredBlock& block : trace.blocks) streams.blocks.push_back(stream_of(trace, block));
  return caches::simulate(streams, trace, device, caches::Rules{});
}

}  // namespace lanescope::report
