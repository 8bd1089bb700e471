// What each check says, with an exercise of its own: reverse an array through shared memory.

#include "pipeline/exercise_check.h"

#include "support/fake_gpu.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

using testing::HasSubstr;
using enum Check::Status;

constexpr const char* kExercise = R"toml(title = "Reverse"
entry = "reverse"
[launch]
grid = ["ceil_div(n, 256)"]
block = [256]
arguments = ["in", "out", "i32: n"]
buffers = [
  {name = "in", type = "i32", shape = ["n"], contents = "count"},
  {name = "out", type = "i32", shape = ["n"], contents = "none"},
]
[[toggles]]
name = "n"
label = "Elements"
hint = "How many are reversed"
initial = "1024"
choices = [{value = "1000"}, {value = "1024"}]
[[cases]]
set = {}
[[cases]]
set = {n = "1000"}
[checks]
output = ["out"]
)toml";

constexpr const char* kOpening =
    "extern \"C\" __global__ void reverse(const int* in, int* out, int n) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n";
constexpr const char* kBody = "  if (i < n) out[n - 1 - i] = in[i];\n";

class ExerciseCheck : public testing::Test {
 protected:
  ExerciseCheck() {
    options_.cache = folder_ / "cache";
    std::filesystem::create_directories(exercise_);
    std::ofstream(exercise_ / lesson::kStarterFile) << kOpening << "}\n";
    std::ofstream(exercise_ / lesson::kSolutionFile) << kOpening << kBody << "}\n";
  }

  /// The checks of a kernel with this body, of an exercise that asks for `asked`.
  std::vector<Check> check(const std::string& body, const std::string& asked = "", gpu::Gpu* gpu = nullptr) {
    return check_text(std::string(kOpening) + body + "}\n", asked, gpu);
  }
  std::vector<Check> check_text(const std::string& text, const std::string& asked = "",
                                gpu::Gpu* gpu = nullptr) {
    std::ofstream(exercise_ / lesson::kExerciseFile) << kExercise << asked;
    std::ofstream(folder_ / "mine.cu") << text;
    const lesson::Exercise exercise = lesson::read_exercise(exercise_).value();
    auto checks = check_submission(execution_, options_, exercise, submission_of(folder_ / "mine.cu").value(),
                                   {{}, gpu});
    if (checks) return *std::move(checks);
    ADD_FAILURE() << describe(checks.error());
    return {};
  }
  /// The check of this name; one that is not there has no status to be mistaken for.
  static Check named(const std::vector<Check>& checks, const std::string& name) {
    for (const Check& check : checks)
      if (check.name == name) return check;
    ADD_FAILURE() << "there is no check " << name;
    return {};
  }

  const tests::TemporaryFolder folder_{"exercise-check"};
  const std::filesystem::path exercise_ = folder_ / "lesson/exercises/reverse";
  Options options_ = tests::project_options(1);
  Execution execution_{options_};
};

TEST_F(ExerciseCheck, the_solution_passes_in_all_cases) {
  const auto checks = check(kBody);
  ASSERT_EQ(checks.size(), 3u);
  EXPECT_TRUE(has_passed(checks));
  EXPECT_EQ(named(checks, "output").sentence, "as the solution's in 2 cases");
}

TEST_F(ExerciseCheck, a_source_that_does_not_compile_is_named_by_its_first_error) {
  const auto checks = check("  out[i] = in[i]\n  x = 1;\n");
  const Check compile = named(checks, "compile");
  EXPECT_EQ(compile.status, Failed);
  EXPECT_EQ(compile.line, 4);
  EXPECT_THAT(compile.sentence, testing::StartsWith("line 4: expected a \";\""));
  EXPECT_EQ(named(checks, "memory").status, NotRun);
  EXPECT_EQ(named(checks, "output").sentence, "first it must compile");
  EXPECT_FALSE(has_passed(checks));
}

TEST_F(ExerciseCheck, only_headers_of_the_lesson_and_of_cuda_may_be_included) {
  const std::string solution = (exercise_ / lesson::kSolutionFile).string();
  std::ofstream(folder_ / "friend.h") << "// another file\n";
  const std::string text = std::string(kOpening) + kBody + "}\n";
  const auto sentence_of = [&](const std::string& opening) {
    return named(check_text(opening + text), "compile").sentence;
  };
  EXPECT_EQ(named(check_text("#include \"lesson/exercises/reverse/solution.cu\"\n"), "compile").sentence,
            "line 1: includes 'lesson/exercises/reverse/solution.cu': a submission may include the lesson's "
            "headers and CUDA's alone");
  EXPECT_THAT(sentence_of("\n#include \"friend.h\"\n"), testing::StartsWith("line 2: includes 'friend.h'"));
  EXPECT_THAT(sentence_of("#include \"" + solution + "\"\n"), HasSubstr("may include the lesson's"));
  EXPECT_THAT(sentence_of("#include <" + solution + ">\n"), HasSubstr("may include the lesson's"));
  EXPECT_THAT(sentence_of("#include <../include/cuda_fp16.h>\n"), HasSubstr("may include the lesson's"));
  EXPECT_THAT(sentence_of("#define F \"friend.h\"\n#include F\n"), HasSubstr("includes 'friend.h'"));
  EXPECT_THAT(sentence_of("#define JOIN(a) #a\n#include JOIN(friend.h)\n"),
              HasSubstr("hides the name of a file that it includes"));
  EXPECT_TRUE(has_passed(check_text("#include <cuda_fp16.h>\n#include <cuda_pipeline.h>\n" + text)));
}

TEST_F(ExerciseCheck, another_kernel_does_not_compile_as_the_exercise_calls_it) {
  EXPECT_THAT(named(check_text("__global__ void other() {}\n"), "compile").sentence,
              HasSubstr("there is no kernel 'reverse'"));
  EXPECT_THAT(named(check_text("void nothing() {}\n"), "compile").sentence, HasSubstr("__global__"));
  EXPECT_EQ(named(check_text(""), "compile").status, Failed);
  EXPECT_THAT(
      named(check_text("extern \"C\" __global__ void reverse(int* out) { out[0] = 1; }\n"), "compile")
          .sentence,
      testing::StartsWith("kernel reverse has 1 parameter, and the exercise calls it with 3 arguments"));
}

TEST_F(ExerciseCheck, a_memory_error_names_line_block_and_thread) {
  const auto checks = check("  out[n - i] = in[i];\n");
  const Check memory = named(checks, "memory");
  EXPECT_EQ(memory.status, Failed);
  EXPECT_EQ(memory.line, 3);
  EXPECT_THAT(memory.sentence, testing::StartsWith("line 3: thread (0,0,0) of block (0,0,0) writes"));
  EXPECT_EQ(named(checks, "output").status, NotRun);
}

TEST_F(ExerciseCheck, an_error_of_a_later_case_names_the_case) {
  const auto checks = check("  out[n - 1 - i] = in[i];\n", "coalesced = true\n");
  EXPECT_THAT(named(checks, "memory").sentence, testing::StartsWith("with n=1000: line 3: "));
  EXPECT_EQ(named(checks, "coalesced").status, NotRun);
}

TEST_F(ExerciseCheck, a_race_is_a_memory_error) {
  const auto checks = check(
      "  __shared__ int tile[256];\n  tile[threadIdx.x] = in[i % n];\n"
      "  if (i < n) out[n - 1 - i] = tile[threadIdx.x ^ 32] + in[i] - in[i ^ 32];\n");
  EXPECT_EQ(named(checks, "memory").status, Failed);
  EXPECT_THAT(named(checks, "memory").sentence, HasSubstr("__syncthreads"));
}

TEST_F(ExerciseCheck, the_first_difference_is_named_with_both_values) {
  const auto checks =
      check("  if (i < n) out[n - 1 - i] = in[i] + (i == 1000) + (i == 7);\n", "coalesced = true\n");
  EXPECT_EQ(named(checks, "output").status, Failed);
  EXPECT_EQ(named(checks, "output").sentence,
            "out[23] is 1001, and the solution writes 1000; 2 of 1,024 elements differ; line 3 wrote it, in "
            "thread (232,0,0) of block (3,0,0)");
  EXPECT_EQ(named(checks, "memory").sentence,
            "no memory error, race or uninitialized read in the first case of 2");
  EXPECT_EQ(named(checks, "coalesced").sentence, "first the output must be right");
}

TEST_F(ExerciseCheck, an_element_that_is_left_out_is_wrong_even_where_the_solution_writes_zero) {
  const auto checks = check("  if (i > 0 && i < n) out[n - 1 - i] = in[i];\n");
  EXPECT_EQ(named(checks, "output").sentence,
            "out[1023] is not written, and the solution writes 0; 1 of 1,024 elements differs");
}

TEST_F(ExerciseCheck, a_kernel_that_does_not_end_is_stopped) {
  const auto checks = check("  volatile unsigned k = 1;\n  while (k != 0) k = k * 5 + 2;\n  out[i] = 0;\n");
  EXPECT_EQ(named(checks, "output").status, Failed);
  EXPECT_THAT(named(checks, "output").sentence,
              HasSubstr("the kernel does not end: it was stopped after 10,"));
  EXPECT_EQ(named(checks, "memory").status, NotRun);
}

TEST_F(ExerciseCheck, an_access_that_is_not_coalesced_is_named_by_its_line) {
  const auto bounded = check(
      "  const int k = n == 1024 ? i % 32 * 32 + i / 32 : i;\n"
      "  const int element = k < n ? in[k] : 0;\n  if (k < n) out[n - 1 - k] = element;\n",
      "coalesced = true\nsectors = \"2 * n / 8\"\n");
  EXPECT_EQ(named(bounded, "coalesced").status, Failed);
  EXPECT_THAT(named(bounded, "coalesced").sentence,
              testing::MatchesRegex(
                  "line [45]: the (load|store) takes 32 sectors per request, and 4 would be enough"));
  EXPECT_EQ(named(bounded, "sectors").sentence, "first it must be coalesced");
  const auto solved = check(kBody, "coalesced = true\nsectors = \"2 * n / 8\"\n");
  EXPECT_EQ(named(solved, "coalesced").sentence, "4 sectors per request, the ideal, in 64 requests");
  EXPECT_EQ(named(solved, "sectors").status, Passed);
  const auto twice =
      check("  if (i < n) out[n - 1 - i] = 0;\n" + std::string(kBody), "sectors = \"2 * n / 8\"\n");
  EXPECT_EQ(named(twice, "sectors").status, Failed);
  EXPECT_EQ(
      named(twice, "sectors").sentence,
      "384 sectors of global memory, and at most 256 are allowed; the store at line 4 takes 128 of them");
}

TEST_F(ExerciseCheck, a_bank_conflict_is_named_by_its_line) {
  const auto with = [&](const std::string& index) {
    return check("  __shared__ int tile[512];\n  tile[" + index +
                     "] = i < n ? in[i] : 0;\n  __syncthreads();\n"
                     "  if (i < n) out[n - 1 - i] = tile[" +
                     index + "];\n",
                 "conflict_free = true\nwavefronts = \"n / 16\"\n");
  };
  const auto conflicts = with("threadIdx.x * 2");
  EXPECT_EQ(named(conflicts, "conflict_free").status, Failed);
  EXPECT_THAT(named(conflicts, "conflict_free").sentence,
              testing::MatchesRegex(
                  "line [46]: the (load|store) takes 2 wavefronts per request, and 1 would be enough"));
  EXPECT_EQ(named(conflicts, "wavefronts").sentence, "first it must be free of conflicts");
  EXPECT_EQ(named(with("threadIdx.x"), "wavefronts").sentence,
            "64 wavefronts of shared memory, and at most 64 are allowed");
  EXPECT_TRUE(has_passed(with("threadIdx.x")));
  EXPECT_EQ(named(check(kBody, "conflict_free = true\n"), "conflict_free").sentence,
            "no access to shared memory");
}

TEST_F(ExerciseCheck, inactive_lanes_and_more_instructions_than_allowed_fail) {
  const std::string asked = "active_share = 0.9\ninstructions_of_solution = 1.5\n";
  EXPECT_TRUE(has_passed(check(kBody, asked)));
  const auto one_lane =
      check("  volatile int x = 0;\n  if (i % 32 == 0)\n    for (int k = 0; k < 100; ++k) x = x + k;\n" +
                std::string(kBody),
            asked);
  EXPECT_EQ(named(one_lane, "output").status, Passed);
  EXPECT_EQ(named(one_lane, "active_share").status, Failed);
  EXPECT_THAT(named(one_lane, "active_share").sentence, HasSubstr("at least 90 % are asked for"));
  EXPECT_THAT(named(one_lane, "active_share").sentence,
              HasSubstr("; in the first warp, most lanes are idle at line 5"));
  EXPECT_EQ(named(one_lane, "active_share").line, 5);
  EXPECT_EQ(named(one_lane, "instructions").status, Failed);
  EXPECT_THAT(named(one_lane, "instructions").sentence, HasSubstr("at most 1.5 times are allowed"));
  EXPECT_THAT(named(one_lane, "instructions").sentence,
              HasSubstr("; the first warp executes most at line 5"));
  EXPECT_EQ(named(one_lane, "instructions").line, 5);
}

TEST_F(ExerciseCheck, a_budget_of_requests_names_the_line_that_takes_most_beyond_the_solutions) {
  // 1024 elements: 32 loads and 32 stores of a warp.
  EXPECT_TRUE(has_passed(check(kBody, "requests = \"2 * n / 32\"\n")));
  const auto twice = check(
      "  if (i < n) out[n - 1 - i] = in[i];\n  __threadfence();\n"
      "  if (i < n) out[n - 1 - i] = in[i];\n",
      "requests = \"2 * n / 32\"\n");
  EXPECT_EQ(named(twice, "requests").sentence,
            "128 requests to global memory, and at most 64 are allowed; the load at line 5 takes 32 of them");
  EXPECT_EQ(named(twice, "requests").line, 5);
}

TEST_F(ExerciseCheck, misses_of_the_modelled_l1_are_counted_and_told_with_their_line) {
  // 1024 elements are 128 sectors, which nobody has loaded before.
  EXPECT_EQ(named(check(kBody, "l1_misses = \"n / 8\"\n"), "l1_misses").status, Passed);
  const Check many = named(check(kBody, "l1_misses = \"n / 16\"\n"), "l1_misses");
  EXPECT_EQ(many.sentence,
            "128 loaded sectors miss the L1, by the modelled caches, and at most 64 are asked for; line 3 "
            "misses 128 of them");
  EXPECT_EQ(many.line, 3);
}

TEST_F(ExerciseCheck, barriers_are_counted_as_a_warp_reaches_them) {
  const std::string body =
      "  for (int k = 0; k < 3; ++k) __syncthreads();\n  __syncthreads();\n  __syncwarp();\n" +
      std::string(kBody);
  EXPECT_EQ(named(check(body, "barriers = \"4\"\n"), "barriers").status, Passed);
  const Check many = named(check(body, "barriers = \"n / 512\"\n"), "barriers");
  EXPECT_EQ(many.sentence, "a warp reaches 4 barriers, and at most 2 are allowed; 3 of them at line 3");
  EXPECT_EQ(many.line, 3);
}

TEST_F(ExerciseCheck, a_wrong_element_is_told_with_the_line_and_the_thread_that_wrote_it) {
  const Check output = named(check("  if (i < n) out[i] = in[i];\n"), "output");
  EXPECT_THAT(output.sentence, HasSubstr("; line 3 wrote it, in thread (0,0,0) of block (0,0,0)"));
  EXPECT_EQ(output.line, 3);
}

TEST_F(ExerciseCheck, a_note_is_told_where_the_output_is_wrong) {
  const Check output = named(check("  int v = i < n ? in[i] : 0;\n"
                                   "  if (threadIdx.x % 32 >= 8) {\n"
                                   "    if (i < n) out[n - 1 - i] = v;\n    return;\n  }\n"
                                   "  v = __shfl_down_sync(0xffffffff, v, 8);\n"
                                   "  if (i < n) out[n - 1 - i] = v;\n"),
                             "output");
  EXPECT_EQ(output.status, Failed);
  EXPECT_THAT(output.sentence, HasSubstr("; the reason may be this: line 8: "));
}

TEST_F(ExerciseCheck, a_race_between_warps_is_told_before_that_of_lanes_at_the_same_lines) {
  const Check memory = named(check("  __shared__ int kept[256];\n"
                                   "  kept[threadIdx.x] = i < n ? in[i] : 0;\n"
                                   "  int sum = 0;\n"
                                   "  for (int k = 0; k < 256; ++k) sum += kept[k];\n"
                                   "  if (i < n) out[n - 1 - i] = sum;\n"),
                             "memory");
  EXPECT_THAT(memory.sentence, HasSubstr("no barrier is between them; put __syncthreads() there"));
  EXPECT_EQ(memory.line, 6);
}

TEST_F(ExerciseCheck, the_sentences_are_in_the_language_that_is_asked_for) {
  std::ofstream(exercise_ / lesson::kExerciseFile)
      << kExercise << "coalesced = true\nsectors = \"2 * n / 8\"\ninstructions_of_solution = 1.5\n";
  const lesson::Exercise exercise = lesson::read_exercise(exercise_).value();
  const Job submission = submission_of(exercise_ / lesson::kSolutionFile).value();
  const auto checks =
      check_submission(execution_, options_, exercise, submission, {.language = Language::French}).value();
  EXPECT_TRUE(has_passed(checks));
  EXPECT_EQ(named(checks, "output").sentence, "comme celle de la solution dans 2 cas");
  EXPECT_EQ(named(checks, "coalesced").sentence, "4 secteurs par requête, l’idéal, en 64 requêtes");
  EXPECT_EQ(named(checks, "sectors").sentence, "256 secteurs de mémoire globale, et 256 au plus sont permis");
  EXPECT_THAT(named(checks, "instructions").sentence, HasSubstr("et 1,5 fois au plus sont permises"));
}

TEST_F(ExerciseCheck, cases_are_counted_while_they_are_checked) {
  std::ofstream(exercise_ / lesson::kExerciseFile) << kExercise;
  const lesson::Exercise exercise = lesson::read_exercise(exercise_).value();
  const Job submission = submission_of(exercise_ / lesson::kSolutionFile).value();
  std::vector<size_t> seen;
  ASSERT_TRUE(check_submission(execution_, options_, exercise, submission,
                               {.on_case = [&](size_t done) { seen.push_back(done); }}));
  EXPECT_EQ(seen, std::vector<size_t>{1});
}

TEST_F(ExerciseCheck, times_are_checked_on_a_gpu_alone) {
  const std::string asked = "microseconds = 25\ncopy_share = 0.5\n";
  const auto without = check(kBody, asked);
  EXPECT_EQ(named(without, "microseconds").status, NotRun);
  EXPECT_EQ(named(without, "copy_share").sentence, "needs a GPU");
  EXPECT_TRUE(has_passed(without));
  tests::FakeGpu gpu;  // 2 to 42 microseconds; a copy of 4096 bytes takes 0.0041 microseconds
  const auto with = check(kBody, asked, &gpu);
  EXPECT_EQ(named(with, "microseconds").status, Passed);
  EXPECT_THAT(named(with, "microseconds").sentence,
              testing::StartsWith("22 microseconds, the median of 21 runs"));
  EXPECT_EQ(named(with, "copy_share").status, Failed);
  EXPECT_EQ(named(check(kBody, "microseconds = 21\n", &gpu), "microseconds").status, Failed);
}

TEST_F(ExerciseCheck, a_file_that_is_no_text_is_an_error_of_the_file) {
  std::ofstream(folder_ / "mine.cu") << std::string("a\0b", 3);
  EXPECT_EQ(submission_of(folder_ / "mine.cu").error().kind, ErrorKind::File);
  EXPECT_EQ(submission_of(folder_ / "none.cu").error().kind, ErrorKind::File);
  std::ofstream(folder_ / "mine.cu") << std::string(2 << 20, ' ');
  EXPECT_THAT(submission_of(folder_ / "mine.cu").error().message, HasSubstr("1 MiB"));
}

}  // namespace
}  // namespace lanescope::pipeline
