// Numbers of the command line: both ends of every type, one beyond, and malformed numbers.

#include "launch/number.h"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

using ::testing::HasSubstr;

template <class T>
T number(ElementType type, std::string_view text) {
  const auto bytes = parse_number(type, text);
  EXPECT_TRUE(bytes.has_value()) << text << ": " << bytes.error().message;
  T value{};
  if (!bytes) return value;
  EXPECT_EQ(bytes->size(), sizeof(T));
  std::memcpy(&value, bytes->data(), sizeof(T));
  return value;
}

std::string refusal(ElementType type, std::string_view text) {
  const auto bytes = parse_number(type, text);
  EXPECT_FALSE(bytes.has_value()) << text;
  if (bytes) return "";
  EXPECT_EQ(bytes.error().kind, ErrorKind::Usage);
  return bytes.error().message;
}

TEST(Number, whole_numbers_at_both_ends_of_their_type) {
  EXPECT_EQ(number<uint8_t>(ElementType::U8, "255"), 255);
  EXPECT_EQ(number<int8_t>(ElementType::I8, "-128"), -128);
  EXPECT_EQ(number<int16_t>(ElementType::I16, "32767"), 32767);
  EXPECT_EQ(number<int32_t>(ElementType::I32, "-2147483648"), INT32_MIN);
  EXPECT_EQ(number<int64_t>(ElementType::I64, "-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(number<uint64_t>(ElementType::U64, "18446744073709551615"), UINT64_MAX);
}

TEST(Number, hexadecimal_after_0x) {
  EXPECT_EQ(number<uint32_t>(ElementType::U32, "0xdeadBEEF"), 0xdeadbeefu);
  EXPECT_EQ(number<int32_t>(ElementType::I32, "-0x10"), -16);
}

TEST(Number, minus_zero_is_zero_for_an_unsigned_type) {
  EXPECT_EQ(number<uint8_t>(ElementType::U8, "-0"), 0);
}

TEST(Number, a_value_out_of_range_reports_the_range_of_the_type) {
  EXPECT_THAT(refusal(ElementType::U8, "256"), HasSubstr("u8 holds 0 to 255"));
  EXPECT_THAT(refusal(ElementType::I8, "-129"), HasSubstr("i8 holds -128 to 127"));
  EXPECT_THAT(refusal(ElementType::U32, "-1"), HasSubstr("u32 holds 0 to 4294967295"));
  EXPECT_THAT(refusal(ElementType::I64, "9223372036854775808"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal(ElementType::U64, "18446744073709551616"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal(ElementType::U64, "99999999999999999999999999"), HasSubstr("does not fit"));
}

TEST(Number, anything_but_a_whole_number_is_refused) {
  for (const auto* text : {"", "-", "0x", "1.5", "1e3", " 1", "1 ", "--1", "1u", "0x-1", "+1"}) {
    EXPECT_THAT(refusal(ElementType::I32, text), HasSubstr("a whole number was expected for i32")) << text;
  }
}

TEST(Number, floating_point) {
  EXPECT_EQ(number<float>(ElementType::F32, "0.1"), 0.1f);
  EXPECT_EQ(number<float>(ElementType::F32, "-3"), -3.0f);
  EXPECT_EQ(number<double>(ElementType::F64, "1e-300"), 1e-300);
  EXPECT_TRUE(std::isnan(number<float>(ElementType::F32, "nan")));
  EXPECT_TRUE(std::isinf(number<double>(ElementType::F64, "-inf")));
}

TEST(Number, floating_point_that_does_not_fit_is_refused) {
  EXPECT_THAT(refusal(ElementType::F32, "1e39"), HasSubstr("too large or too small for f32"));
  EXPECT_THAT(refusal(ElementType::F64, "1e400"), HasSubstr("too large or too small for f64"));
  EXPECT_THAT(refusal(ElementType::F16, "65520"), HasSubstr("too large for f16"));
  EXPECT_THAT(refusal(ElementType::BF16, "1e39"), HasSubstr("too large for bf16"));
  EXPECT_THAT(refusal(ElementType::F32, "0.5f"), HasSubstr("a number was expected for f32"));
}

TEST(Number, sixteen_bit_floating_point) {
  EXPECT_EQ(number<uint16_t>(ElementType::F16, "-1.5"), 0xbe00);
  EXPECT_EQ(number<uint16_t>(ElementType::F16, "inf"), 0x7c00);
  EXPECT_EQ(number<uint16_t>(ElementType::BF16, "-1.5"), 0xbfc0);
}

TEST(Number, an_error_quotes_only_the_start_of_a_long_text) {
  EXPECT_LT(refusal(ElementType::I32, std::string(100000, 'x')).size(), 200u);
}

}  // namespace
}  // namespace lanescope::launch
