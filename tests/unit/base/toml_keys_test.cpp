#include "base/toml_keys.h"

#include <string>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

std::string key(int parts, const std::string& part = "a") {
  std::string text = part;
  for (int n = 1; n < parts; ++n) text += "." + part;
  return text;
}

TEST(TomlKeys, of_few_parts_are_taken) {
  for (const std::string& text :
       {std::string(), std::string("[a.b]\nc.d = 1.5\n"), "[" + key(kMostKeyParts) + "]\n",
        "x = [" + key(40) + ", " + key(40) + "]\n", "# " + std::string(1000, '.') + "\n"})
    EXPECT_TRUE(refuse_long_keys(text, "x.toml")) << text;
}

TEST(TomlKeys, of_many_parts_are_refused_with_their_line) {
  for (const std::string& text :
       {"y = 1\n[[" + key(kMostKeyParts + 1) + "]]\n", "\nx = { " + key(100'000) + " = 1 }",
        "\n" + key(70, "\"a b\"") + " = 1", "\n" + key(70, " a ") + " = 1"}) {
    const auto refused = refuse_long_keys(text, "x.toml");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where->line, 2);
    EXPECT_EQ(refused.error().where->file, "x.toml");
  }
}

}  // namespace
}  // namespace lanescope
