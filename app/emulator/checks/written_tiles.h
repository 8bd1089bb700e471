// Tiles of a buffer, with the ticket of the block that has written each. Method: mostly all that blocks do in
// an output buffer is to write tiles of one shape, side by side. As long as they do, a tile is one entry
// here, instead of an entry for each of its cells (granules.h) in GridShadow. Tests:
// tests/unit/emulator/{written_tiles,grid_race}_test.cpp

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// Rows of whole cells, of one length, at equal distances.
struct Tile {
  uint64_t first = 0;  // number of the cell in the buffer
  uint32_t width = 0;  // cells of a row
  uint32_t rows = 0;
  uint64_t pitch = 0;  // cells from the start of a row to that of the next
};

/// Tiles of one buffer. Several threads may call state(), claim() and release() at the same time.
class WrittenTiles {
 public:
  enum class State : uint8_t {
    Unused,
    InTiles,
    InCells,  // not only such tiles are accessed: GridShadow's cells keep the tickets
  };
  State state() const { return state_.load(std::memory_order_acquire); }

  /// Begins with the first tile that is written, in state Unused. `cells`: number of cells of the buffer. All
  /// tiles get the shape of the first if such tiles can lie side by side and are not small; else the state is
  /// InCells.
  void begin(const Tile& tile, uint64_t cells);
  void use_cells();

  /// Claims a tile for `ticket` (nonzero). False if it has another shape, is misaligned or is claimed
  /// already.
  bool claim(const Tile& tile, uint32_t ticket);
  /// Releases the tile if `ticket` has claimed it.
  void release(const Tile& tile, uint32_t ticket);

  /// Calls f(first cell, cells, ticket) for each row of the tiles that are claimed.
  template <class F>
  void for_each_row(F&& f) const {
    for (size_t number = 0; number < tickets_.size(); ++number) {
      if (tickets_[number] == 0) continue;
      const uint64_t first = number / in_row() * rows_ * pitch_ + number % in_row() * width_;
      for (uint32_t row = 0; row < rows_; ++row) f(first + row * pitch_, width_, tickets_[number]);
    }
  }

 private:
  static constexpr uint64_t kFewestCells = 4;  // tickets then take an eighth of what the cells take

  uint64_t in_row() const { return pitch_ / width_; }  // tiles beside each other
  uint32_t* ticket_of(const Tile& tile);

  std::atomic<State> state_ = State::Unused;
  uint32_t width_ = 1;
  uint32_t rows_ = 1;
  uint64_t pitch_ = 1;
  std::vector<uint32_t> tickets_;  // [tile] row by row; 0: no block has written it
};

}  // namespace lanescope::emulator
