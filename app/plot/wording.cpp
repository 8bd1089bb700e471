#include "plot/wording.h"

#include "base/counted_phrase.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace lanescope::plot {
namespace {

/// Shortest first letter of a space, as the marks of the timeline have it.
char letter_of(trace::Space space) { return trace::name_of(space).front(); }

std::string_view verb_of(trace::Kind kind) {
  switch (kind) {
    case trace::Kind::Load:
      return "ld";
    case trace::Kind::Store:
      return "st";
    case trace::Kind::Atomic:
      return "atom";
    case trace::Kind::Reduction:
      return "red";
    case trace::Kind::AsyncCopy:
      return "cp.async";
  }
  return "?";
}

std::string_view mark_of(trace::Kind kind) {
  switch (kind) {
    case trace::Kind::Load:
      return "LD";
    case trace::Kind::Store:
      return "ST";
    case trace::Kind::Atomic:
      return "AT";
    case trace::Kind::Reduction:
      return "RD";
    case trace::Kind::AsyncCopy:
      return "CP";
  }
  return "?";
}

Text text_of(trace::Space space) {
  using enum trace::Space;
  switch (space) {
    case Global:
      return Text::space_global;
    case Shared:
      return Text::space_shared;
    case Local:
      return Text::space_local;
    case Constant:
      return Text::space_constant;
    case Texture:
      return Text::space_texture;
    case Surface:
      break;
  }
  return Text::space_surface;
}

Text text_of(trace::Kind kind) {
  using enum trace::Kind;
  switch (kind) {
    case Load:
      return Text::operation_load;
    case Store:
      return Text::operation_store;
    case Atomic:
      return Text::operation_atomic;
    case Reduction:
      return Text::operation_reduction;
    case AsyncCopy:
      break;
  }
  return Text::operation_copy;
}

}  // namespace

std::string signed_percent(double share) {
  const long rounded = std::lround(100 * share);
  return fmt::format("{}{} %", rounded < 0 ? "−" : rounded > 0 ? "+" : "", std::abs(rounded));
}

std::string counted(Language language, uint64_t count, Text one, Text many) {
  return phrase(language, is_singular(language, count) ? one : many, number(language, count));
}

std::string block_name(CtaId cta, Dim3 grid) {
  const Dim3 at = position_of(cta.value, grid);
  if (grid.z > 1) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (grid.y > 1) return fmt::format("({}, {})", at.x, at.y);
  return fmt::to_string(at.x);
}

std::string operation_name(const trace::Operation& operation) {
  if (operation.detail == trace::Detail::Matrix) {
    return operation.kind == trace::Kind::Load ? "ldmatrix" : "stmatrix";
  }
  if (operation.detail == trace::Detail::Bulk)
    return fmt::format("cp.async.bulk {}.{}", verb_of(operation.kind), trace::name_of(operation.space));
  if (operation.detail == trace::Detail::Tensor) return "wgmma";
  return fmt::format("{}.{}", verb_of(operation.kind), trace::name_of(operation.space));
}

std::string operation_mark(const trace::Operation& operation) {
  const bool is_bulk = operation.detail == trace::Detail::Bulk;
  const bool is_tensor = operation.detail == trace::Detail::Tensor;
  const std::string_view mark = is_bulk ? "BK" : is_tensor ? "TC" : mark_of(operation.kind);
  return fmt::format("{} {}", mark, letter_of(operation.space));
}

std::string operation_sentence(Language language, const trace::Operation& operation) {
  const std::string_view space = say(language, text_of(operation.space));
  const bool loads = operation.kind == trace::Kind::Load;
  if (operation.detail == trace::Detail::Matrix)
    return phrase(language, loads ? Text::operation_matrix_load : Text::operation_matrix_store, space);
  if (operation.detail == trace::Detail::Bulk) return phrase(language, Text::operation_bulk, space);
  if (operation.detail == trace::Detail::Tensor) return phrase(language, Text::operation_tensor, space);
  return phrase(language, text_of(operation.kind), int{operation.bytes_per_lane}, space);
}

std::string line_name(Language language, const trace::Site& site) {
  if (site.source.line > 0) return phrase(language, Text::figure_line, site.source.line);
  return phrase(language, Text::figure_ptx_line, site.ptx_line);
}

std::string place_name(Language language, const model::TracedAccess& place) {
  const trace::Trace& trace = *place.trace;
  std::string name =
      phrase(language, Text::figure_place, line_name(language, trace.sites[place.access.site.value]),
             block_name(place.access.cta, trace.grid), place.access.warp.value, place.index + 1, place.count);
  if (trace.level != trace::CountLevel::MachineCode) return name;
  if (place.instruction.empty()) return name + " · " + std::string(say(language, Text::figure_level_ptx));
  if (place.parts == 1) return name + " · " + place.instruction;
  return name + " · " + phrase(language, Text::figure_level_joint, place.instruction, place.parts);
}

std::string lanes_name(Language language, LaneMask lanes) {
  const int count = lanes.count();
  if (count == 0) return phrase(language, Text::figure_no_lane);
  const int first = std::countr_zero(lanes.bits);
  const int last = 31 - std::countl_zero(lanes.bits);
  if (count == 1) return phrase(language, Text::figure_one_lane, first);
  if (last - first + 1 == count) return phrase(language, Text::figure_lanes_from_to, first, last);
  constexpr int kListed = 8;
  std::string list;
  int n = 0;
  for_each_lane(lanes, [&](int lane) {
    if (n < kListed) list += fmt::format("{}{}", n == 0 ? "" : ", ", lane);
    ++n;
  });
  if (count > kListed) list += ", …";
  return phrase(language, Text::figure_lanes_listed, count, list);
}

std::string address_name(const trace::Trace& trace, trace::Space space, uint64_t address) {
  if (space != trace::Space::Global) return fmt::format("{} + 0x{:x}", trace::name_of(space), address);
  if (!trace::has_buffer(address) || trace::buffer_of(address) >= trace.buffers.size()) {
    return fmt::format("0x{:x}", address);
  }
  const trace::BufferInfo& buffer = trace.buffers[trace::buffer_of(address)];
  const uint64_t element = trace::offset_of(address) / std::max(buffer.element_bytes, 1u);
  if (buffer.row_elements == 0) return fmt::format("{}[{}]", buffer.name, element);
  return fmt::format("{}[{}][{}]", buffer.name, element / buffer.row_elements, element % buffer.row_elements);
}

std::string_view buffer_name(const trace::Trace& trace, const trace::WarpAccess& access) {
  if (access.operation.space != trace::Space::Global || !access.active.any()) return {};
  const uint64_t address = access.addresses.at(0, std::countr_zero(access.active.bits));
  if (!trace::has_buffer(address) || trace::buffer_of(address) >= trace.buffers.size()) return {};
  return trace.buffers[trace::buffer_of(address)].name;
}

std::string traffic_name(Language language, trace::Kind kind, std::string_view buffer) {
  const Text text = kind == trace::Kind::Load    ? Text::figure_reads_of
                    : kind == trace::Kind::Store ? Text::figure_writes_of
                                                 : Text::figure_updates_of;
  return phrase(language, text, buffer);
}

std::string source_by_rules(Language language, std::string_view kernel, int compute_capability) {
  return phrase(language, Text::figure_rules_of, kernel,
                fmt::format("{}.{}", compute_capability / 10, compute_capability % 10));
}

std::string limit_name(Language language, model::ResidencyLimit limit, trace::CountLevel level) {
  switch (limit) {
    case model::ResidencyLimit::Blocks:
      return std::string(say(language, Text::limit_blocks));
    case model::ResidencyLimit::Warps:
      return std::string(say(language, Text::limit_warps));
    case model::ResidencyLimit::SharedMemory:
      return std::string(say(language, Text::limit_shared));
    case model::ResidencyLimit::Registers:
      break;
  }
  return std::string(say(language, level == trace::CountLevel::MachineCode ? Text::limit_registers_known
                                                                           : Text::limit_registers));
}

Text path_name(model::Level level) {
  static constexpr std::array<Text, model::kLevels> kTexts{
      Text::chart_path_dram, Text::chart_path_l2, Text::chart_path_l2,   Text::chart_path_shared,
      Text::chart_latency,   Text::chart_path_l1, Text::chart_arithmetic};
  return kTexts[static_cast<size_t>(level)];
}

Figure begin_figure(std::string_view name, Text title, Provenance provenance, const Frame& frame) {
  Figure figure;
  figure.name = name;
  figure.title = say(frame.language, title);
  figure.provenance = provenance;
  figure.size = frame.size;
  figure.language = frame.language;
  return figure;
}

void add_to_subtitle(Figure& figure, const std::string& part) {
  if (part.empty() || figure.subtitle.find(part) != std::string::npos) return;
  figure.subtitle += (figure.subtitle.empty() ? "" : " · ") + part;
}

}  // namespace lanescope::plot
