#include "model/residency.h"

#include <algorithm>
#include <numeric>

namespace lanescope::model {
namespace {

constexpr int kFirstWithEstimate = 20;  // compute capability from which the estimate of registers counts
constexpr int kFirstWithPieces = 50;    // compute capability from which the pieces are known
constexpr uint64_t kRegisterPiece = 256;
constexpr uint64_t kSharedPieceBytes = 128;
constexpr uint64_t kQuarters = 4;  // of a multiprocessor, each with its registers

constexpr uint64_t rounded_up(uint64_t number, uint64_t piece) {
  return (number + piece - 1) / piece * piece;
}

/// Blocks of `warps` warps whose registers fit.
uint64_t blocks_by_registers(const Device& device, uint64_t warps, uint64_t registers_per_thread) {
  const uint64_t of_warp = registers_per_thread * kLanes;
  if (device.compute_capability < kFirstWithPieces)
    return device.registers_per_multiprocessor / (of_warp * warps);
  const uint64_t of_quarter = device.registers_per_multiprocessor / kQuarters;
  return of_quarter / rounded_up(of_warp, kRegisterPiece) * kQuarters / warps;
}

void add_rows(std::vector<uint64_t>& sum, const std::vector<uint32_t>& bytes, size_t first, size_t end) {
  for (size_t row = first; row < end; ++row)
    for (size_t n = 0; n < sum.size(); ++n) sum[n] += bytes[row * sum.size() + n];
}

double effective(const std::vector<uint64_t>& bytes) {
  double total = 0, squares = 0;
  for (const uint64_t one : bytes) {
    const auto amount = static_cast<double>(one);
    total += amount;
    squares += amount * amount;
  }
  return squares == 0 ? 0 : total * total / squares;
}

double busiest(const std::vector<uint64_t>& bytes) {
  const auto total = static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}));
  return total == 0 ? 0 : static_cast<double>(std::ranges::max(bytes)) / total;
}

}  // namespace

std::string_view name_of(ResidencyLimit limit) {
  switch (limit) {
    case ResidencyLimit::Blocks:
      return "blocks";
    case ResidencyLimit::Warps:
      return "warps";
    case ResidencyLimit::SharedMemory:
      return "shared memory";
    case ResidencyLimit::Registers:
      break;
  }
  return "registers";
}

BlockNeeds needs_of(const trace::Trace& trace) {
  return {.threads = static_cast<uint32_t>(volume(trace.block)),
          .shared_bytes = trace.shared_bytes,
          .registers_per_thread = trace.registers_per_thread};
}

Residency residency_of(const trace::Trace& trace, const Device& device) {
  return residency_of(needs_of(trace), device);
}

Residency residency_of(const BlockNeeds& needs, const Device& device) {
  const uint64_t warps = (uint64_t{needs.threads} + kLanes - 1) / kLanes;
  uint64_t shared_bytes = needs.shared_bytes + device.shared_bytes_reserved_per_block;
  if (device.compute_capability >= kFirstWithPieces)
    shared_bytes = rounded_up(shared_bytes, kSharedPieceBytes);
  Residency residency;
  residency.by_blocks = device.blocks_per_multiprocessor;
  if (warps != 0) residency.by_warps = device.warps_per_multiprocessor / warps;
  if (shared_bytes != 0) residency.by_shared_memory = device.shared_bytes_per_multiprocessor / shared_bytes;
  if (warps != 0 && needs.registers_per_thread != 0 && device.compute_capability >= kFirstWithEstimate)
    residency.by_registers = blocks_by_registers(device, warps, needs.registers_per_thread);

  uint64_t blocks = residency.by_blocks;
  const auto lower = [&](const std::optional<uint64_t>& most, ResidencyLimit limit) {
    if (!most || *most >= blocks) return;
    blocks = *most;
    residency.limit = limit;
  };
  lower(residency.by_warps, ResidencyLimit::Warps);
  lower(residency.by_shared_memory, ResidencyLimit::SharedMemory);
  lower(residency.by_registers, ResidencyLimit::Registers);
  residency.per_multiprocessor = static_cast<uint32_t>(std::max<uint64_t>(1, blocks));
  residency.in_flight = residency.per_multiprocessor * device.multiprocessors;
  return residency;
}

uint32_t wave_count(uint64_t blocks, uint32_t in_flight) {
  return in_flight == 0 ? 0 : static_cast<uint32_t>((blocks + in_flight - 1) / in_flight);
}

Wave wave_of(uint64_t blocks, uint32_t in_flight, uint32_t number) {
  const uint32_t count = wave_count(blocks, in_flight);
  if (count == 0) return {};
  number = std::min(number, count - 1);
  const uint64_t first = uint64_t{number} * in_flight;
  return {number, static_cast<uint32_t>(first), static_cast<uint32_t>(std::min(blocks, first + in_flight))};
}

WaveTraffic traffic_of(const PartitionReport& report, const Wave& wave) {
  WaveTraffic traffic;
  if (!report.known()) return traffic;
  const auto row_of = [&](uint32_t block) {
    return static_cast<size_t>(std::ranges::lower_bound(report.blocks, CtaId{block}) - report.blocks.begin());
  };
  const size_t first = row_of(wave.first), end = row_of(wave.end);
  traffic.read_bytes.resize(report.partitions);
  traffic.written_bytes.resize(report.partitions);
  add_rows(traffic.read_bytes, report.read_bytes, first, end);
  add_rows(traffic.written_bytes, report.written_bytes, first, end);
  traffic.read_effective = effective(traffic.read_bytes);
  traffic.written_effective = effective(traffic.written_bytes);
  traffic.read_busiest = busiest(traffic.read_bytes);
  traffic.written_busiest = busiest(traffic.written_bytes);
  return traffic;
}

}  // namespace lanescope::model
