// Every atomic operation, on global and on shared memory, chosen so that the end does not depend on the order.
extern "C" __global__ void atomics(const unsigned* in, unsigned* words, unsigned long long* longs, float* floats,
                                   double* doubles) {
  __shared__ unsigned kept[8];
  __shared__ unsigned long long kept_long;
  if (threadIdx.x < 8) kept[threadIdx.x] = threadIdx.x == 1 || threadIdx.x == 3 ? 0xffffffffu : 0;
  if (threadIdx.x == 8) kept_long = 1;
  __syncthreads();
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&kept[0], value);
  atomicMin(&kept[1], value);
  atomicMax(&kept[2], value);
  atomicAnd(&kept[3], value | 0xffff);
  atomicOr(&kept[4], value & 0xff0000);
  atomicXor(&kept[5], value);
  atomicInc(&kept[6], 1000);
  atomicMax(reinterpret_cast<int*>(&kept[7]), static_cast<int>(value));
  atomicAdd(&kept_long, static_cast<unsigned long long>(value) << 8);

  atomicAdd(&words[0], value);
  atomicSub(&words[1], value);
  atomicMin(reinterpret_cast<int*>(&words[2]), static_cast<int>(value));
  atomicMax(&words[3], value);
  atomicAnd(&words[4], value | 0xff);
  atomicOr(&words[5], value & 0xff00);
  atomicXor(&words[6], value);
  atomicInc(&words[7], 70);
  atomicDec(&words[8], 100);
  unsigned seen = words[9], expected;
  do {
    expected = seen;
    seen = atomicCAS(&words[9], expected, expected + value % 16);
  } while (seen != expected);
  atomicAdd(&longs[0], static_cast<unsigned long long>(value) << 20);
  atomicMax(&longs[1], static_cast<unsigned long long>(value) * value);
  atomicXor(&longs[2], static_cast<unsigned long long>(value) * 0x10001);
  atomicAdd(&floats[0], static_cast<float>(value % 64));
  atomicAdd(&doubles[0], static_cast<double>(value) * 0.25);
  atomicExch(&floats[1 + blockIdx.x * blockDim.x + threadIdx.x], static_cast<float>(value));
  __syncthreads();
  if (threadIdx.x < 8) words[16 + blockIdx.x * 8 + threadIdx.x] = kept[threadIdx.x];
  if (threadIdx.x == 8) longs[8 + blockIdx.x] = kept_long;
}
