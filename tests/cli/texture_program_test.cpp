// A program that reads textures and writes surfaces, over CUDA arrays and over memory.

#include "support/program.h"
#include "support/project.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::HasSubstr;

class TextureProgram : public tests::SourceProgramTest {
 protected:
  tests::Finished run(const std::string& main) const {
    const std::string source = folder_.path() / "main.cu";
    std::ofstream(source) << "#include <cstdio>\n" << main;
    return tests::run_program({"run", source});
  }
  tests::TemporaryFolder folder_{"texture-program"};
};

TEST_F(TextureProgram, arrays_textures_and_surfaces_are_those_of_a_gpu) {
  const std::string source = tests::source_dir() / "tests/programs/clients/textures.cu";
  const tests::Finished done = tests::run_program({"run", source});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("textures: right\n"));
  EXPECT_THAT(done.error, testing::Not(HasSubstr("not supported")));
  EXPECT_THAT(done.error, testing::Not(HasSubstr("found"))) << "no finding";
}

TEST_F(TextureProgram, a_destroyed_object_is_a_finding) {
  const tests::Finished done = run(R"cu(
__global__ void look(cudaTextureObject_t image, float* to) { *to = tex1Dfetch<float>(image, 0); }
int main() {
  float *memory, *to;
  cudaMalloc(&memory, 64);
  cudaMemset(memory, 0, 64);
  cudaMalloc(&to, 4);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeLinear;
  what.res.linear.devPtr = memory;
  what.res.linear.desc = cudaCreateChannelDesc<float>();
  what.res.linear.sizeInBytes = 64;
  cudaTextureDesc how = {};
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &what, &how, nullptr);
  cudaFree(memory);
  look<<<1, 1>>>(image, to);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
)cu");
  EXPECT_THAT(done.output, HasSubstr("cudaErrorLaunchFailure"));
  EXPECT_THAT(done.error, HasSubstr("main.cu:3: "));
  EXPECT_THAT(done.error, HasSubstr("that of an object that was destroyed"));
}

TEST_F(TextureProgram, a_launch_runs_again_with_its_texture_and_surface) {
  const std::string source = folder_.path() / "both.cu", folder = folder_.path() / "kept";
  std::ofstream(source) << R"cu(#include <vector>
__global__ void turn(cudaTextureObject_t from, cudaSurfaceObject_t to, float* sum) {
  const uchar4 texel = tex2D<uchar4>(from, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
  surf2Dwrite(static_cast<int>(texel.y), to, threadIdx.y * 4, threadIdx.x);
  sum[threadIdx.y * 3 + threadIdx.x] = texel.x + texel.w;
}
int main() {
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>(), words = cudaCreateChannelDesc<int>();
  cudaArray_t in, out;
  cudaMallocArray(&in, &bytes, 3, 2);
  cudaMallocArray(&out, &words, 2, 3, cudaArraySurfaceLoadStore);
  std::vector<uchar4> texels;
  for (unsigned char n = 0; n < 6; ++n) texels.push_back({n, static_cast<unsigned char>(10 + n), 0, 100});
  cudaMemcpy2DToArray(in, 0, 0, texels.data(), 12, 12, 2, cudaMemcpyHostToDevice);
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = in;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t from;
  cudaCreateTextureObject(&from, &what, &how, nullptr);
  what.res.array.array = out;
  cudaSurfaceObject_t to;
  cudaCreateSurfaceObject(&to, &what);
  float* sum;
  cudaMalloc(&sum, 24);
  turn<<<1, dim3(3, 2)>>>(from, to, sum);
}
)cu";
  const tests::Finished first = tests::run_program({"run", "--save", folder, "--keep-inputs", source});
  ASSERT_EQ(first.status, 0) << first.error;
  const tests::Finished again =
      tests::run_program({"trace", folder + "/0000-turn.toml", "--show", "sum", "--show", "to"});
  EXPECT_EQ(again.status, 0) << again.error;
  EXPECT_THAT(again.output, testing::ContainsRegex("100 +101 +102 +103 +104 +105"));
  // The texels 10 to 15 in rows of three, turned: rows of two.
  EXPECT_THAT(again.output, testing::ContainsRegex("10 +13"));
  EXPECT_THAT(again.output, testing::ContainsRegex("12 +15"));
}

TEST_F(TextureProgram, what_cuda_cannot_make_is_an_error_with_its_reason) {
  const tests::Finished done = run(R"cu(
int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 8);
  int line[8] = {};
  std::printf("%d ", cudaMemcpy2DToArray(array, 4, 7, line, 32, 32, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how = {};
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  std::printf("%d\n", cudaCreateTextureObject(&image, &what, &how, nullptr));
}
)cu");
  EXPECT_EQ(done.output, "1 1\n");
  EXPECT_THAT(done.error, HasSubstr("32 bytes in x from 4 on exceed the array"));
  EXPECT_THAT(done.error, HasSubstr("a linear filter needs texels that are read as floating-point numbers"));
}

}  // namespace
}  // namespace lanescope
