// The initial contents of buffers, and errors for wrong keywords, values, sizes and files.

#include "launch/contents.h"

#include "support/temporary_folder.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
std::vector<T> contents(ElementType type, uint64_t count, std::string_view init) {
  const auto made = make_contents(type, {count}, init);
  EXPECT_TRUE(made.has_value()) << init << ": " << made.error().message;
  std::vector<T> values(count);
  if (!made) return values;
  EXPECT_EQ((*made)->size(), count * sizeof(T));
  std::memcpy(values.data(), (*made)->data(), count * sizeof(T));
  return values;
}

Error refusal(ElementType type, uint64_t count, std::string_view init) {
  const auto made = make_contents(type, {count}, init);
  EXPECT_FALSE(made.has_value()) << init;
  return made ? Error{} : made.error();
}

/// A file of the given bytes, deleted at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes) : folder_("contents") {
    std::ofstream(folder_ / "bytes", std::ios::binary) << bytes;
  }
  std::string init() const { return "file(" + (folder_ / "bytes").string() + ")"; }

 private:
  tests::TemporaryFolder folder_;
};

TEST(Contents, zeros) { EXPECT_THAT(contents<uint64_t>(ElementType::U64, 2, "zeros"), ElementsAre(0, 0)); }

TEST(Contents, iota_counts_from_zero_in_every_kind_of_type) {
  EXPECT_THAT(contents<float>(ElementType::F32, 3, "iota"), ElementsAre(0.0f, 1.0f, 2.0f));
  EXPECT_THAT(contents<double>(ElementType::F64, 3, "iota"), ElementsAre(0.0, 1.0, 2.0));
  EXPECT_THAT(contents<int16_t>(ElementType::I16, 3, "iota"), ElementsAre(0, 1, 2));
  EXPECT_THAT(contents<uint16_t>(ElementType::F16, 3, "iota"), ElementsAre(0, 0x3c00, 0x4000));
  EXPECT_THAT(contents<uint16_t>(ElementType::BF16, 3, "iota"), ElementsAre(0, 0x3f80, 0x4000));
  const auto made = make_contents(ElementType::Bytes16, {2}, "iota");
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((**made)[16], std::byte{1});
  EXPECT_EQ((*made)->size(), 32u);
}

TEST(Contents, iota_of_a_byte_wraps) {
  const auto values = contents<uint8_t>(ElementType::U8, 258, "iota");
  EXPECT_EQ(values[255], 255);
  EXPECT_EQ(values[257], 1);
}

TEST(Contents, fill_repeats_the_value) {
  EXPECT_THAT(contents<float>(ElementType::F32, 2, "fill(-0.5)"), ElementsAre(-0.5f, -0.5f));
  EXPECT_THAT(contents<int8_t>(ElementType::I8, 3, "fill(-7)"), ElementsAre(-7, -7, -7));
}

// Reference outputs of SplitMix64 with seed 1234567, as published with the algorithm.
TEST(Contents, random_is_split_mix_64) {
  EXPECT_THAT(contents<uint64_t>(ElementType::U64, 3, "random(1234567)"),
              ElementsAre(6457827717110365317u, 3203168211198807973u, 9817491932198370423u));
}

TEST(Contents, random_integers_are_the_upper_bits) {
  EXPECT_THAT(contents<uint32_t>(ElementType::U32, 1, "random(1234567)"),
              ElementsAre(6457827717110365317u >> 32));
  EXPECT_THAT(contents<uint8_t>(ElementType::U8, 1, "random(1234567)"),
              ElementsAre(6457827717110365317u >> 56));
}

TEST(Contents, random_fractions_lie_in_zero_to_one_and_spread) {
  const auto values = contents<float>(ElementType::F32, 10000, "random(3)");
  double sum = 0;
  for (const float value : values) {
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Contents, random_of_another_seed_differs) {
  EXPECT_NE(contents<double>(ElementType::F64, 4, "random(1)"),
            contents<double>(ElementType::F64, 4, "random(2)"));
  EXPECT_EQ(contents<double>(ElementType::F64, 4, "random(1)"),
            contents<double>(ElementType::F64, 4, "random(1)"));
}

TEST(Contents, a_file_is_taken_byte_for_byte) {
  const TemporaryFile file("abcdefgh");
  EXPECT_THAT(contents<char>(ElementType::U8, 8, file.init()),
              ElementsAre('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
}

TEST(Contents, a_file_of_another_size_is_refused_with_both_sizes) {
  const TemporaryFile file("abcdefg");
  const Error error = refusal(ElementType::F32, 2, file.init());
  EXPECT_EQ(error.kind, ErrorKind::File);
  EXPECT_THAT(error.message, HasSubstr("the buffer has 8 bytes and the file 7"));
}

TEST(Contents, a_missing_file_a_folder_and_a_device_are_refused) {
  EXPECT_EQ(refusal(ElementType::U8, 1, "file(/no/such/file)").kind, ErrorKind::File);
  EXPECT_EQ(refusal(ElementType::U8, 1, "file(/)").kind, ErrorKind::File);
  EXPECT_EQ(refusal(ElementType::U8, 1, "file(/dev/zero)").kind, ErrorKind::File);
  EXPECT_EQ(refusal(ElementType::U8, 1, "file()").kind, ErrorKind::File);
}

TEST(Contents, an_unknown_word_lists_the_known_ones) {
  for (const auto* init : {"", "ones", "fill", "fill(", "fill)", "random", "zeros ", "iota()"}) {
    EXPECT_THAT(refusal(ElementType::F32, 1, init).message,
                HasSubstr("zeros, iota, fill(V), random(SEED), file(PATH), text(WORDS) or none"))
        << init;
  }
}

TEST(Contents, a_wrong_value_or_seed_is_refused) {
  EXPECT_THAT(refusal(ElementType::U8, 1, "fill(300)").message, HasSubstr("u8 holds 0 to 255"));
  EXPECT_THAT(refusal(ElementType::U8, 1, "fill()").message, HasSubstr("a whole number was expected"));
  EXPECT_THAT(refusal(ElementType::U8, 1, "random(-1)").message, HasSubstr("the seed of random(SEED)"));
}

TEST(Contents, a_buffer_above_the_limit_is_refused_before_allocation) {
  EXPECT_EQ(refusal(ElementType::F64, (uint64_t{1} << 30) + 1, "zeros").kind, ErrorKind::Limit);
  EXPECT_EQ(refusal(ElementType::F64, UINT64_MAX, "zeros").kind, ErrorKind::Limit);
}

}  // namespace
}  // namespace lanescope::launch
