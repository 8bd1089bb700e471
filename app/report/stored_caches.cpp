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

/// Whether every access of the launch is stored. A block without accesses has no entry in a saved trace.
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

/// How many blocks from the first one on are stored, without a gap.
size_t first_blocks(const trace::Trace& trace) {
  size_t count = 0;
  while (count < trace.blocks.size() && trace.blocks[count].cta.value == count) ++count;
  return count;
}

}  // namespace

bool has_first_accesses(const trace::Trace& trace) {
  return has_every_access(trace) || first_blocks(trace) != 0;
}

Result<caches::CacheReport> caches_of_stored(const trace::Trace& trace, const model::Device& device) {
  TRY_VOID(caches::require_known(device));
  if (!has_first_accesses(trace))
    return fail(ErrorKind::Unsupported,
                "the time is not known: no access of the launch was stored, which the model of the caches "
                "needs");
  const bool is_whole = has_every_access(trace);
  const size_t blocks = is_whole ? trace.blocks.size() : first_blocks(trace);
  caches::Streams streams{.multiprocessors = device.multiprocessors, .blocks = {}, .ends_early = !is_whole};
  for (size_t n = 0; n < blocks; ++n) streams.blocks.push_back(stream_of(trace, trace.blocks[n]));
  return caches::simulate(streams, trace, device);
}

}  // namespace lanescope::report
