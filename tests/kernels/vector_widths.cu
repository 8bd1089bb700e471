// Loads and stores of 1, 2, 4, 8 and 16 bytes per lane through shared memory, aligned as each type requires.
struct alignas(16) Wide {
  unsigned long long low, high;
};

template <class T>
__device__ void turn(const T* in, T* out, T* room) {
  room[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = room[63 - threadIdx.x];
  __syncthreads();
}

extern "C" __global__ void vector_widths(const void* in, void* out, int bytes) {
  __shared__ Wide room[64];
  switch (bytes) {
    case 1: return turn(static_cast<const char*>(in), static_cast<char*>(out), reinterpret_cast<char*>(room));
    case 2: return turn(static_cast<const short*>(in), static_cast<short*>(out), reinterpret_cast<short*>(room));
    case 4: return turn(static_cast<const int*>(in), static_cast<int*>(out), reinterpret_cast<int*>(room));
    case 8: return turn(static_cast<const int2*>(in), static_cast<int2*>(out), reinterpret_cast<int2*>(room));
    case 12: return turn(static_cast<const float3*>(in), static_cast<float3*>(out), reinterpret_cast<float3*>(room));
    default: return turn(static_cast<const Wide*>(in), static_cast<Wide*>(out), room);
  }
}
