#include "pipeline/count_places.h"

#include "base/lines.h"

#include <algorithm>
#include <map>

namespace lanescope::pipeline {
namespace {

/// Of the block or the cluster; `bar.warp.sync` is of a warp.
bool is_barrier(const trace::History::Instruction& instruction) {
  std::string_view text = trimmed(instruction.ptx_text);
  if (text.starts_with('@')) text = trimmed(text.substr(std::min(text.find(' '), text.size())));
  return (text.starts_with("bar.") || text.starts_with("barrier.")) && !text.starts_with("bar.warp");
}

/// The line whose entries weigh most; of equal ones the last.
template <class Weight>
std::optional<LineShare> heaviest_line(const trace::History& history, std::string_view file,
                                       const Weight& weight) {
  std::map<int, uint64_t> lines;
  for (const trace::History::Entry& entry : history.entries) {
    const Location& where = history.instructions[entry.instruction].source;
    if (where.line != 0 && where.file == file) lines[where.line] += weight(entry);
  }
  auto found = lines.end();
  for (auto line = lines.begin(); line != lines.end(); ++line)
    if (found == lines.end() || line->second >= found->second) found = line;
  if (found == lines.end() || found->second == 0) return std::nullopt;
  return LineShare{found->first, found->second};
}

}  // namespace

uint64_t barriers_of(const trace::History& history) {
  return static_cast<uint64_t>(std::ranges::count_if(history.entries, [&](const auto& entry) {
    return is_barrier(history.instructions[entry.instruction]);
  }));
}

std::optional<LineShare> line_of_most_barriers(const trace::History& history, std::string_view file) {
  return heaviest_line(history, file, [&](const trace::History::Entry& entry) {
    return is_barrier(history.instructions[entry.instruction]) ? uint64_t{1} : uint64_t{0};
  });
}

std::optional<LineShare> line_of_most_idle_lanes(const trace::History& history, std::string_view file) {
  return heaviest_line(history, file, [](const trace::History::Entry& entry) {
    return static_cast<uint64_t>(kLanes - entry.lanes.count());
  });
}

std::optional<LineShare> line_of_most_instructions(const trace::History& history, std::string_view file) {
  return heaviest_line(history, file, [](const trace::History::Entry&) { return uint64_t{1}; });
}

std::optional<ElementWriter> writer_of(const trace::Trace& trace, uint32_t buffer, uint64_t offset) {
  const uint64_t wanted = trace::global_address(buffer, offset);
  std::optional<ElementWriter> last;
  for (const trace::StoredBlock& block : trace.blocks)
    for (const trace::StoredAccess& stored : block.accesses) {
      const trace::Operation& operation = trace.sites[stored.site.value].operation;
      if (operation.space != trace::Space::Global || operation.kind == trace::Kind::Load ||
          operation.kind == trace::Kind::AsyncCopy)
        continue;
      const trace::WarpAccess access = trace::view(trace, block, stored);
      trace::for_each_address(access, [&](int, int lane, uint64_t address) {
        if (wanted < address || wanted - address >= operation.bytes_per_lane) return;
        last = {stored.site, position_of(block.cta.value, trace.grid),
                position_of(uint64_t{stored.warp.value} * kLanes + static_cast<uint64_t>(lane), trace.block)};
      });
    }
  return last;
}

}  // namespace lanescope::pipeline
