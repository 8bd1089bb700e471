// `lanescope handout` as a teacher runs it: what it writes, and what it refuses. The page itself is tried in
// a browser by tests/page/handout_test.py.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class HandoutVerb : public testing::Test {
 protected:
  std::string path(const char* name) const { return (folder_ / name).string(); }
  Finished handout(std::vector<std::string> words) const {
    words.insert(words.begin(), "handout");
    return run_program(words);
  }
  /// Its standard error, after exit status 2.
  std::string refusal(std::vector<std::string> words) const {
    const Finished done = handout(std::move(words));
    EXPECT_EQ(done.status, 2) << done.error;
    EXPECT_EQ(std::count(done.error.begin(), done.error.end(), '\n'), 1) << done.error;
    return done.error;
  }

  tests::TemporaryFolder folder_{"handout"};
};

TEST_F(HandoutVerb, writes_a_page_of_still_pictures_of_a_lesson) {
  const Finished done =
      handout({"--lesson", "transpose", "--set", "size=128", "--set", "padding=1", "--against", "padding=0",
               "--device", "h200", "--stills", "-o", path("t.html")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_EQ(done.output, path("t.html") + "\n");
  EXPECT_EQ(done.error, "");
  const std::string html = text_of(path("t.html"));
  EXPECT_THAT(html, HasSubstr("32 wavefronts; ideal 1"));
  EXPECT_THAT(html, HasSubstr("1 wavefront; ideal 1"));
  EXPECT_THAT(html, HasSubstr("Transposée"));
  EXPECT_THAT(html, Not(HasSubstr("http://www.w3.org/1999/xhtml")));
}

TEST_F(HandoutVerb, writes_the_accesses_of_a_file_whose_markup_stays_text) {
  const std::string file = path("k<b>.cu");
  std::ofstream(file) << "// </pre><script>alert(1)</script>\n"
                         "extern \"C\" __global__ void k(float* out) { out[threadIdx.x * 8] = 1; }\n";
  const Finished done =
      handout({file, "--grid", "1", "--block", "32", "--arg", "out=f32[256]:zeros", "-o", path("k.html")});
  EXPECT_EQ(done.status, 0) << done.error;
  const std::string html = text_of(path("k.html"));
  EXPECT_THAT(html, HasSubstr("<h1>k&lt;b&gt;.cu</h1>"));
  EXPECT_THAT(html, HasSubstr("32 sectors; ideal 4"));
  EXPECT_THAT(html, HasSubstr("// &lt;/pre&gt;&lt;script&gt;alert(1)"));
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_TRUE(html.contains("<script type=\"module\"") || done.error.contains("app/page build makes it"))
      << done.error;
}

/// Without the value of a macro that is not given the first one is shown: every lane 8 words from the next.
TEST_F(HandoutVerb, begins_with_the_first_value_of_a_macro) {
  const std::string file = path("k.cu");
  std::ofstream(file) << "extern \"C\" __global__ void k(float* out) { out[threadIdx.x * STRIDE] = 1; }\n";
  const std::vector<std::string> words = {
      file,       "--grid",     "1",  "--block",     "32", "--arg", "out=f32[256]:zeros",
      "--toggle", "STRIDE=8,1", "-o", path("k.html")};
  const Finished done = handout(words);
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(text_of(path("k.html")), HasSubstr("32 sectors; ideal 4"));
  std::vector<std::string> given = words;
  given.insert(given.end(), {"-D", "STRIDE=1"});
  EXPECT_EQ(handout(given).status, 0);
  EXPECT_THAT(text_of(path("k.html")), HasSubstr("4 sectors; ideal 4"));
}

TEST_F(HandoutVerb, reads_a_saved_trace) {
  ASSERT_EQ(
      run_program({"trace", "--lesson", "transpose", "--set", "size=128", "--save", path("t.lane")}).status,
      0);
  const Finished done = handout({path("t.lane"), "-o", path("t.html")});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(text_of(path("t.html")), HasSubstr("32 wavefronts; ideal 1"));
}

/// Padding 1 at the read of a column, and the run without padding as A.
TEST_F(HandoutVerb, shows_what_a_saved_session_shows) {
  std::ofstream(folder_ / "s.lanescope")
      << "lanescope_session = 1\n[present]\nlesson = \"transpose\"\nkernel = \"padded\"\n"
         "toggles = { size = \"128\" }\ndevice = \"h200\"\nblock = 3\nwarp = 2\naccess = 8\n"
         "[pinned]\nlesson = \"transpose\"\nkernel = \"tiled\"\n"
         "toggles = { size = \"128\" }\ndevice = \"h200\"\n";
  const Finished done = handout({path("s.lanescope"), "--stills", "-o", path("s.html")});
  EXPECT_EQ(done.status, 0) << done.error;
  const std::string html = text_of(path("s.html"));
  EXPECT_NE(html.find("block (3, 0) · warp 2 · access 9 of 16"), std::string::npos);
  EXPECT_NE(html.find("1 wavefront; ideal 1"), std::string::npos);
  EXPECT_NE(html.find("32 wavefronts; ideal 1"), std::string::npos);
}

TEST_F(HandoutVerb, refuses_what_it_cannot_make_with_one_sentence) {
  EXPECT_THAT(refusal({"--lesson", "transpose"}), HasSubstr("-o is missing"));
  EXPECT_THAT(refusal({"--lesson", "transpose", "-o", path("t.pdf")}), HasSubstr(".html"));
  EXPECT_THAT(refusal({"--lesson", "none", "-o", path("t.html")}), HasSubstr("none"));
  EXPECT_THAT(refusal({"--lesson", "transpose", "--toggle", "colour", "-o", path("t.html")}),
              HasSubstr("colour"));
  EXPECT_THAT(refusal({"--lesson", "transpose", "--against", "padding", "-o", path("t.html")}),
              HasSubstr("TOGGLE=VALUE"));
  EXPECT_THAT(refusal({"--all", "--lesson", "transpose", "-o", path("d")}), HasSubstr("--lesson"));
  EXPECT_THAT(refusal({"k.cu", "--against", "padding=0", "-o", path("t.html")}), HasSubstr("--lesson NAME"));
  EXPECT_THAT(refusal({"k.cu", "--toggle", "padding", "-o", path("t.html")}), HasSubstr("TILE=16,32"));
  EXPECT_THAT(refusal({"k.ptx", "--toggle", "TILE=16", "-o", path("t.html")}),
              HasSubstr("macro of a CUDA source"));
  EXPECT_THAT(refusal({"--lesson", "transpose", "--set", "size=128", "--warp", "8", "-o", path("t.html")}),
              HasSubstr("8 warps"));
  EXPECT_THAT(refusal({"--lesson", "transpose", "--set", "size=128", "--access", "16", "-o", path("t.html")}),
              HasSubstr("16 accesses"));
  EXPECT_THAT(refusal({"--lesson", "transpose", "--cta", "99,0,0", "-o", path("t.html")}), HasSubstr("99"));
  EXPECT_FALSE(fs::exists(path("t.html")));
}

/// All lessons with an index: minutes where nothing is compiled yet.
TEST(SlowHandout, all_lessons_have_a_page) {
  const tests::TemporaryFolder folder("handouts");
  const Finished done = run_program({"handout", "--all", "--stills", "-o", folder.path().string()});
  EXPECT_EQ(done.status, 0) << done.error;
  const std::string index = text_of(folder / "index.html");
  for (const char* lesson : {"transpose", "banks", "warp", "caches", "races"}) {
    EXPECT_THAT(index, HasSubstr(std::string("href=\"") + lesson + ".html\""));
    EXPECT_GT(fs::file_size(folder / (std::string(lesson) + ".html")), 50'000u);
  }
}

}  // namespace
}  // namespace lanescope
