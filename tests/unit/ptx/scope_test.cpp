#include "ptx/scope.h"

#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

TEST(Scopes, a_range_declares_its_numbers_and_no_more) {
  Scopes scopes;
  std::vector<Register> registers;
  EXPECT_TRUE(scopes.declare_registers("%r", 10, Type::b32));
  EXPECT_EQ(scopes.find_register("%r9", registers), 0u);
  EXPECT_EQ(scopes.find_register("%r0", registers), 1u);
  EXPECT_EQ(scopes.find_register("%r9", registers), 0u) << "the second mention is the same register";
  EXPECT_EQ(scopes.find_register("%r10", registers), std::nullopt);
  EXPECT_EQ(scopes.find_register("%r01", registers), std::nullopt);
  EXPECT_EQ(scopes.find_register("%r", registers), std::nullopt);
  EXPECT_EQ(scopes.find_register("%r99999999999999999999", registers), std::nullopt);
  EXPECT_EQ(registers.size(), 2u);
}

TEST(Scopes, an_inner_name_hides_the_outer_one_until_the_brace) {
  Scopes scopes;
  std::vector<Register> registers;
  scopes.declare_register("p", Type::b32);
  const auto outer = scopes.find_register("p", registers);
  scopes.open();
  EXPECT_EQ(scopes.find_register("p", registers), outer);
  EXPECT_TRUE(scopes.declare_register("p", Type::pred));
  scopes.close();
  EXPECT_EQ(scopes.find_register("p", registers), outer);
}

TEST(Scopes, equal_names_between_different_braces_are_different_registers) {
  Scopes scopes;
  std::vector<Register> registers;
  scopes.open();
  scopes.declare_register("t", Type::b32);
  const auto first = scopes.find_register("t", registers);
  scopes.close();
  scopes.open();
  scopes.declare_register("t", Type::b64);
  const auto second = scopes.find_register("t", registers);
  EXPECT_NE(first, second);
  EXPECT_EQ(registers[second.value()].type, Type::b64);
}

TEST(Scopes, a_name_is_free_once) {
  Scopes scopes;
  EXPECT_TRUE(scopes.declare_label("L", 0));
  EXPECT_FALSE(scopes.declare_label("L", 1));
  EXPECT_TRUE(scopes.declare_symbol("param0", {}));
  EXPECT_FALSE(scopes.declare_symbol("param0", {}));
}

TEST(Scopes, labels_of_closed_scopes_are_found_from_there_only) {
  Scopes scopes;
  scopes.open();
  const uint32_t inner = scopes.current();
  scopes.declare_label("L", 7);
  scopes.close();
  EXPECT_EQ(scopes.find_label("L", inner), 7u);
  EXPECT_EQ(scopes.find_label("L", scopes.current()), std::nullopt);
}

}  // namespace
}  // namespace lanescope::ptx
