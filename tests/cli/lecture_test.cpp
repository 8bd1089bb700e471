// `lanescope lecture`: the list, the script with its numbers, slides and films.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

tests::Finished lecture(std::vector<std::string> words) {
  words.insert(words.begin(), "lecture");
  return tests::run_program(words);
}

TEST(LectureVerb, with_no_name_the_lectures_are_listed) {
  const tests::Finished done = lecture({});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("transpose\tThe diagonal transpose in eight steps (8 steps)\n"));
  for (const char* name : {"warp\t", "banks\t", "mover\t"}) EXPECT_THAT(done.output, HasSubstr(name));
}

/// The numbers of app/docs/lecture.md, in the order of the steps.
TEST(LectureVerb, the_script_has_the_numbers_of_its_runs_in_both_languages) {
  const tests::Finished english = lecture({"transpose", "--text", "english"});
  EXPECT_EQ(english.status, 0) << english.error;
  size_t at = 0;
  for (const char* sentence :
       {"1 / 8  [transpose, kernel naive,", "A store takes 32 transactions, the read above it 2.",
        "the store takes 2\ntransactions", "32 passes: a row of the tile has 32 words and there are 16 banks",
        "shifts the next row by one bank: 2 passes", "Writes keep 1.7 of 8 partitions busy",
        "writes keep 7.94 of 8 partitions busy", "72.3 GB/s for the diagonal order", "it is 22.2 GB/s"}) {
    at = english.output.find(sentence, at);
    ASSERT_NE(at, std::string::npos) << sentence << "\n" << english.output;
  }
  const tests::Finished french = lecture({"mover", "--text", "french"});
  EXPECT_EQ(french.status, 0) << french.error;
  EXPECT_THAT(french.output, HasSubstr("16 lignes : deux lanes partagent chaque ligne de A."));
}

/// Races are what the lecture is about: they are no failure.
TEST(LectureVerb, a_lecture_about_races_is_told_to_its_end) {
  const tests::Finished done = lecture({"banks", "--text", "english"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("9 / 9"));
}

TEST(LectureVerb, steps_become_slides) {
  const tests::TemporaryFolder folder("lecture");
  const tests::Finished done =
      lecture({"transpose", "-o", (folder / "s.png").string(), "--steps", "3-4", "--theme", "dark"});
  EXPECT_EQ(done.status, 0) << done.error;
  // Step 3 asks for a prediction: a slide with the question, and one with the answer.
  for (const char* name : {"s-1.png", "s-2.png", "s-3.png"}) EXPECT_TRUE(fs::exists(folder / name)) << name;
  EXPECT_FALSE(fs::exists(folder / "s-4.png"));
  const tests::Finished pdf =
      lecture({"mover", "-o", (folder / "s.pdf").string(), "--steps", "4", "--language", "fr"});
  EXPECT_EQ(pdf.status, 0) << pdf.error;
  EXPECT_THAT(pdf.output, HasSubstr("s.pdf"));
}

/// The banks of a tile without and with padding: A and B of one step, each with its own caption.
TEST(LectureVerb, a_step_that_compares_has_both_runs_on_its_slide) {
  const tests::TemporaryFolder folder("lecture");
  const tests::Finished done = lecture({"banks", "-o", (folder / "s.png").string(), "--steps", "4"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_TRUE(fs::exists(folder / "s-1.png"));
}

TEST(LectureVerb, steps_become_a_film) {
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
  const tests::TemporaryFolder folder("lecture");
  const fs::path film = folder / "a b.mp4";
  const tests::Finished done = lecture({"transpose", "-o", film.string(), "--steps", "3"});
  ASSERT_EQ(done.status, 0) << done.error;
  // Two slides, each as long as it takes to read: more than a second.
  const std::string command =
      "ffprobe -v error -show_entries stream=codec_name,width,height:format=duration -of csv=p=0 '" +
      film.string() + "' > '" + (folder / "said").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream said(folder / "said");
  std::string stream;
  double seconds = 0;
  std::getline(said, stream);
  said >> seconds;
  EXPECT_THAT(stream, HasSubstr("h264"));
  EXPECT_GT(seconds, 2);
}

TEST(LectureVerb, a_mistake_is_one_sentence) {
  const tests::TemporaryFolder folder("lecture");
  const auto wrong = [&](const std::vector<std::string>& words, int status, const char* sentence) {
    const tests::Finished done = lecture(words);
    EXPECT_EQ(done.status, status) << done.error;
    EXPECT_THAT(done.error, HasSubstr(sentence));
    EXPECT_EQ(std::count(done.error.begin(), done.error.end(), '\n'), 1) << done.error;
  };
  wrong({"transposes"}, 2, "there is no lecture 'transposes'; choose one of");
  wrong({(folder / "missing/lecture.toml").string(), "--text", "english"}, 1, "there is no such file");
  wrong({"transpose", "-o", (folder / "s.gif").string()}, 2, "slides are written as .pdf");
  wrong({"transpose", "-o", "/nowhere/s.pdf"}, 1, "/nowhere");
  wrong({"-o", (folder / "s.pdf").string()}, 2, "the name of the lecture is missing");
  const std::string slides = (folder / "s.pdf").string();
  wrong({"transpose", "-o", slides, "--steps", "9"}, 2, "there is no step 9; the lecture has 8 steps");
  for (const char* steps : {"0", "3-2", "a", "1-", "-1", "1-2-3", "99999999999999999999"})
    wrong({"transpose", "-o", slides, "--steps=" + std::string(steps)}, 2,
          "--steps is a number or FIRST-LAST");
  std::ofstream(folder / "lecture.toml") << "lanescope_lecture = 1\ntitle = \"T\"\n[[steps]]\nlesson = "
                                            "\"transpose\"\nsay = \"{{sheep}}\"\n";
  wrong({(folder / "lecture.toml").string(), "--text", "english"}, 2, "there is no live number 'sheep'");
  EXPECT_FALSE(fs::exists(slides));
}

}  // namespace
}  // namespace lanescope
