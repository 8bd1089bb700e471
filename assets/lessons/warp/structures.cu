// The same kind of data kept in two ways; thread i adds up the first fields of point i.
// Array of structures: the fields of one point are neighbors.
// Structure of arrays: the values of one field are neighbors.
#ifndef FIELDS
#define FIELDS 4  // floats of a point
#endif

struct Point {
  float field[FIELDS];
};

extern "C" __global__ void array_of_structures(const Point* points, float* out, int n, int read) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float sum = 0;
  for (int f = 0; f < read; ++f) {
    const float value = points[i].field[f];  // @read
    sum += value;
  }
  out[i] = sum;  // @write
}

extern "C" __global__ void structure_of_arrays(const float* arrays, float* out, int n, int read) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float sum = 0;
  for (int f = 0; f < read; ++f) {
    const float value = arrays[f * n + i];  // @read
    sum += value;
  }
  out[i] = sum;  // @write
}
