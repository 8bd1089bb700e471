#include "emulator/block/fault.h"

#include "base/array_shape.h"
#include "base/source_name.h"
#include "emulator/memory/cluster_layout.h"
#include "trace/access.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

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

/// Distance in bytes from which on an index is mostly a product that does not fit 32 bits.
constexpr uint64_t kFar = uint64_t{1} << 31;

/// Distance in bytes from a buffer at which an address has nothing to do with it.
constexpr uint64_t kUnrelated = uint64_t{1} << 36;

std::string_view advice_about_index(uint64_t distance, std::string_view else_say) {
  return distance >= kFar ? "does an index overflow 32 bits, or come from uninitialized memory?" : else_say;
}

/// Text "4 bytes before the start of 'in'; ...".
std::string before_start(uint64_t distance, std::string_view place) {
  return fmt::format("{} bytes before the start of {}; {}", distance, place,
                     advice_about_index(distance, "check for a negative index"));
}

/// Description of an access out of bounds, and the name of the element that was meant, if it has one.
struct Excursion {
  std::string message;
  std::string element = {};
};

/// Description of an access that is out of bounds; else absent. `element`: at the offset, if that is not
/// negative.
std::optional<Excursion> beyond(std::string_view verb, uint32_t bytes, const std::string& place,
                                uint64_t offset, uint64_t size, std::string element = {}) {
  if (bytes <= size && offset <= size - bytes) return std::nullopt;
  if (offset >> 63 != 0)
    return Excursion{fmt::format("{} {} bytes {}", verb, bytes, before_start(0 - offset, place))};
  const uint64_t beyond_end = offset >= size ? offset - size + bytes : bytes - (size - offset);
  std::string message = fmt::format("{} {} bytes at {}, {} bytes beyond its end (it has {}); {}", verb, bytes,
                                    place_at(element, offset, place), beyond_end, size,
                                    advice_about_index(beyond_end, "check the index"));
  return Excursion{std::move(message), std::move(element)};
}

/// Offset with a sign, in a space whose addresses may have 32 bits: no space has 2^31 bytes, so an offset in
/// the upper half of 32 bits is negative.
uint64_t widened(uint64_t offset, uint64_t size) {
  return offset >> 31 == 1 && size < uint64_t{1} << 31 ? offset - (uint64_t{1} << 32) : offset;
}

/// Array of shared memory from which alone the step's address is computed; null where it is not known.
const ptx::ProgramVariable* array_of(const Code& code, const Step& step) {
  const auto found = std::ranges::find_if(code.program->variables, [&](const ptx::ProgramVariable& variable) {
    const uint64_t end = variable.size_bytes == 0 ? code.shared_bytes : variable.offset + variable.size_bytes;
    return variable.space == ptx::Space::Shared && variable.offset == step.shared_first &&
           end == step.shared_end;
  });
  return found == code.program->variables.end() ? nullptr : &*found;
}

/// Text ", and reaches 'other'" about the contents of these bytes of shared memory; empty if there are none.
std::string what_is_reached(const Code& code, uint64_t address, uint32_t bytes) {
  for (const ptx::ProgramVariable& variable : code.program->variables) {
    const bool overlaps =
        address < variable.offset + variable.size_bytes && variable.offset < address + bytes;
    if (variable.space == ptx::Space::Shared && overlaps)
      return fmt::format(", and reaches '{}'", variable_name_of(variable.name));
  }
  const bool is_dynamic = address + bytes > code.program->static_shared_bytes && address < code.shared_bytes;
  return is_dynamic ? ", and reaches dynamic shared memory" : "";
}

/// Description of an access outside its own array in shared memory; absent if the access is inside.
std::optional<Excursion> beyond_array(const Code& code, const ptx::ProgramVariable& array,
                                      std::string_view verb, uint32_t bytes, uint64_t address, uint64_t end) {
  const uint64_t size = end - array.offset;
  const uint64_t offset = address - array.offset;
  if (bytes <= size && offset <= size - bytes) return std::nullopt;
  const std::string place = array.size_bytes == 0
                                ? std::string("dynamic shared memory")
                                : fmt::format("'{}' in shared memory", variable_name_of(array.name));
  const std::string reached = what_is_reached(code, address, bytes);
  if (offset >> 63 != 0)
    return Excursion{fmt::format("{} {} bytes {} bytes before the start of {}{}; check for a negative index",
                                 verb, bytes, 0 - offset, place, reached)};
  std::string element = element_at(variable_name_of(array.name), array.shape, offset);
  if (offset % bytes != 0 || size % bytes != 0 || size == 0)
    return Excursion{fmt::format("{} {} bytes at {}, which has {}{}; check the index", verb, bytes,
                                 place_at(element, offset, place), size, reached),
                     element};
  // The index alone names an element of a single row.
  const std::string in_rows = array.shape.extents.size() > 1 ? element + ", " : "";
  return Excursion{fmt::format("{} {}index {} of {}, which has {} elements of {} bytes{}; check the index",
                               verb, in_rows, offset / bytes, place, size / bytes, bytes, reached),
                   element};
}

/// Memory that is not there at a global address, and why; absent where nothing is known of it.
std::optional<std::string> absent_at(const BlockState& block, uint64_t address) {
  if (!trace::has_buffer(address)) return std::nullopt;
  const auto found = block.memory.absent().find(trace::buffer_of(address));
  if (found == block.memory.absent().end()) return std::nullopt;
  const AbsentBuffer& absent = found->second;
  const uint64_t offset = trace::offset_of(address);
  if (offset >= absent.size_bytes) return std::nullopt;
  return fmt::format(": it is byte {} of {} that {}", offset, absent.size_bytes, absent.why);
}

/// Reason why there is no buffer at a global address.
std::string nowhere(const BlockState& block, uint64_t address) {
  if (const auto absent = absent_at(block, address)) return *absent;
  const uint64_t next = (address + kUnrelated) >> trace::kBufferShift;
  if (next >= 1 && next <= block.memory.buffers().size()) {
    const auto buffer = static_cast<uint32_t>(next - 1);
    const uint64_t start = trace::global_address(buffer, 0);
    if (address < start && block.memory.buffers()[buffer].size_bytes > 0)
      return ", " + before_start(start - address, fmt::format("'{}'", block.memory.name_of_buffer(buffer)));
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
      // Range where Linux places the programs and stacks of processes.
      return address >= 0x5500'0000'0000 && address < 0x8000'0000'0000
                 ? "; is it an address of the host? allocate the memory with cudaMalloc, and copy with "
                   "cudaMemcpy"
                 : "; check the pointer";
  }
}

/// The buffer at a global address; absent where there is none.
std::optional<uint32_t> buffer_at(const BlockState& block, uint64_t address) {
  const uint32_t buffer = trace::buffer_of(address);
  if (!trace::has_buffer(address) || buffer >= block.memory.buffers().size()) return std::nullopt;
  if (block.memory.buffers()[buffer].size_bytes == 0) return std::nullopt;  // a number that is free
  return buffer;
}

/// Buffer in which a global address lies, or beyond whose end it is not far; absent where there is none.
std::optional<uint32_t> buffer_near(const BlockState& block, uint64_t address) {
  const std::optional<uint32_t> buffer = buffer_at(block, address);
  if (!buffer || trace::offset_of(address) >= block.memory.buffers()[*buffer].size_bytes + kUnrelated)
    return std::nullopt;
  return buffer;
}

/// Buffer of the pointer from which the step's address is computed; absent where it is not known.
std::optional<uint32_t> buffer_of_pointer(const BlockState& block, const Step& step) {
  const ptx::Program& program = *block.code.program;
  if (step.site >= program.sites.size()) return std::nullopt;
  const ptx::AddressBase& base = program.sites[step.site].base;
  switch (base.kind) {
    case ptx::AddressBase::Kind::Variable:
      if (program.variables[base.number].space != ptx::Space::Global) return std::nullopt;
      return buffer_at(block, block.memory.address_of(program, uint64_t{base.number} << 32));
    case ptx::AddressBase::Kind::Parameter: {
      const Region& parameters = block.memory.parameters();
      uint64_t pointer = 0;
      if (uint64_t{base.number} + sizeof pointer > parameters.size_bytes) return std::nullopt;
      std::memcpy(&pointer, parameters.data + base.number, sizeof pointer);
      return buffer_near(block, pointer);  // an address of the host can have the number of a buffer
    }
    case ptx::AddressBase::Kind::Unknown:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Description of an access to global memory that lies in no buffer; else absent.
std::optional<Excursion> beyond_buffers(const BlockState& block, const Step& step, std::string_view verb,
                                        uint32_t bytes, uint64_t address) {
  const auto from_start = [&](uint32_t buffer) {
    const uint64_t offset = address - trace::global_address(buffer, 0);
    return beyond(verb, bytes, fmt::format("'{}'", block.memory.name_of_buffer(buffer)), offset,
                  block.memory.buffers()[buffer].size_bytes, block.memory.element_of_buffer(buffer, offset));
  };
  const std::optional<uint32_t> here = buffer_at(block, address);
  if (here && !from_start(*here)) return std::nullopt;
  if (const auto pointer = buffer_of_pointer(block, step)) return from_start(*pointer);
  // The pointer is not known: a buffer that is far away has nothing to do with it.
  const std::string why = nowhere(block, address);
  const std::optional<uint32_t> near = buffer_near(block, address);
  if (near && !why.starts_with(',')) return from_start(*near);
  return Excursion{
      fmt::format("{} {} bytes at address {:#x}, where there is no buffer{}", verb, bytes, address, why)};
}

/// The buffer that would hold the access if it were larger; absent where no size explains the address.
std::optional<uint32_t> buffer_that_is_too_small(const BlockState& block, const Step& step,
                                                 uint64_t address) {
  const std::optional<uint32_t> here = buffer_near(block, address);
  if (!here) return std::nullopt;
  const std::optional<uint32_t> pointer = buffer_of_pointer(block, step);
  return pointer && *pointer != *here ? std::nullopt : here;
}

/// True if the launch gives no dynamic shared memory to a kernel that declares some.
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
      return block.local.end();
    case ptx::Space::Constant:
      return block.memory.constants().size_bytes;
    default:
      return block.memory.parameters().size_bytes;
  }
}

/// Description of an access with a rank that no block of the cluster has; else absent.
std::optional<std::string> beyond_cluster(const BlockState& block, std::string_view doing, uint32_t bytes,
                                          ptx::Space space, uint64_t address) {
  const uint64_t rank = address >> kRankShift;
  if (block.cluster == nullptr || window_of(space) != kSharedWindow || rank <= block.cluster->blocks.size())
    return std::nullopt;
  return fmt::format(
      "{} {} bytes in the shared memory of rank {} of a cluster, which has {} blocks; check the rank", doing,
      bytes, rank - 1, block.cluster->blocks.size());
}

/// Description of an access outside a space that is not global; absent if the access is inside.
std::optional<Excursion> beyond_space(const BlockState& block, const Step& step, ptx::Space space,
                                      std::string_view verb, const std::string& place, uint32_t bytes,
                                      uint64_t address) {
  if (auto message = beyond_cluster(block, verb, bytes, space, address))
    return Excursion{*std::move(message)};
  const uint64_t size = size_of(block, space);
  const uint64_t offset = widened(address, size);
  if (window_of(space) != kSharedWindow) return beyond(verb, bytes, place, offset, size);
  const ptx::ProgramVariable* const array = array_of(block.code, step);
  const bool is_static = array != nullptr && array->size_bytes != 0;
  if (!is_static && offset >> 63 == 0 && offset + bytes > size && lacks_dynamic_shared(block))
    return Excursion{fmt::format(
        "{} {} bytes at offset {} of shared memory, and the launch gives the kernel no dynamic shared "
        "memory; give it some: <<<grid, block, BYTES>>>, or --shared BYTES",
        verb, bytes, offset)};
  return array == nullptr ? beyond(verb, bytes, place, offset, size)
                          : beyond_array(block.code, *array, verb, bytes, offset, step.shared_end);
}

/// Size in bytes that would be enough for all lanes that access this buffer, or shared memory if `buffer` is
/// absent.
uint64_t end_of_access(std::optional<uint32_t> buffer, uint32_t bytes, uint32_t mask,
                       std::span<const uint64_t> addresses) {
  uint64_t end = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    if (!buffer)
      end = std::max(end, addresses[lane] + bytes);
    else if (trace::has_buffer(addresses[lane]) && trace::buffer_of(addresses[lane]) == *buffer)
      end = std::max(end, trace::offset_of(addresses[lane]) + bytes);
  }
  return end;
}

}  // namespace

void report_fault(BlockState& block, const Step& step, ptx::Space space, trace::Kind kind, uint32_t bytes,
                  uint32_t warp, uint32_t mask, std::span<const uint64_t> addresses) {
  if (block.stopped) return;
  const std::string_view doing = verb_of(kind);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const uint64_t address = addresses[lane];
    const uint32_t thread = warp * kLanes + lane;
    const auto report = [&](trace::HazardKind what, std::string message) {
      block.report(what, step, thread, std::move(message));
    };
    uint64_t offset = address;
    std::string place =
        space == ptx::Space::Local ? "its local memory" : fmt::format("{} memory", name_of(space));
    if (space == ptx::Space::Global) {
      if (auto excursion = beyond_buffers(block, step, doing, bytes, address)) {
        report(trace::HazardKind::OutOfBounds, std::move(excursion->message));
        block.hazard->element = std::move(excursion->element);
        if (const auto beyond = buffer_that_is_too_small(block, step, address))
          block.hazard->excess = trace::Excess{beyond, end_of_access(beyond, bytes, mask, addresses)};
        return;
      }
      offset = trace::offset_of(address);
      place = fmt::format("'{}'", block.memory.name_of_buffer(trace::buffer_of(address)));
    } else {
      if (auto excursion = beyond_space(block, step, space, doing, place, bytes, address)) {
        report(trace::HazardKind::OutOfBounds, std::move(excursion->message));
        block.hazard->element = std::move(excursion->element);
        const ptx::ProgramVariable* const array = array_of(block.code, step);
        // More dynamic shared memory would not make an array of a fixed size larger.
        if (space == ptx::Space::Shared && address >> 31 == 0 && (array == nullptr || array->size_bytes == 0))
          block.hazard->excess = trace::Excess{{}, end_of_access({}, bytes, mask, addresses)};
        return;
      }
    }
    if (offset % bytes != 0)
      return report(trace::HazardKind::Misaligned, misaligned(doing, bytes, place, offset));
  }
  // Not reached as long as the fast check refuses only wrong accesses; else this message reports it.
  block.report(trace::HazardKind::OutOfBounds, step, warp * kLanes,
               fmt::format("{} {} bytes, and the check refused it without a reason: a bug of this program",
                           doing, bytes));
}

bool pass_over_fault(BlockState& block, const Step& step, ptx::Space space, trace::Kind kind, uint32_t bytes,
                     uint32_t warp, uint32_t mask, std::span<const uint64_t> addresses) {
  uint32_t misaligned = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    misaligned |= uint32_t{(addresses[lane] & (bytes - 1)) != 0} << lane;
  misaligned &= mask;
  const auto known = std::ranges::find(block.passed_over, step.index, &PassedFault::step);
  if (misaligned != 0 || known == block.passed_over.end()) {
    report_fault(block, step, space, kind, bytes, warp, misaligned != 0 ? misaligned : mask, addresses);
    if (!block.hazard || block.hazard->kind != trace::HazardKind::OutOfBounds) return false;
    block.stopped = false;
  }
  const auto lanes = static_cast<uint64_t>(std::popcount(mask));
  if (known != block.passed_over.end()) {
    known->first.count += lanes;
  } else {
    block.hazard->count = lanes;
    block.passed_over.push_back({step.index, block.hazard_in, *std::move(block.hazard)});
  }
  block.hazard.reset();
  return true;
}

}  // namespace lanescope::emulator
