// A structure as a kernel argument: it is in parameter space, and an index known only at run time reads into it.
struct Camera {
  float rows[3][4];
  int2 size;
  unsigned char shift;
};

extern "C" __global__ void struct_by_value(const Camera camera, const float4* points, float* out, const int* which) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 p = points[i];
  const float* row = camera.rows[which[i] % 3u];
  out[i] = row[0] * p.x + row[1] * p.y + row[2] * p.z + row[3] * p.w + (camera.size.x * camera.size.y >> camera.shift);
}
