#include "session/place.h"

#include "model/cost.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

namespace lanescope::session {
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

std::optional<launch::ElementType> buffer_type(const pipeline::Run& run, const trace::WarpAccess& access,
                                               uint64_t address) {
  if (access.operation.space != trace::Space::Global || !trace::has_buffer(address)) {
    // Shared memory has no type of its own; a lesson moves one type of element through it.
    if (run.launch->buffers.empty()) return {};
    return run.launch->buffers.front().type;
  }
  const uint32_t buffer = trace::buffer_of(address);
  if (buffer >= run.launch->buffers.size()) return {};
  return run.launch->buffers[buffer].type;
}

std::vector<LaneRow> lane_rows(const pipeline::Run& run, WarpId warp, const trace::WarpAccess& access) {
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
std::optional<uint32_t> companion_of(const std::vector<plot::TimelineEntry>& timeline, uint32_t access) {
  const bool shared = is_shared(timeline[access].operation);
  const auto other = [&](const plot::TimelineEntry& entry) { return is_shared(entry.operation) != shared; };
  const auto here = timeline.begin() + access;
  const auto next = std::find_if(here, timeline.end(), other);
  const auto before = std::find_if(std::make_reverse_iterator(here), timeline.rend(), other);
  const bool forwards = timeline[access].operation.kind == trace::Kind::Load || before == timeline.rend();
  if (forwards && next != timeline.end()) return static_cast<uint32_t>(next - timeline.begin());
  if (before != timeline.rend()) return static_cast<uint32_t>(before.base() - timeline.begin() - 1);
  return {};
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
  // An integer load of a floating-point buffer is the compiler's way to move bits: the buffer knows better.
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

void show_place(Snapshot& snapshot) {
  snapshot.timeline.clear();
  snapshot.lanes.clear();
  snapshot.place.reset();
  snapshot.banks.reset();
  snapshot.sectors.reset();
  snapshot.companion.reset();
  if (!snapshot.run) return;
  const pipeline::Run& run = *snapshot.run;
  const trace::Trace& trace = *run.trace;

  snapshot.warps = static_cast<uint32_t>((volume(trace.block) + kLanes - 1) / kLanes);
  snapshot.warp.value = std::min(snapshot.warp.value, snapshot.warps - 1);
  const trace::StoredBlock* block = trace::find_block(trace, snapshot.cta);
  if (block == nullptr) return;
  const auto accesses = trace::accesses_of(*block, snapshot.warp);
  for (const trace::StoredAccess& stored : accesses) {
    const trace::WarpAccess access = trace::view(trace, *block, stored);
    snapshot.timeline.push_back(
        {access.operation, access.site, trace.sites[access.site.value].source.line, model::cost_of(access)});
  }
  if (accesses.empty()) return;
  snapshot.access = std::min(snapshot.access, static_cast<uint32_t>(accesses.size() - 1));

  const trace::WarpAccess access = trace::view(trace, *block, accesses[snapshot.access]);
  snapshot.place = plot::AccessPlace{&trace, access, snapshot.access, static_cast<uint32_t>(accesses.size())};
  snapshot.lanes = lane_rows(run, snapshot.warp, access);
  if (is_shared(access.operation))
    snapshot.banks = model::count_banks(access);
  else
    snapshot.sectors = model::count_sectors(access);
  if (const auto other = companion_of(snapshot.timeline, snapshot.access)) {
    const trace::WarpAccess beside = trace::view(trace, *block, accesses[*other]);
    Companion companion{.place = {&trace, beside, *other, snapshot.place->count}, .banks = {}, .sectors = {}};
    if (is_shared(beside.operation))
      companion.banks = model::count_banks(beside);
    else
      companion.sectors = model::count_sectors(beside);
    snapshot.companion = std::move(companion);
  }
}

uint32_t step_target(const Snapshot& snapshot, Step::To to) {
  const auto& timeline = snapshot.timeline;
  if (timeline.empty()) return 0;
  const uint32_t now = snapshot.access, last = static_cast<uint32_t>(timeline.size() - 1);
  const int line = timeline[now].line;
  switch (to) {
    case Step::To::First:
      return 0;
    case Step::To::Last:
      return last;
    case Step::To::Previous:
      return now == 0 ? 0 : now - 1;
    case Step::To::Next:
      return std::min(now + 1, last);
    case Step::To::PreviousOnLine:
      for (uint32_t i = now; i-- > 0;)
        if (timeline[i].line == line) return i;
      return now;
    case Step::To::NextOnLine:
      for (uint32_t i = now + 1; i <= last; ++i)
        if (timeline[i].line == line) return i;
      return now;
  }
  return now;
}

std::optional<uint32_t> access_on_line(const Snapshot& snapshot, int line) {
  const auto found = std::ranges::find(snapshot.timeline, line, &plot::TimelineEntry::line);
  if (found == snapshot.timeline.end()) return {};
  return static_cast<uint32_t>(found - snapshot.timeline.begin());
}

}  // namespace lanescope::session
