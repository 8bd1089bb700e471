#include "ptx/type.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

TEST(Type, every_name_leads_back_to_its_type) {
  for (uint32_t i = 0; i <= static_cast<uint32_t>(Type::f32x2); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(type_named(name_of(type)), type) << name_of(type);
  }
}

TEST(Type, unknown_names_have_no_type) {
  EXPECT_EQ(type_named("f8"), std::nullopt);
  EXPECT_EQ(type_named(""), std::nullopt);
  EXPECT_EQ(type_named(".u32"), std::nullopt);
}

TEST(Type, the_number_in_a_name_is_the_size_in_bits) {
  EXPECT_EQ(size_bytes(Type::b8), 1);
  EXPECT_EQ(size_bytes(Type::bf16), 2);
  EXPECT_EQ(size_bytes(Type::f16x2), 4);
  EXPECT_EQ(size_bytes(Type::s16x2), 4);
  EXPECT_EQ(size_bytes(Type::f32x2), 8);
  EXPECT_EQ(size_bytes(Type::b128), 16);
  EXPECT_EQ(size_bytes(Type::pred), 0);
}

TEST(Type, wide_doubles_integers_only) {
  EXPECT_EQ(widened(Type::s16), Type::s32);
  EXPECT_EQ(widened(Type::u32), Type::u64);
  EXPECT_EQ(widened(Type::s64), Type::s64);
  EXPECT_EQ(widened(Type::f32), Type::f32);
}

TEST(TypeSet, holds_what_was_listed) {
  const TypeSet set = types(Type::u32, Type::f64) | types(Type::pred);
  EXPECT_TRUE(set.contains(Type::pred));
  EXPECT_TRUE(set.contains(Type::f64));
  EXPECT_FALSE(set.contains(Type::f32));
  EXPECT_TRUE(TypeSet().empty());
}

}  // namespace
}  // namespace lanescope::ptx
