// Two roles: each thread writes its number to the elements that it moves and to those that it computes.
// The 256 threads of one tile are launched as blocks of a thread or a warp, so that figures of blocks show
// who has what.
#include "roles.h"

extern "C" __global__ void roles(int* moved_a, int* moved_b, int* computed) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int4 number = make_int4(tid, tid, tid, tid);

  const Place a = moved_of_a(tid);
  reinterpret_cast<int4&>(moved_a[a.row * STEP + a.column]) = number;  // @move_a 16 rows in a warp
  const Place b = moved_of_b(tid);
  reinterpret_cast<int4&>(moved_b[b.row * TILE + b.column]) = number;  // @move_b one row in a warp

  for (int i = 0; i < SIDE; ++i)
    for (int j = 0; j < SIDE; j += 4) {
      int& first = computed[computed_row(tid, i) * TILE + computed_column(tid, j)];
      reinterpret_cast<int4&>(first) = number;  // @compute
    }
}
