// Names of Numba's arrays in shared memory, from the source.

#include "driver/server/shared_array_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kSource = R"(
@cuda.jit
def other(a):
    wrong = cuda.shared.array(8, float32)

@cuda.jit
def mean(a,
         out
):
    # old = cuda.shared.array(32, float32)
    tile = cuda.shared.array((TILE, TILE), float32)
    if tile.size == 0:
        sums=cuda.shared.array(32, dtype=float32)
    cuda.syncthreads()

after = cuda.shared.array(8, float32)
)";

ptx::Program program_with(const std::vector<std::string>& names) {
  ptx::Program program;
  program.kernel = "mean";
  program.origins.resize(1);
  program.origins[0].source = {"cell.py", 9};
  for (const std::string& name : names) {
    ptx::ProgramVariable variable;
    variable.name = name;
    variable.space = ptx::Space::Shared;
    program.variables.push_back(std::move(variable));
  }
  return program;
}

TEST(SharedArrayNames, those_of_the_functions_own_lines) {
  EXPECT_THAT(shared_arrays_in(kSource, "mean"), ElementsAre("tile", "sums"));
  EXPECT_THAT(shared_arrays_in(kSource, "other"), ElementsAre("wrong"));
  EXPECT_THAT(shared_arrays_in(kSource, "missing"), IsEmpty());
}

TEST(SharedArrayNames, arrays_are_named_in_the_order_of_their_numbers) {
  SourceTexts sources;
  sources.add("cell.py", kSource);
  ptx::Program program = program_with({"_cudapy_smem_10", "_cudapy_smem_9", "other"});
  name_shared_arrays(program, sources);
  EXPECT_EQ(program.variables[0].name, "sums");
  EXPECT_EQ(program.variables[1].name, "tile");
  EXPECT_EQ(program.variables[2].name, "other");
}

TEST(SharedArrayNames, shapes_are_those_of_the_files_of_the_kernel_s_lines) {
  SourceTexts sources;
  sources.add("tile.cu",
              "#define SIDE 4\n__global__ void k() { __shared__ float tile[SIDE][8], sums[16]; }\n");
  sources.add("other.cu", "__global__ void k() { __shared__ int pairs[8][2]; }\n");
  ptx::Program program;
  for (const auto& [name, bytes] :
       {std::pair{"_ZZ1kvE4tile", 128}, std::pair{"_ZZ1kvE4sums", 32}, std::pair{"_ZZ1kvE5pairs", 64}}) {
    ptx::ProgramVariable variable;
    variable.name = name;
    variable.space = ptx::Space::Shared;
    variable.size_bytes = static_cast<uint64_t>(bytes);
    program.variables.push_back(std::move(variable));
  }
  ptx::Origin origin;
  origin.source = {"tile.cu", 2};
  program.origins.push_back(origin);
  shape_shared_arrays(program, sources);
  EXPECT_THAT(program.variables[0].shape.extents, ElementsAre(0, 8)) << "the first names no element";
  EXPECT_EQ(program.variables[0].shape.element_bytes, 4u);
  EXPECT_EQ(program.variables[1].shape.element_bytes, 0u) << "16 floats are not 32 bytes";
  EXPECT_EQ(program.variables[2].shape.element_bytes, 0u) << "no line of the kernel is in that file";
}

TEST(SharedArrayNames, other_counts_leave_the_names) {
  SourceTexts sources;
  sources.add("cell.py", kSource);
  ptx::Program program = program_with({"_cudapy_smem_1"});
  name_shared_arrays(program, sources);
  EXPECT_EQ(program.variables[0].name, "_cudapy_smem_1");
}

}  // namespace
}  // namespace lanescope::driver
