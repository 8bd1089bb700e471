#include "ptx/module.h"

#include "support/project.h"
#include "support/ptx_text.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

TEST(Module, the_head_is_kept) {
  const Module module = parse_body("").value();
  EXPECT_EQ(module.version_major, 9);
  EXPECT_EQ(module.version_minor, 0);
  EXPECT_EQ(module.target, "sm_90");
  EXPECT_EQ(module.file_name, "t.ptx");
}

TEST(Module, text_that_is_not_ptx_is_refused_as_such) {
  EXPECT_EQ(describe(parse("", "t.ptx").error()),
            "t.ptx:1: .version, with which every PTX file starts, was expected, but the text ends here");
  EXPECT_THAT(
      describe(parse("__global__ void f() {}", "t.cu").error()),
      HasSubstr("t.cu:1: .version, with which every PTX file starts, was expected, '__global__' was found"));
  EXPECT_THAT(describe(parse("\x7f"
                             "ELF",
                             "t.cubin")
                           .error()),
              HasSubstr("is this a PTX file?"));
}

TEST(Module, a_strange_head_is_refused) {
  for (const char* text :
       {".version", ".version 9", ".version x", ".version 9.x", ".version 9.0", ".version 9.0 .target",
        ".version 9.0 .target 5", ".version 99999999999.0 .target sm_90",
        ".version 9.0 .target sm_90 .address_size", ".version 9.0 .target sm_90 .address_size 32",
        ".version 9.0 .target sm_13, map_f64_to_f32", ".target sm_90 .version 9.0"}) {
    EXPECT_FALSE(parse(text, "t.ptx")) << text;
  }
}

TEST(Module, a_kernel_is_found_by_name_or_the_error_lists_them) {
  const Module module = parse_body("").value();
  EXPECT_EQ(module.functions[find_kernel(module, "k").value()].name, "k");
  const auto missing = find_kernel(module, "transpose");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::Usage);
  EXPECT_EQ(missing.error().message, "there is no kernel 'transpose' here; there is k");
  EXPECT_FALSE(find_kernel(module, "helper")) << "a .func is no kernel";
}

TEST(Module, a_long_line_is_cut_in_messages) {
  const std::string body = "frobnicate " + std::string(100000, 'x') + ";";
  EXPECT_LT(complaint(body).size(), 400u);
}

TEST(Module, all_kept_ptx_of_the_lessons_parses) {
  size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(tests::source_dir() / "assets/ptx")) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto module = parse(text, entry.path().filename().string());
    ASSERT_TRUE(module) << describe(module.error());
    EXPECT_FALSE(kernels_of(*module).empty()) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 0u);
}

}  // namespace
}  // namespace lanescope::ptx
