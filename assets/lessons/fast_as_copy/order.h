// The order in which blocks take tiles. Blocks start in the order of their numbers, so this decides which
// parts of the two matrices are in use at the same time.
#pragma once

#ifndef ORDER
#define ORDER 1
#endif

struct Tile {
  int x, y;  // column and row of tiles of the input
};

// The tile of block `number` in a square of side x side tiles; side is a multiple of 4.
__device__ inline Tile tile_of(unsigned number, unsigned side) {
  Tile tile{};
  if (ORDER == 0) {  // along the rows of the input
    tile.x = number % side;
    tile.y = number / side;
  } else if (ORDER == 1) {  // down its columns: along the rows of the output
    tile.x = number / side;
    tile.y = number % side;
  } else if (ORDER == 2) {  // squares of 4 x 4 tiles
    const unsigned square = number / 16, within = number % 16;
    tile.x = square % (side / 4) * 4 + within % 4;
    tile.y = square / (side / 4) * 4 + within / 4;
  } else {  // down a diagonal
    tile.y = number % side;
    tile.x = (number / side + tile.y) % side;
  }
  return tile;
}
