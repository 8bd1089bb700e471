#include "compile/content_key.h"

#include <gtest/gtest.h>

namespace lanescope::compile {
namespace {

const Source kSource{"a.cu", "__global__ void f() {}", {{"tile.h", "#define TILE 32"}}};

std::string key(const Source& source, std::vector<std::string> defines) {
  Options options;
  options.defines = std::move(defines);
  return content_key(source, options, "");
}

TEST(ContentKey, equal_content_has_an_equal_key) {
  EXPECT_EQ(key(kSource, {"A=1"}), key(Source(kSource), {"A=1"}));
  EXPECT_EQ(key(kSource, {}).size(), 32u);
}

TEST(ContentKey, every_part_counts) {
  const std::string before = key(kSource, {"A=1", "B=2"});
  EXPECT_NE(before, key(kSource, {"A=1"}));
  EXPECT_NE(before, key(kSource, {"A=1B=2"}));
  Source header = kSource;
  header.headers[0].text += " ";
  EXPECT_NE(before, key(header, {"A=1", "B=2"}));
  Source name = kSource;
  name.file_name = "b.cu";
  EXPECT_NE(before, key(name, {"A=1", "B=2"}));
  const auto with = [](auto&& change) {
    Options options;
    options.defines = {"A=1", "B=2"};
    change(options);
    return content_key(kSource, options, "");
  };
  EXPECT_EQ(before, with([](Options&) {}));
  EXPECT_NE(before, with([](Options& options) { options.standard = "c++20"; }));
  EXPECT_NE(before, with([](Options& options) { options.more = {"--use_fast_math"}; }));
  EXPECT_NE(before, with([](Options& options) { options.instances = {"scale<3>"}; }));
}

}  // namespace
}  // namespace lanescope::compile
