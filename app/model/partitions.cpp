// Bytes per block and partition, added up sector run by sector run.

#include "model/partitions.h"

#include "model/residency.h"
#include "model/sector_walk.h"

#include <algorithm>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::Space;

/// Adds the bytes of `count` sectors from number `first` on to their partitions.
void add_sectors(const PartitionPieces& pieces, uint64_t first, uint64_t count, uint32_t* bytes) {
  uint64_t at = trace::offset_of(first * kSectorBytes);
  const uint64_t end = at + count * kSectorBytes;
  while (at < end) {
    const uint64_t piece = pieces.piece_at(at);
    const uint64_t stop = std::min(end, (piece + 1) * pieces.width());
    bytes[pieces.partition_of(piece)] += static_cast<uint32_t>(stop - at);
    at = stop;
  }
}

struct Direction {
  bool reads = false;
  bool writes = false;
};

/// An atomic reads and writes its address. A trace has no global address for local memory.
Direction direction_of(const trace::Operation& operation) {
  if (operation.space != Space::Global) return {};
  switch (operation.kind) {
    case Kind::Load:
    case Kind::AsyncCopy:
      return {.reads = true};
    case Kind::Store:
      return {.writes = true};
    case Kind::Atomic:
    case Kind::Reduction:
      return {.reads = true, .writes = true};
  }
  return {};
}

void see_first_wave(PartitionReport& report) {
  const WaveTraffic first_wave = traffic_of(report, {.first = 0, .end = report.blocks_in_flight});
  report.read_effective = first_wave.read_effective;
  report.written_effective = first_wave.written_effective;
}

}  // namespace

uint32_t partition_of(uint64_t address, const PartitionMap& map) {
  if (map.hash == PartitionMap::Hash::Unknown) return 0;
  const PartitionPieces pieces(map);
  return pieces.partition_of(pieces.piece_at(trace::offset_of(address)));
}

PartitionReport map_partitions(const trace::Trace& trace, const Device& device) {
  PartitionReport report;
  report.blocks_in_flight = residency_of(trace, device).in_flight;
  report.blocks_missing = volume(trace.grid) - std::min<uint64_t>(volume(trace.grid), trace.blocks.size());
  report.blocks.reserve(trace.blocks.size());
  for (const trace::StoredBlock& block : trace.blocks) report.blocks.push_back(block.cta);
  if (device.partitions.hash == PartitionMap::Hash::Unknown) return report;

  report.partitions = device.partitions.count;
  report.read_bytes.resize(trace.blocks.size() * report.partitions);
  report.written_bytes.resize(trace.blocks.size() * report.partitions);
  std::vector<Direction> direction_of_site;
  for (const trace::Site& site : trace.sites) direction_of_site.push_back(direction_of(site.operation));

  const PartitionPieces pieces(device.partitions);
  for (size_t row = 0; row < trace.blocks.size(); ++row) {
    const trace::StoredBlock& block = trace.blocks[row];
    uint32_t* const read = report.read_bytes.data() + row * report.partitions;
    uint32_t* const written = report.written_bytes.data() + row * report.partitions;
    for (const trace::StoredAccess& stored : block.accesses) {
      const Direction direction = direction_of_site[stored.site.value];
      if (!direction.reads && !direction.writes) continue;
      for_each_sector_run(view(trace, block, stored), [&](uint64_t first, uint64_t count) {
        if (direction.reads) add_sectors(pieces, first, count, read);
        if (direction.writes) add_sectors(pieces, first, count, written);
      });
    }
  }

  see_first_wave(report);
  return report;
}

void append(PartitionReport& report, const PartitionReport& later) {
  const auto add = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(report.blocks, later.blocks);
  add(report.read_bytes, later.read_bytes);
  add(report.written_bytes, later.written_bytes);
  report.blocks_missing -= std::min<uint64_t>(report.blocks_missing, later.blocks.size());
  see_first_wave(report);
}

}  // namespace lanescope::model
