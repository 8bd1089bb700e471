// Dynamic shared memory cut into two arrays of different types, sizes known at launch only.
extern "C" __global__ void dynamic_shared(const double* in, const int* order, double* out, int count) {
  extern __shared__ double room[];
  double* values = room;
  short* places = reinterpret_cast<short*>(room + count);
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    values[i] = in[blockIdx.x * count + i];
    places[i] = static_cast<short>((order[i] & 0x7fffffff) % count);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[blockIdx.x * count + i] = values[places[i]] + values[i];
}
