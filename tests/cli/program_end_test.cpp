// How a person's whole program ends, and what is said while it runs: crashes, limits, signals, a terminal.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using tests::Finished;
using tests::run_program;

class ProgramEnd : public tests::SourceProgramTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  tests::TemporaryFolder folder_{"program-end"};
};

TEST_F(ProgramEnd, a_crash_an_endless_loop_and_no_launch_are_a_sentence_each) {
  const std::string kernel = "__global__ void set(int* p) { p[threadIdx.x] = 1; }\n";
  const std::string launch = "int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p); ";
  const Finished crash = run_program(
      {"trace", write("crash.cu", kernel + "int main() { " + launch + "*(volatile int*)0 = 1; }\n")});
  EXPECT_EQ(crash.status, 1);
  EXPECT_THAT(crash.error, HasSubstr("it crashed"));
  const Finished by_run = run_program({"run", "--", "sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(by_run.status, 139) << "the program's own";
  EXPECT_THAT(by_run.error, HasSubstr("the program sh ended with status 139: it crashed"));
  EXPECT_THAT(crash.output, HasSubstr("set     1"));
  const Finished endless =
      run_program({"trace", write("endless.cu", kernel + "int main() { " + launch + "for (;;) {} }\n"),
                   "--limit-seconds", "1"});
  EXPECT_EQ(endless.status, 1);
  EXPECT_THAT(endless.error, HasSubstr("was ended after 1 seconds"));
  EXPECT_THAT(endless.output, HasSubstr("set     1"));
  const Finished none = run_program({"trace", write("none.cu", kernel + "int main() { }\n")});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.error, HasSubstr("launched no kernel"));
}

TEST_F(ProgramEnd, a_second_interrupt_ends_a_program_that_ignores_the_first) {
  const std::string file =
      write("stubborn.cu",
            "#include <csignal>\n#include <cstdio>\n__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
            "int main() { std::signal(SIGINT, SIG_IGN); int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p);\n"
            "cudaDeviceSynchronize(); std::puts(\"launched\"); std::fflush(stdout); for (;;) {} }\n");
  // A terminal sends the signal to all processes of the group.
  const std::string script =
      "import os, signal, subprocess, sys, time\n"
      "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, start_new_session=True)\n"
      "line = child.stdout.readline()\n"
      "for _ in range(2):\n"
      "    os.killpg(child.pid, signal.SIGINT)\n"
      "    time.sleep(0.5)\n"
      "print(line + child.stdout.read(), child.wait())\n";
  const Finished done = tests::run_program_in({.program = "/usr/bin/python3"},
                                              {"-c", script, tests::lanescope_program(), "trace", file});
  EXPECT_THAT(done.output, testing::StartsWith("launched\n"));
  EXPECT_THAT(done.output, HasSubstr("set     1")) << "the table is printed";
  EXPECT_THAT(done.output, testing::EndsWith(" 1\n"));
  EXPECT_THAT(done.error, HasSubstr("was ended by Ctrl-C"));
}

/// Runs a command on a terminal of its own, and prints what came there.
constexpr const char* kOnTerminal =
    "import os, pty, sys\n"
    "child, terminal = pty.fork()\n"
    "if child == 0: os.execvp(sys.argv[1], sys.argv[1:])\n"
    "said = b''\n"
    "try:\n"
    "    while part := os.read(terminal, 65536): said += part\n"
    "except OSError: pass\n"
    "print(repr(said.decode()), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n";

/// A chroot may have no /dev/pts.
bool has_terminals() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0) return false;
  const char* const name = grantpt(master) == 0 && unlockpt(master) == 0 ? ptsname(master) : nullptr;
  const int terminal = name == nullptr ? -1 : open(name, O_RDWR | O_NOCTTY);
  if (terminal >= 0) close(terminal);
  close(master);
  return terminal >= 0;
}

TEST_F(ProgramEnd, on_a_terminal_the_launch_that_runs_is_told_and_removed) {
  if (!has_terminals()) GTEST_SKIP() << "this system gives no terminal: /dev/pts is missing";
  const std::string file =
      write("slow.cu",
            "#include <cstdio>\n#include <unistd.h>\n"
            "__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
            "int main() { int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p); usleep(1100000);\n"
            "set<<<1, 32>>>(p); cudaDeviceSynchronize(); std::puts(\"end\"); }\n");
  const Finished terminal = tests::run_program_in(
      {.program = "/usr/bin/python3"}, {"-c", kOnTerminal, tests::lanescope_program(), "run", file});
  // The first launch is over before anything is said; the line of the second is gone when the program prints.
  EXPECT_THAT(terminal.output, Not(HasSubstr("launch 1: set")));
  EXPECT_THAT(terminal.output, HasSubstr("\\x1b[Klaunch 2: set (Ctrl-C stops it)\\r\\x1b[Kend\\r\\n"));
  EXPECT_THAT(run_program({"run", file}).error, Not(HasSubstr("launch 2: set")));
}

TEST_F(ProgramEnd, that_lanescope_is_told_to_end_ends_with_it_and_leaves_no_folder) {
  const std::string file =
      write("endless.cu",
            "#include <cstdio>\n__global__ void set(int* p) { p[threadIdx.x] = 1; }\n"
            "int main() { int* p; cudaMalloc(&p, 128); set<<<1, 32>>>(p); cudaDeviceSynchronize();\n"
            "std::puts(\"launched\"); std::fflush(stdout); for (;;) {} }\n");
  const std::string script =
      "import os, signal, subprocess, sys\n"
      "child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, start_new_session=True)\n"
      "line = child.stdout.readline()\n"
      "made = len(os.listdir(os.environ['TMPDIR']))\n"
      "os.kill(child.pid, signal.SIGTERM)\n"
      "child.stdout.read()\n"
      "print(line, child.wait(), made > 0, os.listdir(os.environ['TMPDIR']))\n";
  fs::create_directory(folder_ / "temporary");
  const Finished done = tests::run_program_in(
      {.program = "/usr/bin/env"}, {"TMPDIR=" + std::string(folder_ / "temporary"), "/usr/bin/python3", "-c",
                                    script, tests::lanescope_program(), "trace", file});
  EXPECT_EQ(done.output, "launched\n 1 True []\n") << done.error;
  EXPECT_THAT(done.error, HasSubstr("was ended, as lanescope was asked to end"));
}

}  // namespace
}  // namespace lanescope
