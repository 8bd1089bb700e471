#include "launch/difference.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Buffer buffer(ElementType type, std::vector<uint64_t> shape) {
  return {.name = "out", .type = type, .shape = std::move(shape), .initial = {}};
}

TEST(Difference, equal_contents_have_none) {
  const auto one = bytes_of<float>({1, 2, 3});
  EXPECT_FALSE(difference_of(buffer(ElementType::F32, {3}), one, one));
}

TEST(Difference, the_first_is_found_and_all_are_counted) {
  const auto found = difference_of(buffer(ElementType::I32, {5}), bytes_of<int>({1, 2, 3, 4, 5}),
                                   bytes_of<int>({1, 2, 9, 4, 9}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 2u);
  EXPECT_EQ(found->count, 2u);
}

TEST(Difference, zeros_of_both_signs_differ_as_their_bits_do) {
  EXPECT_TRUE(
      difference_of(buffer(ElementType::F32, {1}), bytes_of<float>({0.0f}), bytes_of<float>({-0.0f})));
}

TEST(Difference, an_element_is_named_by_its_indices) {
  EXPECT_EQ(element_name(buffer(ElementType::F32, {37}), 17), "out[17]");
  EXPECT_EQ(element_name(buffer(ElementType::F32, {100, 37}), 3 * 37 + 17), "out[3][17]");
  EXPECT_EQ(element_name(buffer(ElementType::F32, {2, 4, 8}), 1 * 32 + 2 * 8 + 5), "out[1][2][5]");
}

TEST(Difference, neighboring_numbers_have_different_texts) {
  EXPECT_EQ(element_value(ElementType::F32, bytes_of<float>({1048575})), "1048575");
  EXPECT_EQ(element_value(ElementType::F32, bytes_of<float>({0.1f})), "0.1");
  EXPECT_EQ(element_value(ElementType::F32, bytes_of<float>({0.1f + 1e-8f})), "0.10000001");
  EXPECT_EQ(element_value(ElementType::U8, bytes_of<uint8_t>({200})), "200");
  EXPECT_EQ(element_value(ElementType::F16, bytes_of<uint16_t>({0x3e00})), "1.5");
}

}  // namespace
}  // namespace lanescope::launch
