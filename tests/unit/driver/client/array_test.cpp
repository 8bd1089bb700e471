// CUDA arrays as programs of the driver's and of the runtime's API see them: copies in and out, and wrong
// ones.

#include "unit/driver/client/fake_server.h"
#include "unit/driver/client/program.h"

#include <array>
#include <numeric>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// 4 x 3 texels of a byte.
CUarray array_of_bytes() {
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR shape{};
  shape.Width = 4;
  shape.Height = 3;
  shape.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  shape.NumChannels = 1;
  EXPECT_EQ(cuArrayCreate(&array, &shape), CUDA_SUCCESS);
  return array;
}

TEST(DriverArrays, a_rectangle_is_copied_in_and_out) {
  FakeServer server;
  in_program(server.path(), [] {
    start_program();
    const CUarray array = array_of_bytes();
    std::array<char, 12> host{};
    std::iota(host.begin(), host.end(), char{1});
    CUDA_MEMCPY2D in{};
    in.srcMemoryType = CU_MEMORYTYPE_HOST;
    in.srcHost = host.data();
    in.srcPitch = 4;
    in.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    in.dstArray = array;
    in.WidthInBytes = 4;
    in.Height = 3;
    EXPECT_EQ(cuMemcpy2D(&in), CUDA_SUCCESS);
    std::array<char, 4> corner{};
    CUDA_MEMCPY2D out{};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = 2;
    out.srcY = 1;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = corner.data();
    out.dstPitch = 2;
    out.WidthInBytes = 2;
    out.Height = 2;
    EXPECT_EQ(cuMemcpy2D(&out), CUDA_SUCCESS);
    EXPECT_THAT(corner, ElementsAre(7, 8, 11, 12));
    std::array<char, 2> row{};
    EXPECT_EQ(cuMemcpyAtoH(row.data(), array, 1, 2), CUDA_SUCCESS);
    EXPECT_THAT(row, ElementsAre(2, 3));
    EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
    EXPECT_EQ(cuArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
  });
}

TEST(DriverArrays, the_runtime_counts_texels_in_boxes_and_goes_on_in_the_next_row) {
  FakeServer server;
  in_program(server.path(), [] {
    const cudaChannelFormatDesc pair{16, 16, 0, 0, cudaChannelFormatKindSigned};
    cudaArray_t array = nullptr;
    EXPECT_EQ(cudaMallocArray(&array, &pair, 2, 2, 0), cudaSuccess);
    const std::array<short, 8> host{1, 2, 3, 4, 5, 6, 7, 8};
    // 12 bytes from the second texel on: the rest of the first row, then the second.
    EXPECT_EQ(cudaMemcpyToArray(array, 4, 0, host.data(), 12, cudaMemcpyHostToDevice), cudaSuccess);
    std::array<short, 2> last{};
    cudaMemcpy3DParms box{};
    box.srcArray = array;
    box.srcPos = {1, 1, 0};
    box.dstPtr = {last.data(), 4, 1, 1};
    box.extent = {1, 1, 1};
    box.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&box), cudaSuccess);
    EXPECT_THAT(last, ElementsAre(5, 6));
    cudaChannelFormatDesc channels{};
    cudaExtent extent{};
    unsigned int flags = 1;
    EXPECT_EQ(cudaArrayGetInfo(&channels, &extent, &flags, array), cudaSuccess);
    EXPECT_EQ(channels.y, 16);
    EXPECT_EQ(channels.z, 0);
    EXPECT_EQ(channels.f, cudaChannelFormatKindSigned);
    EXPECT_EQ(extent.width, 2u);
    EXPECT_EQ(flags, 0u);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  });
}

TEST(DriverArrays, what_does_not_fit_and_what_is_none_are_errors) {
  FakeServer server;
  const Outcome outcome = in_program(server.path(), [] {
    start_program();
    const CUarray array = array_of_bytes();
    char host[8] = "";
    EXPECT_EQ(cuMemcpyHtoA(array, 3, host, 2), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyHtoA(reinterpret_cast<CUarray>(host), 0, host, 1), CUDA_ERROR_INVALID_VALUE);
    CUDA_ARRAY3D_DESCRIPTOR cube{};
    cube.Width = 4;
    cube.Height = 3;
    cube.Depth = 6;
    cube.Format = CU_AD_FORMAT_FLOAT;
    cube.NumChannels = 1;
    cube.Flags = CUDA_ARRAY3D_CUBEMAP;
    CUarray made = nullptr;
    EXPECT_EQ(cuArray3DCreate(&made, &cube), CUDA_ERROR_INVALID_VALUE);
    const cudaChannelFormatDesc uneven{8, 16, 0, 0, cudaChannelFormatKindSigned};
    cudaArray_t other = nullptr;
    EXPECT_EQ(cudaMallocArray(&other, &uneven, 2, 2, 0), cudaErrorInvalidChannelDescriptor);
  });
  EXPECT_THAT(outcome.errors,
              HasSubstr("2 bytes in x from 3 on exceed the array, the destination, which has 4"));
  EXPECT_THAT(outcome.errors, HasSubstr("a cube has six square faces"));
}

}  // namespace
}  // namespace lanescope::driver
