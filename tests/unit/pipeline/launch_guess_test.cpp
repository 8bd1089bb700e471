#include "pipeline/launch_guess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ListedKernel kernel_with(std::vector<ListedKernel::Parameter> parameters, int dimensions = 1) {
  ListedKernel kernel;
  kernel.parameters = std::move(parameters);
  kernel.dimensions = dimensions;
  return kernel;
}
LaunchText nothing() { return {.file = "", .kernel = "", .grid = "", .block = "", .arguments = {}}; }

TEST(LaunchGuess, a_vector_has_an_element_for_each_thread) {
  const auto launch = complete_launch(
      kernel_with(
          {{"const float *__restrict__", "x", 8}, {"float*", "y", 8}, {"float", "a", 4}, {"int", "n", 4}}),
      nothing());
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_EQ(launch->grid, "4");
  EXPECT_EQ(launch->block, "256");
  EXPECT_THAT(launch->arguments,
              ElementsAre("x=f32[1024]:iota", "y=f32[1024]:zeros", "a=f32:1", "n=i32:1024"));
  EXPECT_EQ(
      options_text(*launch),
      "--grid 4 --block 256 --arg x=f32[1024]:iota --arg y=f32[1024]:zeros --arg a=f32:1 --arg n=i32:1024");
  EXPECT_TRUE(launch->guess.grid && launch->guess.block && launch->guess.values);
  ASSERT_EQ(launch->guess.buffers.size(), 2u);
  EXPECT_EQ(launch->guess.buffers[0].contents, "iota");
}

TEST(LaunchGuess, a_kernel_of_two_dimensions_gets_a_matrix) {
  LaunchText given = nothing();
  given.block = "32,8";
  const auto launch = complete_launch(
      kernel_with({{"uchar4 *", "out", 8}, {"int", "width", 4}, {"unsigned int", "height", 4}}, 2), given);
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_EQ(launch->grid, "16,16");
  EXPECT_EQ(launch->block, "32,8");
  EXPECT_THAT(launch->arguments, ElementsAre("out=u8[128x512x4]:zeros", "width=i32:512", "height=u32:128"));
}

TEST(LaunchGuess, a_block_has_no_more_threads_than_the_launch_bounds) {
  for (const int dimensions : {1, 2}) {
    ListedKernel kernel = kernel_with({{"float*", "out", 8}}, dimensions);
    kernel.most_threads = 128;
    EXPECT_EQ(complete_launch(kernel, nothing())->block, "128");
    kernel.most_threads = 1024;
    EXPECT_EQ(complete_launch(kernel, nothing())->block, dimensions == 1 ? "256" : "16,16");
  }
}

TEST(LaunchGuess, a_window_is_small) {
  const auto launch = complete_launch(kernel_with({{"int", "kernel_rows", 4},
                                                   {"int", "filterWidth", 4},
                                                   {"int", "pool_h", 4},
                                                   {"int", "kernels", 4}}),
                                      nothing());
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_THAT(launch->arguments,
              ElementsAre("kernel_rows=i32:3", "filterWidth=i32:3", "pool_h=i32:3", "kernels=i32:1024"));
}

TEST(LaunchGuess, the_host_codes_launch_is_taken_where_its_values_are_known) {
  ListedKernel kernel = kernel_with({{"double *", "x", 8}});
  compile::HostLaunch unknown, known;
  unknown.grid = "n / 256";
  known.grid_value = Dim3{4, 1, 1};
  known.block_value = Dim3{64, 1, 1};
  known.shared_bytes_value = 512;
  kernel.launches = {unknown, known};
  const auto launch = complete_launch(kernel, nothing());
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, "4");
  EXPECT_EQ(launch->block, "64");
  EXPECT_EQ(launch->shared_bytes, 512u);
  EXPECT_THAT(launch->arguments, ElementsAre("x=f64[256]:zeros"));
  EXPECT_FALSE(launch->guess.grid || launch->guess.block || launch->guess.shared);
}

TEST(LaunchGuess, what_the_host_code_says_of_arguments_counts) {
  ListedKernel kernel =
      kernel_with({{"float *", "x", 8}, {"float *", "y", 8}, {"int", "n", 4}, {"bool", "b", 1}});
  kernel.parameters[0].is_read = true;
  compile::HostLaunch launch_of_host;
  launch_of_host.block_value = Dim3{64, 1, 1};
  launch_of_host.values = {{.number = {}, .buffer = "d", .buffer_bytes = 400, .offset_bytes = 8},
                           {.number = {}, .buffer = "d", .buffer_bytes = 400},
                           {.number = 100},
                           {.number = 0}};
  kernel.launches = {launch_of_host};
  const auto launch = complete_launch(kernel, nothing());
  ASSERT_TRUE(launch);
  // 100 numbers for blocks of 64 threads.
  EXPECT_EQ(launch->grid, "2");
  EXPECT_THAT(launch->arguments, ElementsAre("x=f32[100]:iota+8", "x", "n=i32:100", "b=u8:0"));
  EXPECT_TRUE(launch->guess.grid);
  EXPECT_FALSE(launch->guess.values);
  EXPECT_TRUE(launch->guess.buffers.empty());
}

TEST(LaunchGuess, a_kernel_that_reads_no_block_gets_one) {
  ListedKernel kernel = kernel_with({{"int *", "x", 8}});
  kernel.has_block_index = false;
  const auto launch = complete_launch(kernel, nothing());
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, "1");
}

TEST(LaunchGuess, what_is_given_stays) {
  LaunchText given = nothing();
  given.block = "32";
  given.arguments = {"f32[5]:iota"};
  const auto launch = complete_launch(kernel_with({{"float *", "x", 8}}), given);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, "1");
  EXPECT_EQ(launch->arguments, given.arguments);
}

TEST(LaunchGuess, an_unknown_type_is_an_error_that_says_what_to_do) {
  const auto launch = complete_launch(kernel_with({{"float **", "p", 8}}), nothing());
  ASSERT_FALSE(launch);
  EXPECT_EQ(launch.error().kind, ErrorKind::Usage);
  EXPECT_THAT(launch.error().message, HasSubstr("parameter 'p' has the type float **"));
}

ListedKernel named(const std::string& name, ListedKernel kernel) {
  kernel.name = kernel.entry = name;
  return kernel;
}

TEST(LaunchGuess, without_a_name_the_first_kernel_that_can_be_guessed_is_meant) {
  const std::vector<ListedKernel> kernels{named("table", kernel_with({{"float **", "p", 8}})),
                                          named("scale", kernel_with({{"float *", "x", 8}}))};
  const auto guess = guess_launch(kernels, nothing());
  ASSERT_TRUE(guess);
  EXPECT_EQ(guess->kernel, &kernels[1]);
  EXPECT_EQ(guess->text.kernel, "scale");
  EXPECT_FALSE(guess->problem);
}

TEST(LaunchGuess, without_a_name_a_kernel_takes_as_many_arguments_as_are_given) {
  const std::vector<ListedKernel> kernels{named("one", kernel_with({{"float *", "x", 8}})),
                                          named("two", kernel_with({{"float *", "x", 8}, {"int", "n", 4}}))};
  LaunchText given = nothing();
  given.arguments = {"f32[8]:iota", "i32:8"};
  EXPECT_EQ(guess_launch(kernels, given)->kernel, &kernels[1]);
  given.arguments.resize(3);
  EXPECT_FALSE(guess_launch(kernels, given));
  given.kernel = "missing";
  EXPECT_FALSE(guess_launch(kernels, given));
}

TEST(LaunchGuess, an_argument_that_cannot_be_guessed_is_empty_and_the_others_are_the_host_codes) {
  ListedKernel kernel = kernel_with({{"float **", "p", 8}, {"float *", "x", 8}, {"int", "n", 4}});
  compile::HostLaunch by_host;
  by_host.grid_value = Dim3{2, 1, 1};
  by_host.block_value = Dim3{32, 1, 1};
  by_host.values = {{.number = {}, .buffer = "d", .buffer_bytes = 4},
                    {.number = {}, .buffer = "d", .buffer_bytes = 80},
                    {.number = 20}};
  kernel.launches = {by_host};
  const std::vector<ListedKernel> kernels{named("f", kernel)};
  const auto guess = guess_launch(kernels, nothing());
  ASSERT_TRUE(guess && guess->problem);
  EXPECT_THAT(guess->problem->message, HasSubstr("parameter 'p'"));
  EXPECT_EQ(guess->text.grid, "2");
  EXPECT_THAT(guess->text.arguments, ElementsAre("", "x=f32[20]:zeros", "n=i32:20"));
}

TEST(LaunchGuess, a_block_is_a_whole_launch_of_a_kernel_without_parameters) {
  LaunchText given = nothing();
  given.block = "32";
  const auto launch = complete_launch(kernel_with({}), given);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->grid, "1");
  EXPECT_FALSE(launch->guess.is_any());
}

}  // namespace
}  // namespace lanescope::pipeline
