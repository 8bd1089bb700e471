// What the toggles set, and the Sobel operator: differences of the eight neighbors across and down.
#pragma once

#ifndef WIDTH
#define WIDTH 32  // of a block, in threads
#endif
#ifndef PADDING
#define PADDING 0  // columns added to the tile in shared memory
#endif
#ifndef TILE_BYTES
#define TILE_BYTES 1  // of an element of the tile: 1 unsigned char, 4 float
#endif
#ifndef THRESHOLD
#define THRESHOLD 0  // 0: the magnitude is written; else white where it is at least so large, black elsewhere
#endif

constexpr int HEIGHT = 256 / WIDTH;

// clang-format off: one case a line
template <int bytes> struct ElementOf;
template <> struct ElementOf<1> { using Type = unsigned char; };
template <> struct ElementOf<4> { using Type = float; };
// clang-format on
using Element = ElementOf<TILE_BYTES>::Type;

// The rows above, next to and below a pixel; nw is up and left, se down and right.
struct Neighbors {
  int nw, n, ne, w, e, sw, s, se;
};

__device__ inline unsigned char edge(const Neighbors& p) {
  const int across = (p.ne + 2 * p.e + p.se) - (p.nw + 2 * p.w + p.sw);
  const int down = (p.sw + 2 * p.s + p.se) - (p.nw + 2 * p.n + p.ne);
  const int magnitude = min(abs(across) + abs(down), 255);
  return THRESHOLD == 0 ? magnitude : magnitude >= THRESHOLD ? 255 : 0;
}

// A coordinate outside the image counts as the nearest one inside.
__device__ inline int inside(int at, int size) { return min(max(at, 0), size - 1); }
