// Numba's mangled names and the parameters that they speak of.

#include "driver/server/array_arguments.h"

#include "driver/server/argument_names.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::driver {
namespace {

using launch::ElementType;
using testing::ElementsAre;
using testing::IsEmpty;

class ArrayArguments : public testing::Test {
 protected:
  void add(uint64_t word) {
    offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
    bytes_.resize(bytes_.size() + sizeof word);
    std::memcpy(bytes_.data() + offsets_.back(), &word, sizeof word);
  }
  void add_array(uint64_t address, uint64_t item, const std::vector<uint64_t>& shape) {
    uint64_t count = 1;
    for (const uint64_t extent : shape) count *= extent;
    for (const uint64_t word : {uint64_t{0}, uint64_t{0}, count, item, address}) add(word);
    for (const uint64_t extent : shape) add(extent);
    for (size_t n = 0; n < shape.size(); ++n) add(item);
  }
  std::vector<ArrayArgument> arrays(const std::string& types) const {
    return numba_arrays("_ZN6cudapy8__main__3addB2v1B5c_w51E" + types, bytes_, offsets_);
  }

  std::vector<std::byte> bytes_;
  std::vector<uint32_t> offsets_;
};

TEST_F(ArrayArguments, arrays_and_numbers_in_the_order_of_the_name) {
  add_array(0x10000000000, 4, {3, 5});
  add(42);
  add_array(0x20000000000, 8, {7});
  const auto found = arrays("5ArrayIfLi2E1C7mutable7alignedEx5ArrayIdLi1E1A7mutable7alignedE");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].number, 0u);
  EXPECT_EQ(found[0].address, 0x10000000000u);
  EXPECT_EQ(found[0].type, ElementType::F32);
  EXPECT_THAT(found[0].shape, ElementsAre(3, 5));
  EXPECT_EQ(found[1].number, 2u);
  EXPECT_EQ(found[1].type, ElementType::F64);
  EXPECT_THAT(found[1].shape, ElementsAre(7));
}

TEST_F(ArrayArguments, elements_with_a_type_of_their_own_are_bytes) {
  add_array(0x10000000000, 16, {3});
  const auto found = arrays("5ArrayI10complex128Li1E1C7mutable7alignedE");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].type, ElementType::U8);
  EXPECT_THAT(found[0].shape, ElementsAre(3, 16));
}

TEST_F(ArrayArguments, what_comes_before_something_unknown_counts) {
  add_array(0x10000000000, 4, {3});
  const auto found = arrays("5ArrayIiLi1E1C7mutable7alignedE8UniTupleIxLi2EE");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].type, ElementType::I32);
}

TEST_F(ArrayArguments, other_names_and_too_few_parameters_have_none) {
  add(1);
  EXPECT_THAT(arrays("5ArrayIfLi2E1C7mutable7alignedE"), IsEmpty());
  EXPECT_THAT(arrays("5ArrayIfLi99999999999E1CE"), IsEmpty());
  EXPECT_THAT(arrays("99999Array"), IsEmpty());
  EXPECT_THAT(numba_arrays("_Z3addPKfS0_Pf", bytes_, offsets_), IsEmpty());
  EXPECT_THAT(numba_arrays("_ZN6cudapy", bytes_, offsets_), IsEmpty());
}

TEST(ArgumentNames, are_those_of_the_last_definition) {
  const char* text =
      "@cuda.jit\ndef add(x):\n  pass\n@cuda.jit\ndef add(a, b: int = (1, 2),\n        *, out=None):\n  "
      "pass\n";
  // A default with a comma ends its own name alone.
  EXPECT_THAT(names_in("def add(a, b, out, stride):\n", "add"), ElementsAre("a", "b", "out", "stride"));
  EXPECT_EQ(names_in(text, "add").front(), "a");
  EXPECT_EQ(names_in(text, "add").back(), "out");
  EXPECT_THAT(names_in(text, "ad"), IsEmpty());
  EXPECT_THAT(names_in("def add(a, b", "add"), IsEmpty());
}

TEST(ArgumentNames, of_cuda_are_those_of_the_definition) {
  constexpr std::string_view kText =
      "template <int N> __global__ void scale(const float* x, float* y, int);\n"
      "__global__ void other(float* a) {}\n"
      "template <int N> __global__ void scale(const float* in, float* out, int n) { }\n";
  EXPECT_THAT(cuda_names_in(kText, "a::scale<4>", 3), ElementsAre("in", "out", "n"));
  EXPECT_THAT(cuda_names_in(kText, "scale", 2), IsEmpty());
  EXPECT_THAT(cuda_names_in(kText, "other", 1), ElementsAre("a"));
  EXPECT_THAT(cuda_names_in(kText, "missing", 1), IsEmpty());
}

}  // namespace
}  // namespace lanescope::driver
