// What the toggles set for the scans.
#pragma once

#ifndef TILE
#define TILE 512  // elements of a block
#endif
#ifndef OFFSETS
#define OFFSETS 0  // 1: leave out a word after every 32 elements in shared memory
#endif
