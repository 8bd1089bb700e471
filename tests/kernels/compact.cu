// Stream compaction: the even numbers of each block, packed to the front in their order.
// A ballot counts the kept lanes before a lane; the warps' counts are added up in shared memory.
extern "C" __global__ void compact(const unsigned* in, unsigned* out, unsigned* counts) {
  __shared__ unsigned of_warp[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned value = in[blockIdx.x * 256 + threadIdx.x];
  const bool keep = value % 2 == 0;
  const unsigned kept = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) of_warp[warp] = __popc(kept);
  __syncthreads();
  unsigned at = __popc(kept & ((1u << lane) - 1));
  for (unsigned before = 0; before < warp; ++before) at += of_warp[before];
  if (keep) out[blockIdx.x * 256 + at] = value;
  if (threadIdx.x == 255) counts[blockIdx.x] = at + keep;
}
