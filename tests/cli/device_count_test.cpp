// `lanescope run --devices N`: a program that uses several devices.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::HasSubstr;

class DeviceCount : public tests::SourceProgramTest {
 protected:
  tests::Finished run(const std::string& devices, const std::string& main) const {
    const std::string source = folder_.path() / "main.cu";
    std::ofstream(source) << "#include <cstdio>\n" << main;
    return tests::run_program({"run", "--devices", devices, source});
  }
  tests::TemporaryFolder folder_{"device-count"};
};

/// Each device has variables of its own; an address tells its device.
TEST_F(DeviceCount, two_devices_have_their_own_memory_and_variables) {
  const tests::Finished done = run("2", R"cu(
__device__ int counter;
__global__ void count(int n) { atomicAdd(&counter, n); }
__global__ void copy(const int* from, int* to) { *to = *from; }
int main() {
  int devices = 0, now = -1, seven = 7, back = 0, counts[2], *here, *there;
  cudaGetDeviceCount(&devices);
  cudaMalloc(&here, sizeof seven);
  cudaMemcpy(here, &seven, sizeof seven, cudaMemcpyHostToDevice);
  count<<<1, 1>>>(1);
  cudaSetDevice(1);
  cudaGetDevice(&now);
  cudaMalloc(&there, sizeof seven);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  count<<<1, 2, 0, stream>>>(10);
  cudaMemcpyPeer(there, 1, here, 0, sizeof seven);
  cudaMemcpy(&back, there, sizeof back, cudaMemcpyDeviceToHost);
  cudaPointerAttributes of_here, of_there;
  cudaPointerGetAttributes(&of_here, here);
  cudaPointerGetAttributes(&of_there, there);
  std::printf("%d devices, now %d, %d, addresses of %d and %d\n", devices, now, back, of_here.device,
              of_there.device);
  int can = 0, self = 1;
  cudaDeviceCanAccessPeer(&can, 1, 0);
  cudaDeviceCanAccessPeer(&self, 1, 1);
  const cudaError_t first = cudaDeviceEnablePeerAccess(0, 0), again = cudaDeviceEnablePeerAccess(0, 0);
  std::printf("peer %d %d, enabled %d, again %s, self %s\n", can, self, first, cudaGetErrorName(again),
              cudaGetErrorName(cudaDeviceEnablePeerAccess(1, 0)));
  copy<<<1, 1>>>(here, there);
  cudaMemcpyFromSymbol(&counts[1], counter, sizeof(int));
  cudaSetDevice(0);
  cudaMemcpyFromSymbol(&counts[0], counter, sizeof(int));
  std::printf("counts %d %d, third %s\n", counts[0], counts[1], cudaGetErrorName(cudaSetDevice(2)));
}
)cu");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output,
            "2 devices, now 1, 7, addresses of 0 and 1\n"
            "peer 1 0, enabled 0, again cudaErrorPeerAccessAlreadyEnabled, self "
            "cudaErrorPeerAccessUnsupported\n"
            "counts 1 20, third cudaErrorInvalidDevice\n");
}

// As the CUDA C++ Programming Guide has it: a copy between devices needs no access, a kernel does.
TEST_F(DeviceCount, a_kernel_has_no_access_to_a_peer_that_was_not_enabled) {
  const std::string main = R"cu(
__global__ void copy(const int* from, int* to) {
  *to = *from;
}
int main() {
  int seven = 7, back = 0, *here, *there, *shared;
  cudaMalloc(&here, sizeof seven);
  cudaMallocManaged(&shared, sizeof seven);
  *shared = 5;
  cudaMemcpy(here, &seven, sizeof seven, cudaMemcpyHostToDevice);
  cudaSetDevice(1);
  cudaMalloc(&there, sizeof seven);
  ENABLE
  copy<<<1, 1>>>(shared, there);
  std::printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  copy<<<1, 1>>>(here, there);
  std::printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(&back, there, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("%d\n", back);
}
)cu";
  const auto with = [&](const std::string& call) {
    std::string text = main;
    return run("2", text.replace(text.find("ENABLE"), 6, call));
  };
  const tests::Finished right = with("cudaDeviceEnablePeerAccess(0, 0);");
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_EQ(right.output, "cudaSuccess cudaSuccess 7\n");
  const tests::Finished wrong = with("");
  EXPECT_THAT(wrong.output, testing::StartsWith("cudaSuccess cudaErrorIllegalAddress "));
  EXPECT_THAT(wrong.error, HasSubstr("main.cu:4: "));
  EXPECT_THAT(wrong.error,
              HasSubstr("it is byte 0 of 4 that are on device 0, to which the device of the kernel has no "
                        "access; call cudaDeviceEnablePeerAccess(0, 0) before"));
}

TEST_F(DeviceCount, devices_share_the_memory_and_have_places_of_their_own_on_the_bus) {
  const tests::Finished done = run("2", R"cu(
int main() {
  size_t free[2], total[2];
  cudaDeviceProp device[2];
  for (int n = 0; n < 2; ++n) {
    cudaSetDevice(n);
    cudaGetDeviceProperties(&device[n], n);
    void* memory;
    if (n == 1) cudaMalloc(&memory, 1 << 20);
    cudaMemGetInfo(&free[n], &total[n]);
  }
  std::printf("%d %zu %zu %d\n", total[0] == total[1], total[0] - free[0], total[1] - free[1],
              device[0].pciBusID != device[1].pciBusID);
  void* all;
  std::printf("%s\n", cudaGetErrorName(cudaMalloc(&all, total[0])));
}
)cu");
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, "1 0 1048576 1\ncudaErrorMemoryAllocation\n");
}

TEST_F(DeviceCount, no_device_and_too_many_are_one_sentence) {
  for (const char* count : {"0", "17"}) {
    const tests::Finished done = tests::run_program({"run", "--devices", count, "--", "true"});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.error, HasSubstr(std::string("--devices is from 1 to 16, ") + count + " was given"));
  }
}

}  // namespace
}  // namespace lanescope
