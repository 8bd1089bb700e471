// What differs between two frames, so that only that is drawn again. Method: the screen is cut into square
// tiles. The value of a tile is a hash of all triangles that touch it, in their order, with their clip
// rectangles and textures; a tile whose value changed is damaged. It depends on draw lists alone: no panel
// says what it changed. Source: our own. Tests: tests/gui/damage_test.cpp

#pragma once

#include "view/imgui.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace lanescope::shell {

/// Side of a tile, in Dear ImGui's units.
inline constexpr int kTile = 32;

/// Tiles [left, right) x [top, bottom).
struct TileRect {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool operator==(const TileRect&) const = default;
};

/// How often a texture was painted anew: its name stays the same.
using TextureVersion = std::function<uint64_t(const ImTextureRef&)>;

class Damage {
 public:
  /// The damaged tiles of a frame, as disjoint rectangles. All tiles, if the size is another than before.
  std::vector<TileRect> advance(const ImDrawData& frame, const TextureVersion& version);
  /// The next frame is damaged everywhere.
  void forget() { tiles_.clear(); }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

 private:
  int columns_ = 0, rows_ = 0;
  std::vector<uint64_t> tiles_;  // [row][column], the values of the frame before; empty: none
};

/// Leaves only those triangles of a frame that touch the rectangles, each clipped to them.
void keep_damaged(ImDrawData& frame, const std::vector<TileRect>& damaged);

}  // namespace lanescope::shell
