// `lanescope screenshot`, which a program built without its window does not have.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Screenshot, an_unknown_theme_or_language_is_a_usage_error) {
  const tests::TemporaryFolder folder("screenshot");
  for (const char* option : {"--theme", "--language"}) {
    const tests::Finished done =
        tests::run_program({"screenshot", "-o", (folder / "a.png").string(), option, "frobnicate"});
    EXPECT_EQ(done.status, 2) << option;
    EXPECT_NE(done.error.find(option), std::string::npos) << done.error;
  }
}

/// A kernel that waits for no compiler: PTX of the person's own.
constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry fill(.param .u64 out) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r1;
  ret;
}
)";

TEST(Screenshot, a_launch_file_is_drawn_and_a_launch_that_it_lacks_is_an_error) {
  const tests::TemporaryFolder folder("screenshot");
  std::ofstream(folder / "fill.ptx") << kPtx;
  std::ofstream(folder / "fill.toml")
      << "file = \"fill.ptx\"\n[[launch]]\nkernel = \"fill\"\nblock = 32\narguments = [\"u32[32]:zeros\"]\n";
  const std::string picture = (folder / "a.png").string();
  const tests::Finished done =
      tests::run_program({"screenshot", (folder / "fill.toml").string(), "-o", picture});
  if (done.error.find("no picture can be drawn") != std::string::npos) GTEST_SKIP() << done.error;
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_GT(std::filesystem::file_size(picture), 10'000u);
  const tests::Finished none =
      tests::run_program({"screenshot", (folder / "fill.toml").string(), "--launch", "2", "-o", picture});
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.error.find("there are 1 launches"), std::string::npos) << none.error;
}

}  // namespace
}  // namespace lanescope
