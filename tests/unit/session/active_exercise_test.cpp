// The exercises of a lesson in the session: listed, started, checked at each save, stopped.

#include "session/exercise_state.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace lanescope::session {
namespace {

using pipeline::Check;
using testing::HasSubstr;
using Use = SubmissionFile::Use;

constexpr const char* kEndless =
    "extern \"C\" __global__ void transpose(const float* in, float* out, int width, int height) {\n"
    "  volatile unsigned k = 1;\n  while (k != 0) k = k * 5 + 2;\n  out[0] = in[0];\n}\n";

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class ExerciseSession : public testing::Test {
 protected:
  ExerciseSession() { after(OpenLesson{"transpose"}); }

  static pipeline::Options options(const std::filesystem::path& submissions) {
    pipeline::Options options = tests::project_options(1);
    options.submissions = submissions;
    return options;
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_idle();
    return session_.latest();
  }
  ExerciseState state() const { return *session_.latest()->exercise; }
  /// A file of the exercise that is chosen: its starter or its solution.
  std::string provided(const char* name) const { return text_of(state().chosen->exercise.folder / name); }
  void save(const std::string& text) const { std::ofstream(state().file.path) << text; }
  /// The status of the check of this name; one that is not there has no status to be mistaken for.
  Check named(const std::string& name) const {
    for (const Check& check : state().checks)
      if (check.name == name) return check;
    ADD_FAILURE() << "there is no check " << name;
    return {};
  }
  /// Waits until the state is so, for at most a minute.
  template <class F>
  bool comes_to(F&& is_so) const {
    for (int n = 0; n < 1200 && !is_so(state()); ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return is_so(state());
  }
  static bool is_solved(const ExerciseState& state) {
    return !state.checks.empty() && pipeline::has_passed(state.checks);
  }
  /// Posts `other` once a check is under way, and waits for everything.
  void interrupt_check(const Command& other) {
    bool posted = false;
    session_.on_change([&] {
      if (posted || !session_.latest()->exercise || !session_.latest()->exercise->checking) return;
      posted = true;
      session_.post(other);
    });
    after(StartExercise{});
    session_.on_change({});
    EXPECT_TRUE(posted);
  }

  const tests::TemporaryFolder folder_{"exercise"};
  Session session_{options(folder_.path())};
};

TEST_F(ExerciseSession, a_lesson_lists_its_exercises_and_chooses_the_first) {
  const ExerciseState first = state();
  ASSERT_EQ(first.listed.size(), 3u);
  EXPECT_EQ(first.listed[0]->name, "tiled");
  EXPECT_EQ(first.chosen, first.listed[0]);
  EXPECT_EQ(first.chosen->english.hints.size(), first.chosen->french.hints.size());
  EXPECT_GE(first.chosen->english.hints.size(), 2u);
  EXPECT_FALSE(first.chosen->english.task.empty());
  EXPECT_FALSE(first.chosen->english.explanation.empty());
  EXPECT_EQ(first.chosen->solution, provided(lesson::kSolutionFile));
  EXPECT_EQ(first.file.path, folder_ / "transpose-tiled.cu");
  EXPECT_EQ(first.file.use, Use::None);
  EXPECT_TRUE(first.checks.empty());
}

TEST_F(ExerciseSession, a_lesson_without_exercises_has_none_to_choose) {
  after(OpenLesson{"partitions"});
  EXPECT_TRUE(state().listed.empty());
  EXPECT_EQ(state().chosen, nullptr);
  after(StartExercise{});
  EXPECT_EQ(state().file.use, Use::None);
}

TEST_F(ExerciseSession, the_starter_is_written_and_checked) {
  after(StartExercise{});
  EXPECT_EQ(state().file.use, Use::Checked);
  EXPECT_EQ(text_of(folder_ / "transpose-tiled.cu"), provided(lesson::kStarterFile));
  EXPECT_EQ(named("output").status, Check::Status::Passed);
  EXPECT_EQ(named("coalesced").status, Check::Status::Failed);
  EXPECT_THAT(named("coalesced").sentence, HasSubstr("line 9: the store takes 32 sectors"));
  EXPECT_FALSE(state().checking);
  EXPECT_FALSE(state().error);
}

TEST_F(ExerciseSession, a_file_that_exists_is_used_as_it_is) {
  save(provided(lesson::kSolutionFile));
  after(OpenExercise{"tiled"});
  EXPECT_EQ(state().file.use, Use::Found);
  after(StartExercise{});
  EXPECT_EQ(text_of(folder_ / "transpose-tiled.cu"), provided(lesson::kSolutionFile));
  EXPECT_TRUE(is_solved(state()));
}

TEST_F(ExerciseSession, a_save_is_checked_while_it_is_in_sight) {
  after(StartExercise{});
  after(WatchSubmission{true});
  ASSERT_FALSE(is_solved(state()));
  save(provided(lesson::kSolutionFile));
  EXPECT_TRUE(comes_to(is_solved));
  save("no kernel\n");
  EXPECT_TRUE(comes_to([](const ExerciseState& state) { return !is_solved(state); }));
  EXPECT_EQ(named("compile").status, Check::Status::Failed);
}

TEST_F(ExerciseSession, a_save_out_of_sight_is_noticed_once_it_comes_into_sight) {
  after(StartExercise{});
  save(provided(lesson::kSolutionFile));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_FALSE(is_solved(state()));
  after(WatchSubmission{true});
  EXPECT_TRUE(comes_to(is_solved));
}

TEST_F(ExerciseSession, nothing_is_published_while_no_file_changes) {
  after(StartExercise{});
  after(WatchSubmission{true});
  session_.wait_until_modelled();
  const uint64_t generation = session_.latest()->generation;
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_EQ(session_.latest()->generation, generation);
}

TEST_F(ExerciseSession, a_file_that_is_gone_is_an_error_and_the_starter_can_be_written_again) {
  after(StartExercise{});
  const size_t checks = state().checks.size();
  std::filesystem::remove(state().file.path);
  after(CheckSubmission{});
  ASSERT_TRUE(state().error);
  EXPECT_THAT(state().error->message, HasSubstr("the file is gone"));
  EXPECT_EQ(state().checks.size(), checks);
  EXPECT_FALSE(session_.latest()->error);  // the run is not to blame
  after(StartExercise{});
  EXPECT_FALSE(state().error);
  EXPECT_EQ(text_of(state().file.path), provided(lesson::kStarterFile));
}

TEST_F(ExerciseSession, a_pipe_in_place_of_the_file_is_not_waited_for) {
  ASSERT_EQ(mkfifo(state().file.path.c_str(), 0600), 0);
  after(StartExercise{});
  ASSERT_TRUE(state().error);
  EXPECT_THAT(state().error->message, HasSubstr("no ordinary file"));
}

TEST_F(ExerciseSession, a_kernel_that_does_not_end_fails_and_the_session_goes_on) {
  save(kEndless);
  after(StartExercise{});
  EXPECT_EQ(named("output").status, Check::Status::Failed);
  EXPECT_THAT(named("output").sentence, HasSubstr("does not end"));
  save(provided(lesson::kSolutionFile));
  after(CheckSubmission{});
  EXPECT_TRUE(is_solved(state()));
}

TEST_F(ExerciseSession, the_checks_speak_the_language_of_the_window) {
  after(StartExercise{});
  after(SetLanguage{Language::French});
  EXPECT_THAT(named("coalesced").sentence, HasSubstr("l’écriture prend 32 secteurs par requête"));
  after(SetLanguage{Language::English});
  EXPECT_THAT(named("coalesced").sentence, HasSubstr("the store takes 32 sectors per request"));
}

TEST_F(ExerciseSession, a_check_can_be_stopped) {
  save(kEndless);
  interrupt_check(StopChecking{});
  EXPECT_FALSE(state().checking);
  EXPECT_TRUE(state().checks.empty());
  EXPECT_FALSE(state().error);
}

TEST_F(ExerciseSession, a_toggle_interrupts_a_check_that_then_comes_to_its_end) {
  save(kEndless);
  interrupt_check(SetToggle{"size", "256"});
  EXPECT_EQ(session_.latest()->choices.settings.values.at("size"), "256");
  EXPECT_EQ(session_.latest()->run->launch->grid.x, 8u);
  EXPECT_THAT(named("output").sentence, HasSubstr("does not end"));
}

TEST_F(ExerciseSession, an_exercise_that_is_chosen_again_goes_on_with_its_file) {
  after(StartExercise{});
  after(OpenExercise{"conflict_free"});
  EXPECT_EQ(state().file.use, Use::None);
  EXPECT_TRUE(state().checks.empty());
  save(provided(lesson::kSolutionFile));  // of the other
  after(OpenExercise{"tiled"});
  EXPECT_EQ(state().file.use, Use::Checked);
  EXPECT_FALSE(state().checks.empty());
  EXPECT_TRUE(after(OpenExercise{"frobnicate"})->error);
  EXPECT_EQ(state().chosen->name, "tiled");
}

TEST_F(ExerciseSession, an_exercise_that_cannot_be_read_is_listed_with_its_error) {
  const auto lesson = folder_ / "mine";
  std::filesystem::copy(tests::kProject / "assets/lessons/races", lesson,
                        std::filesystem::copy_options::recursive);
  std::ofstream(lesson / "exercises/missing_barrier/exercise.toml") << "order = 1\ntitle = ";
  const auto now = after(OpenLesson{lesson.string()});
  ASSERT_NE(now->choices.lesson, nullptr);
  EXPECT_EQ(now->choices.lesson->folder, lesson);
  const auto listed = state().listed;
  EXPECT_TRUE(
      std::ranges::any_of(listed, [](const auto& exercise) { return exercise->name == "missing_barrier"; }));
  after(OpenExercise{"missing_barrier"});
  ASSERT_TRUE(state().chosen->error);
  EXPECT_EQ(state().chosen->title.in(Language::French), "missing_barrier");
  after(StartExercise{});
  EXPECT_EQ(state().file.use, Use::None);
}

TEST(ExerciseSessionElsewhere, a_folder_that_takes_no_files_is_an_error) {
  const tests::TemporaryFolder folder("exercise");
  pipeline::Options options = tests::project_options(1);
  options.submissions = folder / "none";
  Session session(options);
  session.post(OpenLesson{"transpose"});
  session.post(StartExercise{});
  session.wait_until_idle();
  const auto now = session.latest();
  ASSERT_TRUE(now->exercise->error);
  EXPECT_THAT(now->exercise->error->message, HasSubstr("folder of your own"));
  EXPECT_EQ(now->exercise->file.use, Use::None);
}

}  // namespace
}  // namespace lanescope::session
