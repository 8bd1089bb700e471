// All-pairs gravity: a block keeps 128 bodies in shared memory, and every thread reads each of them.
extern "C" __global__ void n_body(const float4* bodies, float4* accelerations, int count) {
  __shared__ float4 kept[128];
  const float4 me = bodies[blockIdx.x * 128 + threadIdx.x];
  float ax = 0, ay = 0, az = 0;
  for (int tile = 0; tile < count; tile += 128) {
    kept[threadIdx.x] = bodies[tile + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < 128; ++i) {
      const float4 other = kept[i];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float strength = other.w * inverse * inverse * inverse;
      ax += dx * strength;
      ay += dy * strength;
      az += dz * strength;
    }
    __syncthreads();
  }
  accelerations[blockIdx.x * 128 + threadIdx.x] = make_float4(ax, ay, az, 0);
}
