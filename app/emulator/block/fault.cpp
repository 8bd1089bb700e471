#include "emulator/block/fault.h"

#include "emulator/memory/cluster_layout.h"
#include "trace/access.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

std::string_view verb_of(trace::Kind kind) {
  switch (kind) {
    case trace::Kind::Load:
      return "reads";
    case trace::Kind::Store:
      return "writes";
    default:
      return "updates";
  }
}

std::string_view name_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      return "shared";
    case ptx::Space::Local:
    case ptx::Space::Frame:
      return "local";
    case ptx::Space::Constant:
      return "constant";
    case ptx::Space::Parameter:
      return "parameter";
    default:
      return "global";
  }
}

std::string misaligned(std::string_view verb, uint32_t bytes, std::string_view place, uint64_t offset) {
  return fmt::format("{} {} bytes at offset {} of {}, which is not a multiple of {}; align the address", verb,
                     bytes, offset, place, bytes);
}

/// Absent if the access is fine as far as bounds are concerned.
std::optional<std::string> beyond(std::string_view verb, uint32_t bytes, const std::string& place,
                                  uint64_t offset, uint64_t size) {
  if (bytes <= size && offset <= size - bytes) return std::nullopt;
  // No space is half as large as its addresses reach, in 64 bits or in 32: what is that far up went below
  // zero.
  const uint64_t below = offset >> 63 != 0                               ? 0 - offset
                         : offset >> 31 == 1 && size < uint64_t{1} << 31 ? (uint64_t{1} << 32) - offset
                                                                         : 0;
  if (below != 0)
    return fmt::format("{} {} bytes {} bytes before the start of {}; check for a negative index", verb, bytes,
                       below, place);
  const uint64_t beyond_end = offset >= size ? offset - size + bytes : bytes - (size - offset);
  return fmt::format("{} {} bytes at offset {} of {}, {} bytes beyond its end (it has {}); check the index",
                     verb, bytes, offset, place, beyond_end, size);
}

/// Why there is no buffer at a global address.
std::string nowhere(const BlockState& block, uint64_t address) {
  constexpr uint64_t kNear = uint64_t{1} << (trace::kBufferShift - 1);  // half the way to the buffer before
  const uint64_t next = (address + kNear) >> trace::kBufferShift;
  if (next >= 1 && next <= block.memory.buffers().size()) {
    const auto buffer = static_cast<uint32_t>(next - 1);
    const uint64_t start = trace::global_address(buffer, 0);
    if (address < start && block.memory.buffers()[buffer].size_bytes > 0)
      return fmt::format(", {} bytes before the start of '{}'; check for a negative index", start - address,
                         block.memory.name_of_buffer(buffer));
  }
  switch (address >> kWindowShift) {
    case 0:
      return ": a null pointer; check that every pointer is given a value";
    case kSharedWindow:
      return ": it is one of shared memory; let the pointer be a generic one";
    case kLocalWindow:
      return ": it is one of a thread's own memory; let the pointer be a generic one";
    case kConstantWindow:
    case kParameterWindow:
      return ": it is one of constant memory or of a parameter; let the pointer be a generic one";
    default:
      return "; check the pointer";
  }
}

/// The launch gives no dynamic shared memory to a kernel that declares some.
bool lacks_dynamic_shared(const BlockState& block) {
  if (block.code.dynamic_shared_bytes != 0) return false;
  return std::ranges::any_of(block.code.program->variables, [](const ptx::ProgramVariable& variable) {
    return variable.space == ptx::Space::Shared && variable.size_bytes == 0;
  });
}

uint64_t size_of(const BlockState& block, ptx::Space space) {
  switch (space) {
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      return block.code.shared_bytes;
    case ptx::Space::Local:
    case ptx::Space::Frame:
      return block.local.limit();
    case ptx::Space::Constant:
      return block.memory.constants().size_bytes;
    default:
      return block.memory.parameters().size_bytes;
  }
}

/// A rank that no block of the cluster has.
std::optional<std::string> beyond_cluster(const BlockState& block, std::string_view doing, uint32_t bytes,
                                          ptx::Space space, uint64_t address) {
  const uint64_t rank = address >> kRankShift;
  if (block.cluster == nullptr || window_of(space) != kSharedWindow || rank <= block.cluster->blocks.size())
    return std::nullopt;
  return fmt::format(
      "{} {} bytes in the shared memory of rank {} of a cluster, which has {} blocks; check the rank", doing,
      bytes, rank - 1, block.cluster->blocks.size());
}

}  // namespace

void report_fault(BlockState& block, const Step& step, ptx::Space space, trace::Kind kind, uint32_t bytes,
                  uint32_t warp, uint32_t mask, std::span<const uint64_t> addresses) {
  const std::string_view doing = verb_of(kind);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const uint64_t address = addresses[lane];
    const uint32_t thread = warp * kLanes + lane;
    uint64_t offset = address;
    uint64_t size = 0;
    std::string place = fmt::format("{} memory", name_of(space));
    if (space == ptx::Space::Global) {
      const uint32_t buffer = trace::buffer_of(address);
      const bool is_buffer = trace::has_buffer(address) && buffer < block.memory.buffers().size() &&
                             block.memory.buffers()[buffer].size_bytes > 0;
      const std::string why = nowhere(block, address);
      if (!is_buffer || why.starts_with(',')) {
        block.report(trace::HazardKind::OutOfBounds, step, thread,
                     fmt::format("{} {} bytes at address {:#x}, where there is no buffer{}", doing, bytes,
                                 address, why));
        return;
      }
      offset = trace::offset_of(address);
      size = block.memory.buffers()[buffer].size_bytes;
      place = fmt::format("'{}'", block.memory.name_of_buffer(buffer));
    } else {
      size = size_of(block, space);
      if (const auto message = beyond_cluster(block, doing, bytes, space, address)) {
        block.report(trace::HazardKind::OutOfBounds, step, thread, *message);
        return;
      }
      if (space == ptx::Space::Local) place = "its local memory";
      if (place == "shared memory" && offset + bytes > size && lacks_dynamic_shared(block)) {
        block.report(trace::HazardKind::OutOfBounds, step, thread,
                     fmt::format("{} {} bytes at offset {} of shared memory, and the kernel's dynamic shared "
                                 "memory has 0 bytes; give it some with --shared BYTES",
                                 doing, bytes, offset));
        return;
      }
    }
    if (const auto message = beyond(doing, bytes, place, offset, size)) {
      block.report(trace::HazardKind::OutOfBounds, step, thread, *message);
      return;
    }
    if (offset % bytes != 0) {
      block.report(trace::HazardKind::Misaligned, step, thread, misaligned(doing, bytes, place, offset));
      return;
    }
  }
  // Not reached as long as the fast check refuses nothing that is right; if it does, say so.
  block.report(trace::HazardKind::OutOfBounds, step, warp * kLanes,
               fmt::format("{} {} bytes, and the check refused it without a reason: a bug of this program",
                           doing, bytes));
}

}  // namespace lanescope::emulator
