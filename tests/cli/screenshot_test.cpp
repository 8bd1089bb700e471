// `lanescope screenshot`, which a program built without its window does not have.

#include "support/program.h"
#include "support/source_program_test.h"
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

TEST(Screenshot, the_level_of_a_gpu_is_a_usage_error) {
  const tests::TemporaryFolder folder("screenshot");
  const tests::Finished done = tests::run_program(
      {"screenshot", "--level", "sass", "--producer", "gpu", "-o", (folder / "a.png").string()});
  EXPECT_EQ(done.status, 2);
  EXPECT_NE(done.error.find("--level is an option of the emulator"), std::string::npos) << done.error;
}

TEST(Screenshot, a_picture_of_another_format_is_a_usage_error) {
  const tests::TemporaryFolder folder("screenshot");
  for (const char* name : {"a.jpg", "a.svg"}) {
    const tests::Finished done = tests::run_program({"screenshot", "-o", (folder / name).string()});
    EXPECT_EQ(done.status, 2) << done.error;
    EXPECT_NE(done.error.find("a picture of the window is a .png"), std::string::npos) << done.error;
    EXPECT_FALSE(std::filesystem::exists(folder / name));
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

class ScreenshotOfProgram : public tests::SourceProgramTest {};

TEST_F(ScreenshotOfProgram, takes_the_options_of_its_compiler) {
  const tests::TemporaryFolder folder("screenshot");
  std::filesystem::create_directory(folder / "headers");
  std::ofstream(folder / "headers/scale.h") << "#define SCALE 2\n";
  std::ofstream(folder / "mine.cu")
      << "#include <scale.h>\n#ifndef SIDE\n#error SIDE is missing\n#endif\n"
         "template <class T> concept Any = true;\n"
         "__global__ void set(int* p) { p[threadIdx.x] = SCALE * SIDE; }\n"
         "int main() { int* p; cudaMalloc(&p, 4 * SIDE); set<<<1, SIDE>>>(p); }\n";
  const std::string file = (folder / "mine.cu").string(), picture = (folder / "mine.png").string();
  for (const bool is_program : {true, false}) {
    std::vector<std::string> words{"screenshot", file,      "-o",     picture,
                                   "--panel",    "source",  "--size", "640x480",
                                   "-D",         "SIDE=64", "-I",     (folder / "headers").string(),
                                   "--std",      "c++20"};
    if (!is_program) words.emplace_back("--kernels-only");
    const tests::Finished done = tests::run_program(words);
    EXPECT_EQ(done.status, 0) << done.error;
    EXPECT_TRUE(std::filesystem::remove(picture));
    words.erase(words.begin() + 8, words.begin() + 10);  // -D
    EXPECT_EQ(tests::run_program(words).status, 1);
  }
}

}  // namespace
}  // namespace lanescope
