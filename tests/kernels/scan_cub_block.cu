// CUB's scan and reduction of a block, and its exchange between a blocked and a striped arrangement.
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

extern "C" __global__ void scan_cub_block(const int* in, int* out, int* totals) {
  using Scan = cub::BlockScan<int, 128>;
  using Reduce = cub::BlockReduce<int, 128>;
  using Exchange = cub::BlockExchange<int, 128, 2>;
  __shared__ union {
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
    Exchange::TempStorage exchange;
  } room;
  int items[2];
  for (int i = 0; i < 2; ++i) items[i] = in[blockIdx.x * 256 + i * 128 + threadIdx.x] >> 16;
  Exchange(room.exchange).StripedToBlocked(items);
  __syncthreads();
  const int largest = Reduce(room.reduce).Reduce(items, [](int a, int b) { return a > b ? a : b; });
  __syncthreads();
  Scan(room.scan).ExclusiveSum(items, items);
  for (int i = 0; i < 2; ++i) out[blockIdx.x * 256 + threadIdx.x * 2 + i] = items[i];
  if (threadIdx.x == 0) totals[blockIdx.x] = largest;
}
