#include "layout/access.h"

#include "model/bank_cost.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::layout {
namespace {

using Pattern = Access::Pattern;

constexpr uint32_t kWarp = 32;
constexpr uint32_t kMatrixLines = 8;
constexpr uint32_t kFragmentUnits = 4;

std::vector<Access> all_accesses() {
  std::vector<Access> all;
  const auto add = [&](std::string name, MemoryKind kind, Pattern pattern, unsigned bytes) {
    all.push_back({std::move(name), kind, pattern, static_cast<uint8_t>(bytes), 0, false});
  };
  for (const auto& [verb, kind] : {std::pair("ld", MemoryKind::Load), std::pair("st", MemoryKind::Store)}) {
    for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u}) {
      add(fmt::format("{}.row.{}", verb, bytes), kind, Pattern::Rows, bytes);
      add(fmt::format("{}.column.{}", verb, bytes), kind, Pattern::Columns, bytes);
    }
    for (const unsigned bytes : {2u, 4u, 8u, 16u})
      add(fmt::format("{}.fragment.{}", verb, bytes), kind, Pattern::Fragment, bytes);
  }
  for (const unsigned bytes : {4u, 8u, 16u})
    add(fmt::format("cp.async.{}", bytes), MemoryKind::AsyncCopy, Pattern::Lines, bytes);
  for (const auto& [verb, kind] :
       {std::pair("ldmatrix", MemoryKind::Load), std::pair("stmatrix", MemoryKind::Store)}) {
    for (const unsigned matrices : {1u, 2u, 4u}) {
      for (const bool transposed : {false, true}) {
        add(fmt::format("{}.x{}{}", verb, matrices, transposed ? ".trans" : ""), kind, Pattern::Matrix, 16);
        all.back().matrices = static_cast<uint8_t>(matrices);
        all.back().transposed = transposed;
      }
    }
  }
  return all;
}

std::unexpected<Error> impossible(const Access& access, const std::string& reason) {
  return fail(ErrorKind::Unsupported, fmt::format("{} {}", access.name, reason));
}

/// How a tile divides into the units of an access.
struct Division {
  uint32_t unit_elements = 1;
  uint32_t units = 0;      // of a line
  uint32_t lanes = kWarp;  // that take a unit in each request
  uint64_t total = 0;      // units that are taken
};

Result<Division> divide(const PlacedTile& tile, const Access& access) {
  Division division;
  const uint32_t bytes = access.unit_bytes;
  if (bytes < tile.element_bytes)
    return impossible(access, fmt::format("takes {} bytes with each lane, and an element has {}", bytes,
                                          tile.element_bytes));
  division.unit_elements = bytes / tile.element_bytes;
  if (tile.line_elements % division.unit_elements != 0)
    return impossible(access, fmt::format("takes {} elements with each lane, and a line of the tile has {}",
                                          division.unit_elements, tile.line_elements));
  division.units = tile.line_elements / division.unit_elements;
  division.total = uint64_t{division.units} * tile.lines;
  if (access.pattern == Pattern::Fragment && (tile.lines % 8 != 0 || division.units % kFragmentUnits != 0))
    return impossible(access, fmt::format("takes 8 lines of {} bytes, into which the tile does not divide",
                                          kFragmentUnits * bytes));
  if (access.pattern == Pattern::Matrix) {
    division.lanes = kMatrixLines * access.matrices;
    if (tile.lines % kMatrixLines != 0 || division.total % division.lanes != 0)
      return impossible(access, fmt::format("takes {} matrices of 8 lines of 16 bytes, into which the tile "
                                            "does not divide",
                                            access.matrices));
  }
  return division;
}

struct Unit {
  uint32_t line = 0, number = 0;  // number: within the line
};

/// The unit that is taken as number `index`; lanes follow each other without gaps.
Unit unit_at(const PlacedTile& tile, const Access& access, const Division& division, uint64_t index) {
  const auto n = static_cast<uint32_t>(index);
  switch (access.pattern) {
    case Pattern::Rows:
    case Pattern::Columns:
    case Pattern::Lines:
      if (along_lines(tile, access)) return {n / division.units, n % division.units};
      return {n % tile.lines, n / tile.lines};
    case Pattern::Fragment: {
      const uint32_t lane = n % kWarp, piece = n / kWarp, down = tile.lines / 8;
      return {piece % down * 8 + lane / kFragmentUnits,
              piece / down * kFragmentUnits + lane % kFragmentUnits};
    }
    case Pattern::Matrix: {
      const uint32_t matrix = n / kMatrixLines, down = tile.lines / kMatrixLines;
      return {matrix % down * kMatrixLines + n % kMatrixLines, matrix / down};
    }
  }
  return {};
}

std::string shown(const PlacedTile& tile, uint32_t line, uint32_t place) {
  return tile.lines_are_rows ? fmt::format("({},{})", line, place) : fmt::format("({},{})", place, line);
}

/// One lane's elements must lie next to each other and at a multiple of their size.
Result<void> check_unit(const PlacedTile& tile, const Access& access, uint32_t line, uint32_t place) {
  const uint32_t offset = tile.at(line, place);
  if (offset % access.unit_bytes != 0)
    return impossible(access,
                      fmt::format("takes {} bytes at a multiple of {}, and element {} lies at byte {}",
                                  access.unit_bytes, access.unit_bytes, shown(tile, line, place), offset));
  for (uint32_t n = 1; n * tile.element_bytes < access.unit_bytes; ++n) {
    if (tile.at(line, place + n) == offset + n * tile.element_bytes) continue;
    return impossible(access,
                      fmt::format("takes {} contiguous bytes, and element {} at byte {} does not follow "
                                  "element {} at byte {}",
                                  access.unit_bytes, shown(tile, line, place + n), tile.at(line, place + n),
                                  shown(tile, line, place + n - 1), tile.at(line, place + n - 1)));
  }
  return {};
}

/// Calls f(request) for each request.
template <class F>
Result<void> for_each_request(const PlacedTile& tile, const Access& access, F&& f) {
  TRY(const Division division, divide(tile, access));
  for (uint64_t first = 0; first < division.total; first += division.lanes) {
    Request request;
    const auto lanes = static_cast<uint32_t>(std::min<uint64_t>(division.lanes, division.total - first));
    request.active = {kAllLanes.bits >> (kWarp - lanes)};
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const Unit unit = unit_at(tile, access, division, first + lane);
      request.line[lane] = unit.line;
      request.place[lane] = unit.number * division.unit_elements;
      TRY_VOID(check_unit(tile, access, unit.line, request.place[lane]));
      request.offset_bytes[lane] = tile.at(unit.line, request.place[lane]);
      request.source_bytes[lane] =
          (uint64_t{unit.line} * tile.line_elements + request.place[lane]) * tile.element_bytes;
    }
    f(request);
  }
  return {};
}

trace::WarpAccess traced(const Request& request, const Access& access) {
  trace::WarpAccess traced;
  traced.active = request.active;  // from lane 0 on without gaps, so that the list needs no other order
  traced.operation = {
      .space = MemorySpace::Shared,
      .kind = access.kind,
      .bytes_per_lane = access.unit_bytes,
      .detail = access.pattern == Pattern::Matrix ? MemoryDetail::Matrix : MemoryDetail::Plain};
  traced.addresses.list = request.offset_bytes.data();
  if (access.kind == MemoryKind::AsyncCopy) {
    traced.reading = request.active;
    traced.source.list = request.source_bytes.data();
  }
  return traced;
}

}  // namespace

const std::vector<Access>& accesses() {
  static const std::vector<Access> all = all_accesses();
  return all;
}

Result<Access> find_access(std::string_view name) {
  const auto found = std::ranges::find(accesses(), name, &Access::name);
  if (found != accesses().end()) return *found;
  return fail(ErrorKind::Usage,
              fmt::format("there is no access '{}'; 'lanescope layout --access help' lists them",
                          name.substr(0, 60)));
}

bool along_lines(const PlacedTile& tile, const Access& access) {
  return access.pattern == Pattern::Lines || (access.pattern == Pattern::Rows) == tile.lines_are_rows;
}

Result<std::vector<Request>> requests_of(const PlacedTile& tile, const Access& access) {
  std::vector<Request> requests;
  TRY_VOID(for_each_request(tile, access, [&](const Request& request) { requests.push_back(request); }));
  return requests;
}

model::BankReport banks_of(const Request& request, const Access& access) {
  return model::count_banks(traced(request, access));
}

Result<AccessCost> cost_of(const PlacedTile& tile, const Access& access) {
  AccessCost sum;
  TRY_VOID(for_each_request(tile, access, [&](const Request& request) {
    const trace::Cost cost = model::bank_cost(traced(request, access));
    ++sum.requests;
    sum.wavefronts += cost.wavefronts;
    sum.ideal += cost.ideal_wavefronts;
    sum.most = std::max<uint32_t>(sum.most, cost.wavefronts);
  }));
  return sum;
}

}  // namespace lanescope::layout
