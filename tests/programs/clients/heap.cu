// Memory that one kernel allocates and later ones use and free: objects with virtual functions, and a list
// that grows by a node in each launch.
#include "check.h"

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Box : Shape {
  int width, height;
  __device__ Box(int w, int h) : width(w), height(h) {}
  __device__ int area() const override { return width * height; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};

__global__ void make(Shape** shapes) {
  const int n = static_cast<int>(threadIdx.x);
  shapes[n] = n % 2 == 0 ? static_cast<Shape*>(new Box(n, 3)) : new Square(n);
}
__global__ void sum_areas(Shape** shapes, int* sum) { atomicAdd(sum, shapes[threadIdx.x]->area()); }
__global__ void end(Shape** shapes) { delete shapes[threadIdx.x]; }

struct Node {
  int value;
  Node* next;
};
__device__ Node* list;
__global__ void push(int value) { list = new Node{value, list}; }
__global__ void sum_list(int* sum) {
  while (list != nullptr) {
    Node* gone = list;
    *sum += gone->value;
    list = gone->next;
    delete gone;
  }
}

int main() {
  constexpr int kShapes = 40, kNodes = 10;
  Shape** shapes = nullptr;
  int *sums = nullptr, host[2] = {};
  REQUIRE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  REQUIRE(cudaMalloc(&shapes, kShapes * sizeof *shapes));
  REQUIRE(cudaMalloc(&sums, sizeof host));
  REQUIRE(cudaMemset(sums, 0, sizeof host));
  make<<<1, kShapes>>>(shapes);
  for (int round = 0; round < 2; ++round) sum_areas<<<1, kShapes>>>(shapes, sums);
  end<<<1, kShapes>>>(shapes);
  for (int n = 1; n <= kNodes; ++n) push<<<1, 1>>>(n);
  sum_list<<<1, 1>>>(sums + 1);
  REQUIRE(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  int areas = 0;
  for (int n = 0; n < kShapes; ++n) areas += n % 2 == 0 ? 3 * n : n * n;
  return host[0] == 2 * areas && host[1] == kNodes * (kNodes + 1) / 2 ? 0 : 1;
}
