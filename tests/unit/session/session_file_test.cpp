// Saved sessions: what is written is found again; what is not a session is said in one sentence.

#include "session/session_file.h"

#include "compile/compiler.h"
#include "session/lecture_state.h"
#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"
#include "support/two_kernels.h"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class SessionFileTest : public testing::Test {
 protected:
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::filesystem::path save(OpenedSession window = {}) const {
    window.path = folder_ / "it.lanescope";
    const auto text = session_text(*session_.latest(), window);
    EXPECT_TRUE(text) << text.error().message;
    return write("it.lanescope", text.value_or(""));
  }
  /// What is wrong with a file of this text.
  std::string problem(const std::string& text) const {
    const auto read = read_session_file(write("bad.lanescope", text), options_);
    return read ? "nothing" : describe(read.error());
  }

  tests::TemporaryFolder folder_{"session-file"};
  pipeline::Options options_ = tests::project_options(1);
  Session session_{options_};
};

constexpr const char* kHead = "lanescope_session = 1\n[present]\n";

TEST_F(SessionFileTest, a_lesson_with_its_settings_opens_at_the_very_step) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"padding", "2"});
  after(SetDevice{"c1060"});
  after(SetChecks{emulator::Checks::None});
  after(SetScheduling{emulator::Scheduling::Lockstep});
  after(SetLevel{trace::CountLevel::MachineCode});
  const trace::CountLevel level = session_.latest()->choices.level;  // the PTX's without a compiler
  after(SelectBlock{CtaId{33}});
  after(SelectWarp{WarpId{2}});
  after(SelectAccess{.index = 5});
  const auto file = save({.path = {}, .panels = {"source", "banks"}, .enlarged = "banks"});

  after(OpenLesson{session_.latest()->available.lessons.back()});
  const auto now = after(OpenFile{file});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.lesson->name, "transpose");
  EXPECT_EQ(now->choices.settings.values.at("padding"), "2");
  EXPECT_EQ(now->choices.device.name, "c1060");
  EXPECT_EQ(now->choices.checks, emulator::Checks::None);
  EXPECT_EQ(now->choices.scheduling, emulator::Scheduling::Lockstep);
  EXPECT_EQ(now->choices.level, level);
  EXPECT_EQ(now->selection.cta.value, 33u);
  EXPECT_EQ(now->selection.warp.value, 2u);
  EXPECT_EQ(now->selection.access, 5u);
  EXPECT_EQ(now->pinned, nullptr);
  ASSERT_NE(now->session, nullptr);
  EXPECT_THAT(now->session->panels, ElementsAre("source", "banks"));
  EXPECT_EQ(now->session->enlarged, "banks");
  // One step back: what was open before.
  EXPECT_NE(after(Undo{})->choices.lesson->name, "transpose");
}

TEST_F(SessionFileTest, a_comparison_comes_back) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  after(SetToggle{"kernel", "naive"});
  after(SelectAccess{.index = 3});
  const auto file = save();
  after(Unpin{});
  after(SetToggle{"kernel", "copy"});
  const auto now = after(OpenFile{file});
  ASSERT_FALSE(now->error) << describe(*now->error);
  ASSERT_NE(now->pinned, nullptr);
  EXPECT_EQ(now->pinned->run->kernel, "transpose_tiled");
  EXPECT_EQ(now->run->kernel, "transpose_naive");
  EXPECT_EQ(now->selection.access, 3u);
  // A session without a comparison ends the one that there is.
  after(Unpin{});
  const auto alone = save();
  after(Pin{});
  EXPECT_EQ(after(OpenFile{alone})->pinned, nullptr);
}

TEST_F(SessionFileTest, a_lecture_comes_back_at_its_step) {
  after(OpenLecture{"banks"});
  after(ShowLectureStep{3});
  const auto file = save();
  after(CloseLecture{});
  after(OpenLesson{"warp"});
  const auto now = after(OpenFile{file});
  ASSERT_NE(now->lecture, nullptr);
  EXPECT_EQ(now->lecture->lecture->name, "banks");
  EXPECT_EQ(now->lecture->step, 3u);
  EXPECT_EQ(now->choices.lesson->name, "banks");
}

TEST_F(SessionFileTest, a_lecture_that_there_is_not_is_said_and_the_rest_is_shown) {
  const auto file = write("lost.lanescope",
                          std::string(kHead) + "lesson = \"banks\"\n[lecture]\nname = \"gone\"\nstep = 2\n");
  const auto now = after(OpenFile{file});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("gone"));
  EXPECT_EQ(now->choices.lesson->name, "banks");
  EXPECT_EQ(now->lecture, nullptr);
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"banks\"\n[lecture]\nstep = 2\n"),
              HasSubstr("one of 'name' and 'file' was expected"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"banks\"\n[lecture]\nname = \"../x\"\n"),
              HasSubstr("one of 'name' and 'file' was expected"));
}

TEST_F(SessionFileTest, the_language_stays_the_person_s_own) {
  after(OpenLesson{"transpose"});
  const auto file = save();
  after(SetLanguage{Language::French});
  EXPECT_EQ(after(OpenFile{file})->choices.language, Language::French);
}

TEST_F(SessionFileTest, a_file_beside_it_is_named_relative_and_keeps_its_launch) {
  if (!compile::find_compiler(options_.fetched)) GTEST_SKIP() << "there is no NVRTC";
  after(OpenFile{write("two.cu", tests::kTwoKernels)});
  pipeline::LaunchFile launches = session_.latest()->choices.file->launches;
  launches.launches.front().grid = "7";
  after(SetLaunches{launches});
  const auto saved = save();
  std::ifstream in(saved);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(text, Not(HasSubstr(folder_.path().string()))) << text;
  // The folder as a whole may move.
  const std::filesystem::path moved = folder_ / "moved";
  std::filesystem::create_directory(moved);
  std::filesystem::rename(folder_ / "two.cu", moved / "two.cu");
  std::filesystem::rename(saved, moved / "it.lanescope");
  after(OpenLesson{"transpose"});
  const auto now = after(OpenFile{moved / "it.lanescope"});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.file->path, moved / "two.cu");
  EXPECT_EQ(now->run->trace->grid.x, 7u);
}

TEST_F(SessionFileTest, what_is_wrong_is_one_sentence_and_nothing_changes) {
  EXPECT_THAT(problem(""), HasSubstr("no saved session"));
  EXPECT_THAT(problem("lanescope_session = 7"), HasSubstr("format 1 was expected, this is format 7"));
  EXPECT_THAT(problem("lanescope_session = \"1\""), HasSubstr("no saved session"));
  EXPECT_THAT(problem("lanescope_session = 1"), HasSubstr("[present]"));
  EXPECT_THAT(problem("lanescope_session = 1\npresent = 4"), HasSubstr("present"));
  EXPECT_THAT(problem(kHead), HasSubstr("'lesson', 'file' and 'exercise'"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = 4"), HasSubstr("lesson"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"nowhere\""), HasSubstr("nowhere"));
  EXPECT_THAT(problem(std::string(kHead) + "file = \"nowhere.cu\""), HasSubstr("no such file"));
  EXPECT_THAT(problem(std::string(kHead) + "file = \"nowhere.lane\""), HasSubstr("no such file"));
  EXPECT_THAT(problem(std::string(kHead) + "exercise = \"no/where\""), HasSubstr("no/where"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\ndevice = \"abacus\""),
              HasSubstr("abacus"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\ntoggles = { padding = \"many\" }"),
              HasSubstr("many"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\nproducer = \"abacus\""),
              HasSubstr("abacus"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\nblock = -1"), HasSubstr("block"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\naccess = 4294967296"),
              HasSubstr("access"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\nblok = 1"), HasSubstr("blok"));
  EXPECT_THAT(problem(std::string(kHead) + "lesson = \"transpose\"\n[window]\npanels = [1]"),
              HasSubstr("panels"));
  EXPECT_THAT(describe(read_session_file(folder_ / "missing.lanescope", options_).error()),
              HasSubstr("missing.lanescope"));
  const auto before = after(OpenLesson{"transpose"});
  const auto now = after(OpenFile{write("bad.lanescope", "lanescope_session = 1")});
  EXPECT_TRUE(now->error);
  EXPECT_EQ(now->run, before->run);
}

TEST_F(SessionFileTest, a_place_beyond_the_end_is_the_last_one) {
  const auto now = after(
      OpenFile{write("far.lanescope", std::string(kHead) + "lesson = \"transpose\"\nblock = 4294967295\n"
                                                           "warp = 4294967295\naccess = 4294967295")});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->selection.cta.value, 32u * 32 - 1);
  EXPECT_EQ(now->selection.access, 15u);
}

TEST_F(SessionFileTest, an_unpinnable_a_is_said_and_b_is_shown) {
  if (!compile::find_compiler(options_.fetched)) GTEST_SKIP() << "there is no NVRTC";
  write("broken.cu", "__global__ void broken(int* p) { p[0] = nonsense; }");
  const auto now = after(OpenFile{write(
      "it.lanescope", std::string(kHead) + "lesson = \"transpose\"\n[pinned]\nfile = \"broken.cu\"\n")});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("nothing to compare"));
  EXPECT_EQ(now->pinned, nullptr);
  EXPECT_EQ(now->run->kernel, "transpose_tiled");
}

/// Damaged files: cut at each place, and with bytes replaced. Each is read or refused with a sentence.
TEST_F(SessionFileTest, damaged_files_are_refused_or_read) {
  after(OpenLesson{"transpose"});
  after(Pin{});
  after(SetToggle{"padding", "1"});
  save();
  std::ifstream in(folder_ / "it.lanescope");
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto try_it = [&](const std::string& text) {
    const auto read = read_session_file(write("bad.lanescope", text), options_);
    EXPECT_TRUE(read ? read->choices.present != nullptr : !read.error().message.empty());
  };
  for (size_t length = 0; length < whole.size(); length += 7) try_it(whole.substr(0, length));
  constexpr unsigned kSeed = 20240611;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    std::string text = whole;
    for (int change = 0; change < 4; ++change) {
      const size_t at = random() % text.size();
      static constexpr std::string_view kPieces[] = {
          "\"", "=",    "[", "]", "{}",     "-9e99", "99999999999999999999",
          "\0", "\xff", "'", "#", "../../", "true"};
      text.replace(at, random() % 4, kPieces[random() % std::size(kPieces)]);
    }
    SCOPED_TRACE(text);
    try_it(text);
  }
}

}  // namespace
}  // namespace lanescope::session
