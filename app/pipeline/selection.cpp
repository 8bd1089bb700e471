#include "pipeline/selection.h"

#include "model/bank_rules.h"
#include "pipeline/run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

namespace lanescope::pipeline {
namespace {

template <class Number>
Number read(std::span<const std::byte> bytes) {
  Number number;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

/// The element type at the end of a PTX opcode: "ld.global.nc.v4.f32" -> F32. Untyped bits (b32) have none.
std::optional<launch::ElementType> type_of_opcode(std::string_view ptx_text) {
  using launch::ElementType;
  const std::string_view opcode = ptx_text.substr(0, ptx_text.find_first_of(" \t"));
  const std::string_view suffix = opcode.substr(opcode.rfind('.') + 1);
  static constexpr std::array<std::pair<std::string_view, ElementType>, 10> kTypes{
      {{"f32", ElementType::F32},
       {"f64", ElementType::F64},
       {"u8", ElementType::U8},
       {"s8", ElementType::I8},
       {"u16", ElementType::U16},
       {"s16", ElementType::I16},
       {"u32", ElementType::U32},
       {"s32", ElementType::I32},
       {"u64", ElementType::U64},
       {"s64", ElementType::I64}}};
  for (const auto& [name, type] : kTypes)
    if (suffix == name) return type;
  return {};
}

std::string element_text(launch::ElementType type, std::span<const std::byte> bytes) {
  using launch::ElementType;
  switch (type) {
    case ElementType::U8:
      return fmt::to_string(read<uint8_t>(bytes));
    case ElementType::I8:
      return fmt::to_string(read<int8_t>(bytes));
    case ElementType::U16:
      return fmt::to_string(read<uint16_t>(bytes));
    case ElementType::I16:
      return fmt::to_string(read<int16_t>(bytes));
    case ElementType::U32:
      return fmt::to_string(read<uint32_t>(bytes));
    case ElementType::I32:
      return fmt::to_string(read<int32_t>(bytes));
    case ElementType::U64:
      return fmt::to_string(read<uint64_t>(bytes));
    case ElementType::I64:
      return fmt::to_string(read<int64_t>(bytes));
    case ElementType::F32:
      return fmt::format("{:g}", read<float>(bytes));
    case ElementType::F64:
      return fmt::format("{:g}", read<double>(bytes));
    case ElementType::F16:
    case ElementType::BF16:
    case ElementType::Bytes16:
      break;
  }
  std::string text = "0x";
  for (size_t i = bytes.size(); i-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
  return text;
}

std::optional<launch::ElementType> buffer_type(const Run& run, const trace::WarpAccess& access,
                                               uint64_t address) {
  if (access.operation.space != trace::Space::Global || !trace::has_buffer(address)) {
    // Shared memory has no element type; a lesson moves one type of element through it.
    if (run.launch->buffers.empty()) return {};
    return run.launch->buffers.front().type;
  }
  const uint32_t buffer = trace::buffer_of(address);
  if (buffer >= run.launch->buffers.size()) return {};
  return run.launch->buffers[buffer].type;
}

std::vector<LaneRow> lane_rows(const Run& run, WarpId warp, const trace::WarpAccess& access) {
  const trace::Trace& trace = *run.trace;
  std::vector<LaneRow> rows(kLanes);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    rows[lane].thread = position_of(uint64_t{warp.value} * kLanes + lane, trace.block);
  trace::for_each_address(access, [&](int n, int lane, uint64_t address) {
    LaneRow& row = rows[static_cast<size_t>(lane)];
    row.active = true;
    row.address = address_text(trace, access.operation.space, address);
    if (access.values == nullptr) return;
    const size_t width = access.operation.bytes_per_lane;
    row.value = value_text(trace.sites[access.site.value].ptx_text,
                           {access.values + static_cast<size_t>(n) * width, width},
                           buffer_type(run, access, address));
  });
  return rows;
}

bool is_shared(const trace::Operation& operation) { return operation.space == trace::Space::Shared; }

/// The nearest access to the other kind of memory. A load hands its values to what follows, a store gets them
/// from what came before: that direction is tried first.
std::optional<uint32_t> companion_of(const std::vector<model::TimelineEntry>& timeline, uint32_t access) {
  const bool shared = is_shared(timeline[access].operation);
  const auto other = [&](const model::TimelineEntry& entry) { return is_shared(entry.operation) != shared; };
  const auto here = timeline.begin() + access;
  const auto next = std::find_if(here, timeline.end(), other);
  const auto before = std::find_if(std::make_reverse_iterator(here), timeline.rend(), other);
  const bool forwards = timeline[access].operation.kind == trace::Kind::Load || before == timeline.rend();
  if (forwards && next != timeline.end()) return static_cast<uint32_t>(next - timeline.begin());
  if (before != timeline.rend()) return static_cast<uint32_t>(before.base() - timeline.begin() - 1);
  return {};
}

/// Makes `drawn` the access of the machine code, where an instruction is known that makes it.
void draw_machine_access(AccessDetail& detail, const sass::Match& match, const trace::StoredBlock& block) {
  const trace::WarpAccess& access = detail.traced.access;
  if (access.site.value >= match.sites.size()) return;
  const sass::SiteMatch& site = match.sites[access.site.value];
  if (site.merged == sass::SiteMatch::kNone) {
    if (site.fate == sass::Fate::Same && !site.instructions.empty())
      detail.drawn.instruction = sass::name_of(match.accesses[site.instructions.front()]);
    return;
  }
  auto folded = std::make_shared<sass::FoldedPart>(
      sass::folded_part(match, *detail.traced.trace, block, access.warp, detail.traced.index));
  detail.drawn.access = sass::view(folded->access);
  detail.drawn.access.site = access.site;
  detail.drawn.access.cta = access.cta;
  detail.drawn.instruction = sass::instruction_name(match, folded->access);
  detail.drawn.parts = static_cast<uint32_t>(folded->parts.size());
  detail.folded = std::move(folded);
}

void add_reports(AccessDetail& detail, int compute_capability) {
  const trace::WarpAccess& access = detail.drawn.access;
  if (is_shared(access.operation))
    detail.banks = model::device_banks(access, compute_capability);
  else
    detail.sectors = model::device_sectors(access, compute_capability);
}

/// Where the sectors of the selected access came from. Requests to global and local memory are counted.
void add_origins(Selection& selection, const caches::SectorOrigins& origins) {
  if (selection.timeline[selection.access].operation.space != trace::Space::Global) return;
  AccessDetail& detail = *selection.current;
  const std::vector<uint32_t> parts =
      detail.folded ? detail.folded->parts : std::vector<uint32_t>{selection.access};
  for (const uint32_t part : parts) {
    const auto before = std::span(selection.timeline).first(part);
    const auto request = std::ranges::count_if(
        before, [](const model::TimelineEntry& entry) { return !is_shared(entry.operation); });
    // Several parts in one sector: the first brings it.
    for (const caches::SectorOrigin& origin :
         origins.of(selection.cta, selection.warp.value, static_cast<size_t>(request)))
      if (std::ranges::find(detail.origins, origin.sector, &caches::SectorOrigin::sector) ==
          detail.origins.end())
        detail.origins.push_back(origin);
  }
}

}  // namespace

std::string address_text(const trace::Trace& trace, trace::Space space, uint64_t address) {
  if (space != trace::Space::Global) return fmt::format("{} + {:#x}", name_of(space), address);
  const uint32_t buffer = trace::has_buffer(address) ? trace::buffer_of(address) : 0;
  if (!trace::has_buffer(address) || buffer >= trace.buffers.size()) return fmt::format("{:#x}", address);
  const trace::BufferInfo& info = trace.buffers[buffer];
  const uint64_t offset = trace::offset_of(address);
  const uint64_t element = offset / info.element_bytes, rest = offset % info.element_bytes;
  const std::string name = info.name.empty() ? fmt::format("buffer {}", buffer) : info.name;
  const std::string place =
      info.row_elements != 0
          ? fmt::format("{}[{}][{}]", name, element / info.row_elements, element % info.row_elements)
          : fmt::format("{}[{}]", name, element);
  return rest == 0 ? place : fmt::format("{} + {}", place, rest);
}

std::string value_text(std::string_view ptx_text, std::span<const std::byte> bytes,
                       std::optional<launch::ElementType> fallback) {
  std::optional<launch::ElementType> type = type_of_opcode(ptx_text);
  // An integer load of a floating-point buffer is the compiler's way to move bits: the buffer's type counts.
  if (fallback && (!type || launch::size_bytes(*fallback) == launch::size_bytes(*type))) type = fallback;
  if (type && *type == launch::ElementType::Bytes16 && bytes.size() == 16) type = launch::ElementType::F32;
  const size_t size = type ? launch::size_bytes(*type) : bytes.size();
  if (size == 0 || size > bytes.size()) return element_text(launch::ElementType::Bytes16, bytes);
  std::string text;
  for (size_t at = 0; at + size <= bytes.size(); at += size) {
    if (!text.empty()) text += ", ";
    text += element_text(type.value_or(launch::ElementType::Bytes16), bytes.subspan(at, size));
  }
  return text;
}

Selection select(const Run& run, const SelectionRequest& request, int compute_capability) {
  const trace::Trace& trace = *run.trace;
  Selection selection{.cta = request.cta, .warp = request.warp, .access = request.access};
  selection.units = model::units_of(compute_capability);
  selection.warps = static_cast<uint32_t>((volume(trace.block) + kLanes - 1) / kLanes);
  selection.warp.value = std::min(selection.warp.value, selection.warps - 1);
  const trace::StoredBlock* block = trace::find_block(trace, selection.cta);
  if (block == nullptr) return selection;
  selection.timeline = model::warp_timeline(trace, *block, selection.warp, compute_capability);
  const auto count = static_cast<uint32_t>(selection.timeline.size());
  if (count == 0) return selection;
  selection.access = std::min(selection.access, count - 1);

  const auto accesses = trace::accesses_of(*block, selection.warp);
  // By the rules of an older device the accesses of the PTX are counted.
  const sass::MachineLevel* const machine =
      selection.units == model::CostUnits::Sectors ? counted_machine(run) : nullptr;
  const auto detail_at = [&](uint32_t index) {
    AccessDetail detail;
    detail.traced = {&trace, trace::view(trace, *block, accesses[index]), index, count};
    detail.drawn = detail.traced;
    if (machine != nullptr) draw_machine_access(detail, machine->match, *block);
    add_reports(detail, compute_capability);
    return detail;
  };
  selection.current = detail_at(selection.access);
  selection.lanes = lane_rows(run, selection.warp, selection.current->traced.access);
  if (run.caches && run.caches->origins) add_origins(selection, *run.caches->origins);
  selection.companion = companion_of(selection.timeline, selection.access).transform(detail_at);
  return selection;
}

SelectionRequest request_of(const Selection& selection) {
  return {selection.cta, selection.warp, selection.access};
}

uint32_t step_target(const Selection& selection, StepTo to) {
  const auto& timeline = selection.timeline;
  return step_target(selection.access, static_cast<uint32_t>(timeline.size()), to,
                     [&](uint32_t i, uint32_t j) { return timeline[i].line == timeline[j].line; });
}

std::optional<uint32_t> access_on_line(const Selection& selection, int line) {
  const auto found = std::ranges::find(selection.timeline, line, &model::TimelineEntry::line);
  if (found == selection.timeline.end()) return {};
  return static_cast<uint32_t>(found - selection.timeline.begin());
}

}  // namespace lanescope::pipeline
