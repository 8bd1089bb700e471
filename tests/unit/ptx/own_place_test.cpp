// Which lines are a person's own.

#include "ptx/own_place.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

Origin origin_of(Location source, std::vector<Location> callers) {
  Origin origin;
  origin.source = std::move(source);
  origin.called_from = std::make_shared<const std::vector<Location>>(std::move(callers));
  return origin;
}

TEST(OwnPlace, headers_of_cuda_are_known_by_their_folder_or_their_name) {
  for (const char* header :
       {"/usr/local/cuda/include/crt/mma.hpp",
        "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp",
        "/srv/venv/lib/python3/site-packages/nvidia/cu13/include/cuda_fp16.hpp", "crt/mma.hpp",
        "cuda_pipeline_helpers.h", "cooperative_groups/details/sync.h", "cuda/std/__atomic/api.h",
        "sm_30_intrinsics.hpp", "/opt/toolkit/include/cub/block/block_scan.cuh"})
    EXPECT_TRUE(is_cuda_header(header)) << header;
  for (const char* own : {"tile.cu", "/srv/tile.cu", "include/tile.cuh", "/srv/project/include/tile.cuh",
                          "common/reduce.h", "cuda_utils.h", "", "mma_tile.cu"})
    EXPECT_FALSE(is_cuda_header(own)) << own;
}

TEST(OwnPlace, is_the_innermost_line_outside_of_cudas_headers) {
  const OwnPlace own =
      own_place_of(origin_of({"crt/mma.hpp", 474}, {{"mma.h", 90}, {"tile.cuh", 12}, {"main.cu", 30}}));
  EXPECT_EQ(own.where, (Location{"tile.cuh", 12}));
  EXPECT_EQ(own.called_from, (std::vector<Location>{{"main.cu", 30}}));
  EXPECT_EQ(own.in_header, (Location{"crt/mma.hpp", 474}));
}

TEST(OwnPlace, of_a_persons_own_function_is_where_it_was_written) {
  const OwnPlace own = own_place_of(origin_of({"tile.cuh", 12}, {{"main.cu", 30}}));
  EXPECT_EQ(own.where, (Location{"tile.cuh", 12}));
  EXPECT_EQ(own.called_from, (std::vector<Location>{{"main.cu", 30}}));
  EXPECT_FALSE(own.in_header);
}

TEST(OwnPlace, of_a_kernel_in_a_header_is_its_line_there) {
  EXPECT_EQ(own_place_of(origin_of({"cub/a.cuh", 7}, {{"cub/kernel.cuh", 3}})).where,
            (Location{"cub/kernel.cuh", 3}));
  EXPECT_EQ(own_place_of(origin_of({"cub/kernel.cuh", 3}, {})).where, (Location{"cub/kernel.cuh", 3}));
  EXPECT_EQ(own_place_of({}).where.line, 0);
}

}  // namespace
}  // namespace lanescope::ptx
