// Bounding boxes from the ends of affine accesses, lane by lane where the ends do not bound them.

#include "model/tiles.h"

#include "trace/traffic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace lanescope::model {
namespace {

using trace::Kind;
using trace::Space;
using trace::StoredAccess;
using trace::StoredBlock;
using trace::Trace;
using trace::WarpAccess;

/// The traffic class load reads global memory, all others write it.
Kind direction_of(const trace::Operation& operation) {
  return trace::direction_of(operation) == Kind::Load ? Kind::Load : Kind::Store;
}

/// Number of the buffer that contains `address`, if any.
std::optional<uint32_t> find_buffer(const Trace& trace, uint64_t address) {
  if (!trace::has_buffer(address) || trace::buffer_of(address) >= trace.buffers.size()) return std::nullopt;
  return trace::buffer_of(address);
}

/// Row and byte within the row of a byte offset. Uses the reciprocal of the row size: a 64-bit division for
/// each access would take most of this model's time.
class Rows {
 public:
  explicit Rows(uint64_t row_bytes)
      : row_bytes_(static_cast<int64_t>(row_bytes)), reciprocal_(1.0 / static_cast<double>(row_bytes)) {}

  struct Place {
    int64_t row, byte;
  };
  /// `offset` < 2^40, so the estimate of the row is off by one at most.
  Place operator()(uint64_t offset) const {
    const auto number = static_cast<int64_t>(offset);
    Place place{static_cast<int64_t>(static_cast<double>(number) * reciprocal_), 0};
    place.byte = number - place.row * row_bytes_;
    if (place.byte < 0) {
      --place.row;
      place.byte += row_bytes_;
    } else if (place.byte >= row_bytes_) {
      ++place.row;
      place.byte -= row_bytes_;
    }
    return place;
  }
  int64_t row_bytes() const { return row_bytes_; }

 private:
  int64_t row_bytes_;
  double reciprocal_;
};

/// Inclusive bounds: rows, and bytes within a row.
struct Box {
  bool touched = false;
  int64_t first_row = 0, last_row = 0;
  int64_t first_byte = 0, last_byte = 0;

  void include(int64_t row, int64_t first, int64_t last) {
    if (!touched) *this = {true, row, row, first, last};
    first_row = std::min(first_row, row);
    last_row = std::max(last_row, row);
    first_byte = std::min(first_byte, first);
    last_byte = std::max(last_byte, last);
  }
  /// Bytes [begin, end] of the buffer, which may span several rows.
  void include_range(const Rows& rows, uint64_t begin, uint64_t end) {
    const auto [row, byte] = rows(begin);
    const auto [last_of_rows, last_of_bytes] = rows(end);
    const bool within_a_row = row == last_of_rows;
    include(row, within_a_row ? byte : 0, within_a_row ? last_of_bytes : rows.row_bytes() - 1);
    include(last_of_rows, first_byte, last_byte);
  }
};

/// Lanes at a constant stride within one buffer, `bytes` each: the ends of the sequence often bound it.
/// Returns false where they do not: lanes with gaps that span several rows.
bool include_ends(Box& box, const Rows& rows, uint64_t lowest, uint64_t highest, uint64_t step,
                  uint64_t bytes) {
  const auto [first_row, first_byte] = rows(lowest);
  const auto [last_row, last_byte] = rows(highest + bytes - 1);
  if (first_row == last_row) {
    box.include(first_row, first_byte, last_byte);
    return true;
  }
  const auto row_bytes = static_cast<uint64_t>(rows.row_bytes());
  if (step <= bytes) {
    box.include_range(rows, lowest, highest + bytes - 1);
    return true;
  }
  const bool below_each_other = step == row_bytes || step % row_bytes == 0;
  if (!below_each_other || last_byte < first_byte) return false;
  box.include(first_row, first_byte, last_byte);
  box.include(last_row, first_byte, last_byte);
  return true;
}

/// The parts of each buffer that one block accessed, separately for reads and writes.
class BlockBoxes {
 public:
  BlockBoxes(const Trace& trace, const std::vector<std::optional<Rows>>& rows)
      : trace_(trace), rows_(rows), boxes_(trace.buffers.size()) {}

  void clear() { std::ranges::fill(boxes_, std::array<Box, 2>{}); }
  const Box& of(uint32_t buffer, Kind direction) const {
    return boxes_[buffer][direction == Kind::Store ? 1 : 0];
  }

  void include(const WarpAccess& access) {
    const size_t written = direction_of(access.operation) == Kind::Store ? 1 : 0;
    const uint64_t bytes = access.operation.bytes_per_lane;
    if (access.addresses.affine()) {
      const uint64_t one = access.addresses.at(0, std::countr_zero(access.active.bits));
      const uint64_t other = access.addresses.at(0, 31 - std::countl_zero(access.active.bits));
      const auto buffer = find_buffer(trace_, one);
      if (buffer && buffer == find_buffer(trace_, other)) {
        const std::optional<Rows>& rows = rows_[*buffer];
        if (!rows) return;
        const auto step = static_cast<uint64_t>(std::abs(access.addresses.stride));
        if (include_ends(boxes_[*buffer][written], *rows, trace::offset_of(std::min(one, other)),
                         trace::offset_of(std::max(one, other)), step, bytes)) {
          return;
        }
      }
    }
    trace::for_each_address(access, [&](int, int, uint64_t address) {
      const auto buffer = find_buffer(trace_, address);
      if (!buffer) return;
      const std::optional<Rows>& rows = rows_[*buffer];
      if (!rows) return;
      const uint64_t offset = trace::offset_of(address);
      boxes_[*buffer][written].include_range(*rows, offset, offset + bytes - 1);
    });
  }

 private:
  const Trace& trace_;
  const std::vector<std::optional<Rows>>& rows_;  // [buffer], for matrices
  std::vector<std::array<Box, 2>> boxes_;         // [buffer][read or written]
};

TileUse tile_of(CtaId cta, const Box& box, uint64_t element_bytes) {
  TileUse tile{.cta = cta};
  tile.row = static_cast<uint64_t>(box.first_row);
  tile.rows = static_cast<uint64_t>(box.last_row - box.first_row + 1);
  tile.column = static_cast<uint64_t>(box.first_byte) / element_bytes;
  tile.columns = static_cast<uint64_t>(box.last_byte) / element_bytes - tile.column + 1;
  return tile;
}

uint64_t rows_of(const trace::BufferInfo& buffer) {
  const uint64_t row_bytes = buffer.row_elements * buffer.element_bytes;
  return (buffer.size_bytes + row_bytes - 1) / row_bytes;
}

bool is_matrix(const trace::BufferInfo& buffer) {
  return buffer.row_elements != 0 && buffer.element_bytes != 0;
}

/// Writes `mark` into the elements of `map` that the access covers.
void mark_access(ElementMap& map, const WarpAccess& access, uint32_t element_bytes, uint32_t mark) {
  const uint64_t bytes = access.operation.bytes_per_lane;
  const auto mark_range = [&](uint64_t address, uint64_t size) {
    const uint64_t offset = trace::offset_of(address);
    const uint64_t end = std::min<uint64_t>((offset + size - 1) / element_bytes + 1, map.block.size());
    for (uint64_t element = offset / element_bytes; element < end; ++element)
      map.block[static_cast<size_t>(element)] = mark;
  };
  const auto is_here = [&](uint64_t address) {
    return trace::has_buffer(address) && trace::buffer_of(address) == map.buffer;
  };
  if (access.addresses.affine() && access.active == kAllLanes &&
      access.addresses.stride == static_cast<int64_t>(bytes)) {
    if (is_here(access.addresses.base)) mark_range(access.addresses.base, kLanes * bytes);
    return;
  }
  trace::for_each_address(access, [&](int, int, uint64_t address) {
    if (is_here(address)) mark_range(address, bytes);
  });
}

}  // namespace

std::vector<TileMap> map_tiles(const Trace& trace) {
  std::vector<std::optional<Rows>> rows;
  std::vector<TileMap> maps;  // two for each buffer, accessed or not; unused ones are removed at the end
  for (uint32_t number = 0; number < trace.buffers.size(); ++number) {
    const trace::BufferInfo& buffer = trace.buffers[number];
    rows.push_back(is_matrix(buffer) ? std::optional<Rows>(buffer.row_elements * buffer.element_bytes)
                                     : std::nullopt);
    for (const Kind direction : {Kind::Load, Kind::Store}) {
      TileMap& map = maps.emplace_back();
      map.buffer = number;
      map.kind = direction;
      map.matrix_rows = is_matrix(buffer) ? rows_of(buffer) : 0;
      map.matrix_columns = buffer.row_elements;
    }
  }
  BlockBoxes boxes(trace, rows);
  for (const StoredBlock& block : trace.blocks) {
    boxes.clear();
    for (const StoredAccess& stored : block.accesses) {
      if (trace.sites[stored.site.value].operation.space != Space::Global || !stored.active.any()) continue;
      boxes.include(view(trace, block, stored));
    }
    for (TileMap& map : maps) {
      const Box& box = boxes.of(map.buffer, map.kind);
      if (!box.touched) continue;
      const TileUse tile = tile_of(block.cta, box, trace.buffers[map.buffer].element_bytes);
      map.tile_rows = std::max(map.tile_rows, tile.rows);
      map.tile_columns = std::max(map.tile_columns, tile.columns);
      map.tiles.push_back(tile);
    }
  }
  std::erase_if(maps, [](const TileMap& map) { return map.tiles.empty(); });
  return maps;
}

void append(std::vector<TileMap>& maps, const std::vector<TileMap>& later) {
  const auto key = [](const TileMap& map) { return std::pair(map.buffer, map.kind); };
  for (const TileMap& more : later) {
    const auto at = std::ranges::lower_bound(maps, key(more), {}, key);
    if (at == maps.end() || key(*at) != key(more)) {
      maps.insert(at, more);
      continue;
    }
    at->tile_rows = std::max(at->tile_rows, more.tile_rows);
    at->tile_columns = std::max(at->tile_columns, more.tile_columns);
    at->tiles.insert(at->tiles.end(), more.tiles.begin(), more.tiles.end());
  }
}

bool has_element_map(const Trace& trace, uint32_t buffer) {
  if (buffer >= trace.buffers.size() || !is_matrix(trace.buffers[buffer])) return false;
  const uint64_t columns = trace.buffers[buffer].row_elements;
  return columns <= kMaximumElements && rows_of(trace.buffers[buffer]) * columns <= kMaximumElements;
}

std::optional<ElementMap> map_elements(const Trace& trace, uint32_t buffer, Kind kind) {
  if (!has_element_map(trace, buffer)) return std::nullopt;
  const trace::BufferInfo& info = trace.buffers[buffer];
  const uint64_t rows = rows_of(info);
  ElementMap map;
  map.buffer = buffer;
  map.kind = kind;
  map.rows = static_cast<uint32_t>(rows);
  map.columns = static_cast<uint32_t>(info.row_elements);
  map.block.resize(static_cast<size_t>(rows * info.row_elements));  // at most kMaximumElements
  mark_elements(map, trace);
  return map;
}

void mark_elements(ElementMap& map, const Trace& later) {
  const uint32_t element_bytes = later.buffers[map.buffer].element_bytes;
  for (const StoredBlock& block : later.blocks) {
    for (const StoredAccess& stored : block.accesses) {
      const trace::Operation& operation = later.sites[stored.site.value].operation;
      if (operation.space != Space::Global || direction_of(operation) != map.kind) continue;
      mark_access(map, view(later, block, stored), element_bytes, block.cta.value + 1);
    }
  }
}

}  // namespace lanescope::model
