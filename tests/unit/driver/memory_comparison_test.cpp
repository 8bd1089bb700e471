// Addresses of a GPU in the emulator's memory, and what is said of memory that differs.

#include "driver/server/memory_comparison.h"

#include "driver/server/argument_types.h"

#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

using launch::ElementType;
using testing::ElementsAre;
using testing::IsEmpty;

template <class T, size_t N>
std::span<const std::byte> bytes(const std::array<T, N>& values) {
  return std::as_bytes(std::span(values));
}

launch::Buffer buffer(ElementType type, std::vector<uint64_t> shape) {
  return {.name = "out", .type = type, .shape = std::move(shape), .initial = {}};
}

TEST(Relocation, moves_addresses_within_allocations_and_right_behind_them) {
  std::array<uint64_t, 7> words{0x1000, 0x10ff, 0x1100, 0x1101, 0xfff, 0x2000, 0};
  const std::vector<Relocation> moved{{.from = 0x2000, .to = 0x9000, .size_bytes = 8},
                                      {.from = 0x1000, .to = 0x5000, .size_bytes = 0x100}};
  relocate(std::as_writable_bytes(std::span(words)), moved);
  EXPECT_THAT(words, ElementsAre(0x5000, 0x50ff, 0x5100, 0x1101, 0xfff, 0x9000, 0));
}

TEST(Relocation, where_allocations_touch_an_address_is_the_later_one_s) {
  std::array<uint64_t, 1> word{0x1100};
  relocate(std::as_writable_bytes(std::span(word)), {{.from = 0x1000, .to = 0x5000, .size_bytes = 0x100},
                                                     {.from = 0x1100, .to = 0x9000, .size_bytes = 4}});
  EXPECT_EQ(word[0], 0x9000u);
}

TEST(MemoryComparison, equal_memory_is_counted) {
  const std::array<float, 4> values{1, 2, 3, 4};
  MemoryComparison comparison;
  compare(comparison, buffer(ElementType::F32, {4}), bytes(values), bytes(values));
  EXPECT_THAT(comparison.differences, IsEmpty());
  EXPECT_THAT(sentences_of(comparison),
              ElementsAre("memory after it is equal to the GPU's (1 buffer, 16 bytes)"));
  EXPECT_TRUE(to_json(comparison)["equal"].get<bool>());
}

TEST(MemoryComparison, floats_that_differ_have_their_first_place_and_largest_error) {
  const std::array<float, 6> gpu{1, 2, 3, 4, 8, 6}, emulator{1, 2, 3, 5, 9, 6};
  MemoryComparison comparison;
  compare(comparison, buffer(ElementType::F32, {2, 3}), bytes(gpu), bytes(emulator));
  EXPECT_THAT(
      sentences_of(comparison),
      ElementsAre("2 of 6 elements (f32) differ from the GPU's memory; the first is out[1][0]: 4 on the "
                  "GPU, 5 in the emulator; the largest relative difference is 0.25"));
  const auto json = to_json(comparison);
  EXPECT_FALSE(json["equal"].get<bool>());
  EXPECT_EQ(json["differences"][0]["different"], 2);
  EXPECT_EQ(json["differences"][0]["largest_relative"], 0.25);
}

TEST(MemoryComparison, an_error_without_a_number_is_infinite) {
  const std::array<float, 2> gpu{0, 1}, emulator{1, std::numeric_limits<float>::quiet_NaN()};
  MemoryComparison comparison;
  compare(comparison, buffer(ElementType::F32, {2}), bytes(gpu), bytes(emulator));
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences[0].largest_relative, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(to_json(comparison)["differences"][0].contains("largest_relative"));
}

TEST(MemoryComparison, bytes_of_no_known_type_are_words) {
  const std::array<uint8_t, 8> gpu{0, 0, 0, 0, 1, 0, 0, 0}, emulator{0, 0, 0, 0, 0, 1, 0, 0};
  MemoryComparison comparison;
  compare(comparison, buffer(ElementType::U8, {8}), bytes(gpu), bytes(emulator));
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences[0].element, "out[1]");
  EXPECT_EQ(comparison.differences[0].gpu, "1");
  EXPECT_EQ(comparison.differences[0].emulator, "256");
}

TEST(MemoryComparison, bytes_that_look_like_floats_are_compared_as_such) {
  const std::array<float, 3> gpu{0, -1.5, 8}, emulator{0, -1.5, 6};
  MemoryComparison comparison;
  comparison.causes = {"the kernel has ex2.approx"};
  compare(comparison, buffer(ElementType::U8, {12}), std::as_bytes(std::span(gpu)),
          std::as_bytes(std::span(emulator)));
  EXPECT_THAT(
      sentences_of(comparison),
      ElementsAre("1 of 3 elements (f32, as the bits look) differ from the GPU's memory; the first is "
                  "out[2]: 8 on the GPU, 6 in the emulator; the largest relative difference is 0.25",
                  "the kernel has ex2.approx"));
  EXPECT_EQ(to_json(comparison)["possible_causes"][0], "the kernel has ex2.approx");
}

TEST(ArgumentTypes, are_those_of_the_mangled_name) {
  using Form = ParameterType::Form;
  const auto pointer = [](ElementType type) { return ParameterType{Form::Pointer, type}; };
  const ParameterType number{Form::Value, ElementType::I32};
  EXPECT_THAT(parameter_types("_Z3addPKfPdi"),
              ElementsAre(pointer(ElementType::F32), pointer(ElementType::F64), number));
  EXPECT_THAT(parameter_types("_Z5scaleIiEvPT_S0_"), ElementsAre(pointer(ElementType::I32), number));
  EXPECT_THAT(parameter_types("_Z3runPFvPfE3BoxIiPfEPh"),
              ElementsAre(std::nullopt, std::nullopt, pointer(ElementType::U8)));
  EXPECT_THAT(parameter_types("add"), IsEmpty());
}

}  // namespace
}  // namespace lanescope::driver
