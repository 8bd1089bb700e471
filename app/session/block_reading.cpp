#include "session/block_reading.h"

#include "session/opened_file.h"

#include <algorithm>
#include <utility>

namespace lanescope::session {
namespace {

/// A part takes a tenth of a second: for as long a command waits.
constexpr uint64_t kPartBytes = uint64_t{16} << 20;

/// Whether the run has the map of these elements, of all blocks.
bool has_elements(const pipeline::Run& run, const pipeline::BlockSums::Elements& wanted) {
  const model::ElementMap* const map = run.unread->elements.get();
  return map != nullptr && map->buffer == wanted.buffer && map->kind == wanted.kind;
}

}  // namespace

void BlockReading::follow(Snapshot& snapshot, const std::optional<ShowElements>& elements) {
  const auto& run = snapshot.run;
  const bool is_partial = run && run->unread && snapshot.choices.file && options_.reads_all_blocks;
  Elements wanted;
  if (is_partial && elements && model::has_element_map(*run->trace, elements->buffer))
    wanted = {elements->buffer, elements->kind};
  const bool is_done = !is_partial || run->launch == failed_ ||
                       (run->unread->are_counted && (!wanted || has_elements(*run, *wanted)));
  if (is_done)
    work_.reset();
  else if (!work_ || work_->launch != run->launch || work_->device != snapshot.choices.device.name ||
           work_->elements != wanted)
    work_ = Work{.launch = run->launch,
                 .device = snapshot.choices.device.name,
                 .elements = wanted,
                 .sums = pipeline::BlockSums(run, snapshot.choices.device, wanted),
                 .next = {}};
  snapshot.reading.reset();
  if (work_)
    snapshot.reading = MeasureProgress{work_->next.value, static_cast<size_t>(volume(run->trace->grid))};
}

Result<bool> BlockReading::advance(Snapshot& snapshot) {
  const auto read = [&]() -> Result<std::optional<CtaId>> {
    TRY(const trace::TracePart part,
        options_.read_trace(snapshot.choices.file->path, {.first = work_->next, .most_bytes = kPartBytes}));
    TRY_VOID(work_->sums.add(part.trace));
    return part.next;
  };
  const auto next = read();
  if (!next) {
    failed_ = work_->launch;
    work_.reset();
    return std::unexpected(next.error());
  }
  if (*next) return work_->next = **next, false;
  const auto shown = std::ranges::find(snapshot.runs, snapshot.run);
  snapshot.run = work_->sums.counted(*snapshot.run);
  if (shown != snapshot.runs.end()) *shown = snapshot.run;
  work_.reset();
  return true;
}

}  // namespace lanescope::session
