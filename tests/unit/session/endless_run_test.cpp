// Kernels that do not end: they are stopped and asked about, and a cancel ends them at once, whatever was
// shown before.

#include "session/failed_run.h"
#include "session/opened_file.h"
#include "session/session.h"
#include "session/source_texts.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

constexpr const char* kLoop =
    "__global__ void wait(volatile int* flag, float* out) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  while (flag[0] == 0) out[i] += 1;\n"
    "}\n";
constexpr const char* kOnce =
    "__global__ void add(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] += 1; }\n";

class EndlessRun : public testing::Test {
 protected:
  static pipeline::Options options() {
    pipeline::Options options = tests::project_options(1);
    options.asks_above->seconds = 2;
    return options;
  }
  std::filesystem::path write(const char* name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  /// Waits until it is so, at most `seconds`.
  bool comes(double seconds, const std::function<bool(const Snapshot&)>& is_so) {
    const auto start = std::chrono::steady_clock::now();
    while (!is_so(*session_.latest())) {
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds)
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }
  static bool is_running(const Snapshot& now) { return now.busy && now.progress->blocks > 0; }
  static bool is_at_rest(const Snapshot& now) { return !now.busy; }

  tests::TemporaryFolder folder_{"endless"};
  Session session_{options()};
};

/// Of what a launch is guessed, each in another way.
const std::vector<std::string>& loops() {
  static const std::vector<std::string> kLoops{
      kLoop,
      "__global__ void wait(const int* flag, float* out, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) while (flag[0] == 0) out[i] += 1;\n}\n",
      "__global__ void wait(const int* flag, float* out, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i * 64] = 1;\n  while (flag[0] == 0) out[i * 64] += 1;\n}\n",
      "__global__ void wait(volatile int* flag, float* out) {\n"
      "  while (flag[0] == 0) out[blockIdx.x * blockDim.x + threadIdx.x] += 1;\n}\n"
      "int main() {\n  int* flag;\n  float* out;\n  wait<<<4, 256>>>(flag, out);\n}\n"};
  return kLoops;
}

TEST_F(EndlessRun, at_the_start_its_source_shows_and_a_cancel_ends_it_for_good) {
  for (const std::string& loop : loops()) {
    Session session{options()};
    const auto rests = [&] {
      for (int n = 0; n < 100 && session.latest()->busy; ++n)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return !session.latest()->busy;
    };
    session.post(OpenFile{write("loop.cu", loop)});
    for (int n = 0; n < 2000 && !(is_running(*session.latest()) && session.latest()->failed); ++n)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_NE(session.latest()->failed, nullptr) << loop;
    EXPECT_EQ(session.latest()->failed->source_text, loop);
    ASSERT_NE(session.latest()->sources, nullptr);
    session.post(CancelRun{});
    EXPECT_TRUE(rests()) << loop;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    const auto now = session.latest();
    EXPECT_FALSE(now->busy) << "it runs again: " << loop;
    EXPECT_FALSE(now->question);
    ASSERT_TRUE(now->error);
    EXPECT_THAT(now->error->message, HasSubstr("stopped"));
    EXPECT_EQ(now->failed->source_text, loop);
  }
}

TEST_F(EndlessRun, its_source_shows_while_the_figures_are_still_those_of_another_file) {
  session_.post(OpenFile{write("quick.cu", kOnce)});
  ASSERT_TRUE(comes(20, [](const Snapshot& now) { return now.run && is_at_rest(now); }));
  session_.post(OpenFile{write("loop.cu", kLoop)});
  const auto is_attempt = [](const Snapshot& now) { return now.failed && now.failed->source_text == kLoop; };
  ASSERT_TRUE(comes(20, [&](const Snapshot& now) { return now.busy && is_attempt(now); }));
  EXPECT_EQ(session_.latest()->run->source_text, kOnce);
  ASSERT_TRUE(comes(20, [](const Snapshot& now) { return now.question.has_value(); }));
  EXPECT_TRUE(is_attempt(*session_.latest()));
  session_.post(CancelRun{});
  ASSERT_TRUE(comes(20, [](const Snapshot& now) { return !now.question && is_at_rest(now); }));
  EXPECT_EQ(session_.latest()->failed, nullptr) << "what is shown is what ran";
  EXPECT_EQ(session_.latest()->choices.file->path.filename(), "quick.cu");
}

TEST_F(EndlessRun, another_file_opens_while_it_runs) {
  session_.post(OpenFile{write("loop.cu", kLoop)});
  ASSERT_TRUE(comes(20, is_running));
  session_.post(OpenFile{write("quick.cu", kOnce)});
  EXPECT_TRUE(comes(20, [](const Snapshot& now) { return now.run && is_at_rest(now); }));
  EXPECT_EQ(session_.latest()->choices.file->path.filename(), "quick.cu");
}

TEST_F(EndlessRun, another_file_opens_after_it_was_cancelled) {
  session_.post(OpenFile{write("loop.cu", kLoop)});
  ASSERT_TRUE(comes(20, is_running));
  session_.post(CancelRun{});
  session_.post(OpenFile{write("quick.cu", kOnce)});
  EXPECT_TRUE(comes(20, [](const Snapshot& now) { return now.run && is_at_rest(now); }));
  EXPECT_FALSE(session_.latest()->error);
}

TEST_F(EndlessRun, it_is_stopped_and_asked_about_when_no_block_ends) {
  session_.post(OpenFile{write("loop.cu", kLoop)});
  ASSERT_TRUE(comes(20, [](const Snapshot& now) { return now.question.has_value(); }));
  EXPECT_GE(session_.latest()->question->waited.value_or(0), 2);
  EXPECT_FALSE(session_.latest()->question->seconds);
  session_.post(CancelRun{});
  EXPECT_TRUE(comes(5, [](const Snapshot& now) { return !now.question && is_at_rest(now); }));
  EXPECT_TRUE(session_.latest()->error);
}

TEST_F(EndlessRun, an_edit_that_does_not_end_is_cancelled_and_stays_in_the_editor) {
  const auto file = write("mine.cu", kOnce);
  session_.post(OpenFile{file});
  session_.wait_until_idle();
  const auto shown = session_.latest()->run;
  session_.post(SetText{file, kOnce, 1});
  session_.post(SetText{file, "__global__ void add(float* out) { xthreadIdx; }\n", 2});
  session_.wait_until_idle();
  ASSERT_TRUE(session_.latest()->error);
  ASSERT_FALSE(session_.latest()->failed->errors.empty());
  session_.post(SetText{file, kLoop, 3});
  ASSERT_TRUE(comes(20, [](const Snapshot& now) { return is_running(now) && !now.error; }))
      << "the finding of the text before stays";
  EXPECT_TRUE(session_.latest()->failed->errors.empty());
  session_.post(CancelRun{});
  ASSERT_TRUE(comes(1, is_at_rest));
  const auto now = session_.latest();
  EXPECT_EQ(now->run, shown);
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("stopped"));
  EXPECT_EQ(*now->sources->files.front().text, kLoop) << "what was typed is there";
}

}  // namespace
}  // namespace lanescope::session
