#include "emulator/history.h"

#include "emulator/run.h"

#include <memory>
#include <vector>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

using trace::History;

/// Takes no notice of accesses.
class NoSink final : public trace::Sink {
 public:
  bool begin_block(CtaId) override { return false; }
  void on_access(const trace::WarpAccess&) override {}
};

}  // namespace

Result<History> record_history(const ptx::Program& program, const launch::Launch& launch, CtaId cta,
                               WarpId warp, const Options& options, uint32_t most_entries) {
  const uint64_t warps = (volume(launch.block) + kLanes - 1) / kLanes;
  if (cta.value >= volume(launch.grid) || warp.value >= warps)
    return fail(
        ErrorKind::Usage,
        fmt::format("there is no warp {} of block {}; the grid has {} blocks of {} warps, counted from 0",
                    warp.value, cta.value, volume(launch.grid), warps));
  History history;
  Options one_warp = options;
  one_warp.history = HistoryRequest{cta, warp, most_entries, &history};
  std::vector<std::unique_ptr<NoSink>> sinks;
  const auto sink_of_worker = [&](unsigned) -> trace::Sink& {
    sinks.push_back(std::make_unique<NoSink>());
    return *sinks.back();
  };
  const Result<Outcome> outcome = run(program, launch, sink_of_worker, one_warp);
  // A kernel that does not end has a history all the same.
  if (!outcome && (history.entries.empty() || outcome.error().kind != ErrorKind::Limit))
    return std::unexpected(outcome.error());
  return history;
}

}  // namespace lanescope::emulator
