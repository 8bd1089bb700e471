// The ways in which a warp accesses a tile, and what each costs: rows, columns, fragments of mma, ldmatrix,
// stmatrix. Method: a unit is what one lane takes, contiguous elements of a line; a pattern says which units
// the 32 lanes of each request take, until the whole tile was accessed once. The wavefronts are those of
// model/banks.h, the provenance of which is H200. Source: PTX ISA, "ldmatrix", "stmatrix", "mma" (fragments).
// Tests: tests/unit/layout/access_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "base/memory_operation.h"
#include "layout/tile.h"
#include "model/banks.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::layout {

struct Access {
  enum class Pattern : uint8_t {
    Rows,      // neighboring lanes take neighboring units of a row, then of the next one
    Columns,   // neighboring lanes take units of neighboring rows
    Lines,     // Rows of a row-major tile, Columns of a column-major one
    Fragment,  // lane l takes unit l mod 4 of line l / 4: operands and results of mma
    Matrix,    // lane l has the address of line l mod 8 of matrix l / 8, each 8 lines of 16 bytes
  };
  std::string name;  // "ldmatrix.x4.trans"
  MemoryKind kind = MemoryKind::Load;
  Pattern pattern = Pattern::Rows;
  uint8_t unit_bytes = 4;
  uint8_t matrices = 0;  // of a request; Pattern::Matrix only
  bool transposed = false;
  bool operator==(const Access&) const = default;
};

/// Every access that has a name.
const std::vector<Access>& accesses();
/// Errors (Usage): no access has this name.
Result<Access> find_access(std::string_view name);

/// Whether neighboring lanes take neighboring units of a line, and not units of neighboring lines. Of rows,
/// columns and lines.
bool along_lines(const PlacedTile& tile, const Access& access);

/// One request of a warp.
struct Request {
  LaneMask active;
  std::array<uint32_t, 32> line{};          // [lane], of the unit's first element
  std::array<uint32_t, 32> place{};         // [lane]
  std::array<uint64_t, 32> offset_bytes{};  // [lane]
  std::array<uint64_t, 32> source_bytes{};  // [lane] of a copy: in a matrix with the tile's lines one by one
};

/// All requests, in order. Errors (Unsupported): the tile does not divide into the units of the access, or a
/// unit is not contiguous and aligned in memory.
Result<std::vector<Request>> requests_of(const PlacedTile& tile, const Access& access);

/// The words that the banks serve, by wavefront.
model::BankReport banks_of(const Request& request, const Access& access);

struct AccessCost {
  uint64_t requests = 0;
  uint64_t wavefronts = 0;
  uint64_t ideal = 0;
  uint32_t most = 0;  // wavefronts of the most expensive request
  uint64_t excess() const { return wavefronts - ideal; }
  bool operator==(const AccessCost&) const = default;
};
/// Errors: those of requests_of().
Result<AccessCost> cost_of(const PlacedTile& tile, const Access& access);

}  // namespace lanescope::layout
