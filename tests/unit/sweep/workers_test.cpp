// Work in processes: answers, processes that die, and the end of all of them.

#include "sweep/workers.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::sweep {
namespace {

/// What became of each number: its line, or "death: ...".
struct Ran {
  std::map<uint64_t, std::string> answers;
  Result<WorkersEnd> end = WorkersEnd{};
};
Ran run(std::vector<uint64_t> numbers, unsigned processes, const Work& work) {
  Ran ran;
  WorkerPlan plan{
      .numbers = std::move(numbers), .processes = processes, .begin = [&] { return work; }, .store = {}};
  plan.store = [&](std::span<const Answer> answers) -> Result<void> {
    for (const Answer& answer : answers) {
      const std::string what = answer.death.empty() ? answer.line : "death: " + answer.death;
      EXPECT_TRUE(ran.answers.emplace(answer.number, what).second) << answer.number << " twice";
    }
    return {};
  };
  ran.end = run_workers(plan);
  return ran;
}

std::vector<uint64_t> first(size_t count) {
  std::vector<uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(Workers, each_number_has_its_answer) {
  const Ran ran = run(first(200), 3, [](uint64_t number) { return std::to_string(number * number); });
  ASSERT_TRUE(ran.end);
  EXPECT_EQ(ran.end->signal, 0);
  ASSERT_EQ(ran.answers.size(), 200u);
  EXPECT_EQ(ran.answers.at(13), "169");
}

TEST(Workers, long_answers_arrive_whole) {
  const Ran ran =
      run(first(4), 2, [](uint64_t number) { return std::string(300'000, static_cast<char>('a' + number)); });
  EXPECT_EQ(ran.answers.at(3), std::string(300'000, 'd'));
}

TEST(Workers, a_crash_costs_its_own_number_alone) {
  const Ran ran = run(first(20), 2, [](uint64_t number) {
    if (number == 7) std::raise(SIGKILL);
    return std::string("fine");
  });
  ASSERT_EQ(ran.answers.size(), 20u);
  EXPECT_EQ(ran.answers.at(7), "death: signal 9 (Killed)");
  EXPECT_EQ(std::ranges::count_if(ran.answers, [](const auto& one) { return one.second == "fine"; }), 19);
}

/// The second time it runs alone: what failed for lack of memory then has all of it.
TEST(Workers, what_ended_a_process_is_tried_once_more) {
  std::string marker = testing::TempDir() + "lanescope-workers-" + std::to_string(getpid());
  const Ran ran = run(first(5), 2, [&](uint64_t number) {
    if (number == 2 && access(marker.c_str(), F_OK) != 0) {
      fclose(fopen(marker.c_str(), "w"));
      _exit(3);
    }
    return std::string("fine");
  });
  unlink(marker.c_str());
  EXPECT_EQ(ran.answers.at(2), "fine");
}

TEST(Workers, an_error_of_the_store_ends_the_work) {
  WorkerPlan plan{
      .numbers = first(100),
      .processes = 2,
      .begin = [] { return [](uint64_t) { return std::string("x"); }; },
      .store = [](std::span<const Answer>) -> Result<void> { return fail(ErrorKind::File, "full"); }};
  const auto end = run_workers(plan);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().message, "full");
}

/// Runs numbers that sleep in a process, sends it `signal` after the first answer and once more, and waits
/// until neither it nor a worker is left. Returns its status.
int status_after(int signal) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    WorkerPlan plan{.numbers = first(1000),
                    .processes = 3,
                    .begin =
                        [] {
                          return [](uint64_t) {
                            usleep(20'000);
                            return std::string("x");
                          };
                        },
                    .store = {}};
    plan.store = [&](std::span<const Answer>) -> Result<void> {
      (void)!write(ends[1], "x", 1);
      return {};
    };
    const auto end = run_workers(plan);
    usleep(100'000);  // the caller says what was done
    _exit(end ? end->signal : 99);
  }
  close(ends[1]);
  char one = 0;
  EXPECT_EQ(read(ends[0], &one, 1), 1);
  kill(pid, signal);
  usleep(50'000);
  kill(pid, signal);                             // as `timeout` does, and people who press Ctrl-C twice
  while (read(ends[0], &one, 1) == 1) continue;  // the end of the pipe: all that had it are gone
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

TEST(Workers, stop_signals_end_the_work_between_answers) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const int status = status_after(signal);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), signal);
  }
}

TEST(Workers, none_outlives_a_process_that_is_killed) {
  const int status = status_after(SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace lanescope::sweep
