#include "pipeline/value_maps.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using model::ValueMap;

template <class T>
launch::Contents contents(const std::vector<T>& values) {
  auto bytes = std::make_shared<launch::Bytes>(values.size() * sizeof(T));
  std::memcpy(bytes->data(), values.data(), bytes->size());
  return bytes;
}

pipeline::Run run_with(std::vector<launch::Buffer> buffers, std::vector<launch::Contents> after) {
  auto launch = std::make_shared<launch::Launch>();
  launch->buffers = std::move(buffers);
  pipeline::Run run;
  run.launch = std::move(launch);
  run.buffers = std::move(after);
  return run;
}

TEST(ValueMaps, an_input_is_shown_before_and_an_output_after) {
  const auto in = contents<float>({0, 1, 2, 4}), out = contents<float>({8, -8, 0, 8});
  const pipeline::Run run = run_with({{.name = "in", .shape = {2, 2}, .initial = in},
                                      {.name = "out", .shape = {1, 4}, .initial = in, .has_contents = false},
                                      {.name = "n", .shape = {4}, .initial = in}},
                                     {in, out, in});
  const auto maps = value_maps(run);
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(maps[0].buffer, "in");
  EXPECT_EQ(maps[0].time, ValueMap::Time::Before);
  EXPECT_EQ(maps[0].rows, 2u);
  // 255 steps from 0 to 4, counted from 1.
  EXPECT_EQ(maps[0].level, (std::vector<uint32_t>{1, 65, 129, 256}));
  EXPECT_EQ(maps[1].time, ValueMap::Time::After);
  EXPECT_EQ(maps[1].columns, 4u);
  EXPECT_EQ(maps[1].level, (std::vector<uint32_t>{256, 1, 129, 256}));
  EXPECT_EQ(maps[1].lowest, -8);
  EXPECT_EQ(maps[1].highest, 8);
}

TEST(ValueMaps, a_buffer_that_is_changed_in_place_is_shown_twice) {
  const auto before = contents<uint8_t>({0, 255}), after = contents<uint8_t>({100, 255});
  const launch::Buffer buffer{
      .name = "image", .type = launch::ElementType::U8, .shape = {1, 2}, .initial = before};
  EXPECT_EQ(value_maps(run_with({buffer}, {before})).size(), 1u);
  const auto maps = value_maps(run_with({buffer}, {after}));
  ASSERT_EQ(maps.size(), 2u);
  // A pixel keeps its gray, whatever the others are.
  EXPECT_EQ(maps[1].level, (std::vector<uint32_t>{101, 256}));
}

TEST(ValueMaps, what_is_no_number_is_empty_and_equal_numbers_are_white) {
  const auto odd =
      contents<float>({std::numeric_limits<float>::quiet_NaN(), 1, std::numeric_limits<float>::infinity()});
  const auto maps = value_maps(run_with({{.name = "a", .shape = {1, 3}, .initial = odd}}, {odd}));
  EXPECT_EQ(maps.front().level, (std::vector<uint32_t>{0, ValueMap::kLevels, 0}));
}

}  // namespace
}  // namespace lanescope::pipeline
