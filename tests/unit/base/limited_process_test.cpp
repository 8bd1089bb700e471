#include "base/limited_process.h"

#include <array>
#include <chrono>
#include <cstdio>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(LimitedProcess, output_error_and_status_are_kept) {
  const auto ended = run_limited({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, {});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->how, Ended::How::Exited);
  EXPECT_EQ(ended->number, 3);
  EXPECT_EQ(ended->output, "out\n");
  EXPECT_EQ(ended->error, "err\n");
}

TEST(LimitedProcess, standard_error_goes_where_it_is_asked_for) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  const auto ended = run_limited({"/bin/sh", "-c", "echo out; echo err >&2"}, {.error_to = fileno(file)});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->output, "out\n");
  EXPECT_EQ(ended->error, "");
  std::rewind(file);
  std::array<char, 8> text{};
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), 4u);
  EXPECT_STREQ(text.data(), "err\n");
  std::fclose(file);
}

TEST(LimitedProcess, works_in_the_folder_that_is_asked_for) {
  const auto ended = run_limited({"/bin/pwd"}, {.folder = "/usr"});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->output, "/usr\n");
}

TEST(LimitedProcess, what_it_started_ends_with_it_when_its_time_is_over) {
  // The grandchild holds the pipe: without the group's end reading would go on for a minute.
  const auto start = std::chrono::steady_clock::now();
  const auto ended = run_limited({"/bin/sh", "-c", "sleep 60; true"}, {.seconds = 1});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->how, Ended::How::TimedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(LimitedProcess, a_stop_ends_it) {
  std::stop_source stop;
  stop.request_stop();
  const auto ended = run_limited({"/bin/sh", "-c", "sleep 60"}, {.stop = stop.get_token()});
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->how, Ended::How::Stopped);
}

}  // namespace
}  // namespace lanescope
