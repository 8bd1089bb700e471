// Mandelbrot: every pixel iterates until it escapes; lanes that escaped wait for the last one of their warp.
extern "C" __global__ void mandelbrot(unsigned* iterations, int width, int height, float zoom) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float real = (x - 0.7f * width) * zoom, imaginary = (y - 0.5f * height) * zoom;
  float a = 0, b = 0;
  unsigned count = 0;
  while (count < 200 && a * a + b * b <= 4.0f) {
    const float next = a * a - b * b + real;
    b = 2 * a * b + imaginary;
    a = next;
    ++count;
  }
  iterations[y * width + x] = count;
}
