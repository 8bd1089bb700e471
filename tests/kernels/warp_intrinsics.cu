// What a warp can do in one instruction: votes, matches, reductions, shuffles of every kind, also under a partial mask.
extern "C" __global__ void warp_intrinsics(const unsigned* in, unsigned* out) {
  const unsigned all = 0xffffffffu, lane = threadIdx.x % 32;
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned* to = out + (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  int every = 0;
  to[0] = __ballot_sync(all, value & 1);
  to[1] = __all_sync(all, value != 0) * 2 + __any_sync(all, value > 0xf0000000u);
  to[2] = __match_any_sync(all, value >> 29);
  to[3] = __match_all_sync(all, value >> 31, &every) + every;
  to[4] = __reduce_add_sync(all, value);
  to[5] = __reduce_min_sync(all, static_cast<int>(value));
  to[6] = __reduce_max_sync(all, value);
  to[7] = __reduce_xor_sync(all, value) ^ __reduce_and_sync(all, value | 0xff) ^ __reduce_or_sync(all, value & 0xff00);
  to[8] = __shfl_sync(all, value, 31 - lane);
  to[9] = __shfl_up_sync(all, value, 3, 8);
  to[10] = __shfl_down_sync(all, value, 5, 16);
  to[11] = __shfl_xor_sync(all, value, 9);
  to[12] = static_cast<unsigned>(__shfl_sync(all, static_cast<unsigned long long>(value) << 20, lane * 7) >> 16);
  to[13] = 0;
  to[14] = 0;
  if (lane % 3 == 0) {
    const unsigned some = __activemask();
    to[13] = __reduce_add_sync(some, lane) + __popc(some);
    to[14] = __ballot_sync(some, value & 2);
  }
  to[15] = __any_sync(all, lane == 7 && value % 2 == 0);
}
