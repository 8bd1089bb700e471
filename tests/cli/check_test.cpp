// `lanescope check`: one submission, and folders of many.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using tests::Finished;
using tests::run_program;

const fs::path kTiled = tests::source_dir() / "assets/lessons/transpose/exercises/tiled";
const std::string kSolution = (kTiled / "solution.cu").string();
const std::string kStarter = (kTiled / "starter.cu").string();

/// A solution whose loop never ends.
constexpr const char* kEndless =
    "extern \"C\" __global__ void transpose(const float*, float* out, int, int) {\n"
    "  for (volatile unsigned k = 1; k != 0; k = k * 5 + 2) out[k % 7] = printf(\"%u\\n\", k);\n}\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Check : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const tests::TemporaryFolder folder_{"check"};
};

TEST_F(Check, alone_lists_the_exercises) {
  const Finished done = run_program({"check"});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("transpose/tiled\tA coalesced transpose\n"));
}

TEST_F(Check, a_solution_passes_with_a_line_for_each_check) {
  const Finished done = run_program({"check", "transpose/tiled", kSolution});
  EXPECT_EQ(done.status, 0) << done.error << done.output;
  EXPECT_EQ(done.output,
            "ok       compile    kernel transpose compiles\n"
            "ok       memory     no memory error, race or uninitialized read in 2 cases\n"
            "ok       output     as the solution's in 2 cases\n"
            "ok       coalesced  4 sectors per request, the ideal, in 65,536 requests\n");
}

TEST_F(Check, a_submission_that_fails_has_status_1_and_says_where) {
  const Finished done = run_program({"check", "transpose/tiled", kStarter});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("FAIL     coalesced  line 9: the store takes 32 sectors per request"));
}

TEST_F(Check, the_report_has_each_check_with_its_line) {
  const Finished done = run_program({"check", "transpose/tiled", kStarter, "--json"});
  EXPECT_EQ(done.status, 1);
  const json report = json::parse(done.output);
  EXPECT_EQ(report["exercise"], "transpose/tiled");
  EXPECT_EQ(report["passed"], false);
  ASSERT_EQ(report["checks"].size(), 4u);
  EXPECT_EQ(report["checks"][2]["status"], "passed");
  EXPECT_EQ(report["checks"][3]["name"], "coalesced");
  EXPECT_EQ(report["checks"][3]["status"], "failed");
  EXPECT_EQ(report["checks"][3]["line"], 9);
}

TEST_F(Check, the_starter_is_written_and_replaces_nothing_unasked) {
  const std::string file = path("mine.cu");
  EXPECT_EQ(run_program({"check", "transpose/tiled", "--starter", file}).status, 0);
  EXPECT_GT(fs::file_size(file), 100u);
  std::ofstream(file) << "mine";
  const Finished again = run_program({"check", "transpose/tiled", "--starter", file});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.error, HasSubstr("--overwrite"));
  EXPECT_EQ(fs::file_size(file), 4u);
  EXPECT_EQ(run_program({"check", "transpose/tiled", "--starter", file, "--overwrite"}).status, 0);
  EXPECT_GT(fs::file_size(file), 100u);
}

TEST_F(Check, without_a_submission_the_task_and_the_way_to_one_are_printed) {
  const Finished done = run_program({"check", "transpose/tiled"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.output, StartsWith("A coalesced transpose\n"));
  EXPECT_THAT(done.output, HasSubstr("lanescope check transpose/tiled --starter mine.cu"));
  EXPECT_THAT(done.output, HasSubstr("\n- `in` has `height` rows of `width` elements"));
  for (const std::string& line : lines_of(done.output)) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_THAT(run_program({"check", "transpose/tiled", "--language", "fr"}).output,
              StartsWith("Une transposée coalescée\n\nÉcrivez la matrice `in`"));
}

TEST_F(Check, hints_and_the_solution_are_printed_on_request) {
  const Finished hint = run_program({"check", "transpose/tiled", "--hint", "2"});
  EXPECT_EQ(hint.status, 0) << hint.error;
  EXPECT_THAT(hint.output, StartsWith("In a second loop"));
  const Finished checked = run_program({"check", "transpose/tiled", kStarter, "--hint", "1"});
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.output, HasSubstr("FAIL     coalesced"));
  EXPECT_THAT(checked.output, HasSubstr("\n\nDeclare `__shared__"));
  const Finished solution = run_program({"check", "transpose/tiled", "--solution"});
  EXPECT_THAT(solution.output, HasSubstr("  __syncthreads();\n"));
  EXPECT_THAT(solution.output, HasSubstr("\n\nA transpose must read or write columns somewhere."));
  const Finished none = run_program({"check", "transpose/tiled", "--hint", "9"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.error, HasSubstr("from 1 to 4"));
}

TEST_F(Check, wrong_command_lines_have_status_2) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", "transpose/none"},
           {"check", "--solution"},
           {"check", "transpose/tiled", "--json"},
           {"check", "transpose/tiled", kSolution, "--seconds", "5"},
           {"check", "transpose/tiled", kSolution, "--all", "."},
           {"check", "transpose/tiled", kSolution, "--starter", path("a.cu")},
           {"check", "transpose/tiled", "--json", path("mine.cu")}}) {
    const Finished done = run_program(words);
    EXPECT_EQ(done.status, 2) << testing::PrintToString(words);
    EXPECT_FALSE(done.error.empty());
  }
  EXPECT_FALSE(fs::exists(folder_ / "mine.cu"));
  EXPECT_EQ(run_program({"check", "transpose/tiled", path("none.cu")}).status, 1);
  EXPECT_EQ(run_program({"check", "transpose/tiled", "--all", path("none")}).status, 1);
  EXPECT_EQ(run_program({"check", "--all", folder_.path().string()}).status, 1) << "it is empty";
}

TEST_F(Check, a_folder_of_submissions_is_a_table) {
  fs::copy_file(kSolution, folder_ / "anna.cu");
  fs::copy_file(kStarter, folder_ / "bert.cu");
  std::ofstream(folder_ / "notes.txt") << "no submission";
  const Finished done = run_program({"check", "transpose/tiled", "--all", folder_.path().string()});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("anna.cu  ok       ok      ok      ok\n"));
  EXPECT_THAT(done.output, HasSubstr("bert.cu  ok       ok      ok      FAIL       line 9: the store takes"));
  EXPECT_THAT(done.output, HasSubstr("1 of 2 passes\n"));
  fs::remove(folder_ / "bert.cu");
  EXPECT_EQ(run_program({"check", "transpose/tiled", "--all", folder_.path().string()}).status, 0);
}

TEST_F(Check, a_file_that_hangs_or_is_hostile_costs_its_own_row_alone) {
  fs::copy_file(kSolution, folder_ / "anna.cu");
  std::ofstream(folder_ / "endless.cu") << kEndless;
  std::ofstream(folder_ / "nul.cu") << std::string("\0", 1);
  std::ofstream(folder_ / "line\nfeed\x1b[31m.cu") << "";
  const Finished done =
      run_program({"check", "transpose/tiled", "--all", folder_.path().string(), "--seconds", "6"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("anna.cu             ok       ok      ok      ok\n"));
  EXPECT_THAT(done.output, HasSubstr("stopped after 6 s; --seconds N allows more\n"));
  EXPECT_THAT(done.output, HasSubstr("the file is not text"));
  EXPECT_THAT(done.output, HasSubstr("line feed^[[31m.cu  FAIL"));
  EXPECT_THAT(done.output, HasSubstr("1 of 4 passes\n"));
}

TEST_F(Check, a_file_that_takes_too_much_memory_costs_its_own_row_alone) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer takes more addresses than any limit leaves";
#endif
  fs::copy_file(kSolution, folder_ / "anna.cu");
  std::ofstream(folder_ / "huge.cu") << "__device__ char huge[1ull << 40];\n" << kEndless;
  const Finished done =
      run_program({"check", "transpose/tiled", "--all", folder_.path().string(), "--memory-mib", "1024"});
  EXPECT_THAT(done.output, HasSubstr("anna.cu  ok       ok      ok      ok\n"));
  EXPECT_THAT(done.output, HasSubstr("needs more memory than 1024 MiB; --memory-mib N allows more\n"));
  EXPECT_THAT(done.output, HasSubstr("1 of 2 passes\n"));
}

TEST_F(Check, a_folder_of_students_is_a_table_of_exercises) {
  for (const char* student : {"anna", "bert", "carl"}) fs::create_directories(folder_ / student);
  fs::copy_file(kSolution, folder_ / "anna/tiled.cu");
  fs::copy_file(kStarter, folder_ / "bert/transpose-tiled.cu");
  std::ofstream(folder_ / "bert/sketch.cu") << "";
  const Finished done = run_program({"check", "--all", folder_.path().string()});
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.output,
            "      transpose/tiled  passed\n"
            "anna  ok               1 of 1\n"
            "bert  FAIL coalesced   0 of 1\n"
            "carl  -                0 of 1\n");
  EXPECT_THAT(done.error, HasSubstr("bert/sketch.cu: no exercise has this name"));
  const Finished report = run_program({"check", "--all", folder_.path().string(), "--json"});
  const json students = json::parse(report.output)["students"];
  ASSERT_EQ(students.size(), 3u);
  EXPECT_EQ(students[0]["submissions"][0]["passed"], true);
  EXPECT_EQ(students[1]["submissions"][0]["exercise"], "transpose/tiled");
  EXPECT_TRUE(students[2]["submissions"].empty());
}

}  // namespace
}  // namespace lanescope
