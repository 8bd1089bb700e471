#include "emulator/checks/written_tiles.h"

#include "base/relaxed_ref.h"

namespace lanescope::emulator {

void WrittenTiles::begin(const Tile& tile, uint64_t cells) {
  const bool is_small = uint64_t{tile.width} * tile.rows < kFewestCells;
  if (is_small || tile.pitch % tile.width != 0) return use_cells();
  width_ = tile.width;
  rows_ = tile.rows;
  pitch_ = tile.pitch;
  const uint64_t cells_of_all = rows_ * pitch_;  // of the tiles in a row
  tickets_.assign(static_cast<size_t>((cells + cells_of_all - 1) / cells_of_all * in_row()), 0);
  state_.store(State::InTiles, std::memory_order_release);
}

void WrittenTiles::use_cells() {
  tickets_ = {};
  state_.store(State::InCells, std::memory_order_release);
}

/// Pointer to the ticket of a tile; null if the tile has another shape, is misaligned or is outside.
uint32_t* WrittenTiles::ticket_of(const Tile& tile) {
  if (tile.width != width_ || tile.rows != rows_ || tile.pitch != pitch_) return nullptr;
  const uint64_t row = tile.first / pitch_;
  const uint64_t column = tile.first % pitch_;
  if (row % rows_ != 0 || column % width_ != 0) return nullptr;
  const uint64_t number = row / rows_ * in_row() + column / width_;
  return number < tickets_.size() ? &tickets_[static_cast<size_t>(number)] : nullptr;
}

bool WrittenTiles::claim(const Tile& tile, uint32_t ticket) {
  uint32_t* const its = ticket_of(tile);
  uint32_t nobody = 0;
  return its != nullptr && RelaxedRef(*its).compare_exchange(nobody, ticket);
}

void WrittenTiles::release(const Tile& tile, uint32_t ticket) {
  uint32_t* const its = ticket_of(tile);
  if (its != nullptr) RelaxedRef(*its).compare_exchange(ticket, 0);
}

}  // namespace lanescope::emulator
