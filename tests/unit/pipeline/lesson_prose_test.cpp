// A small lesson whose numbers are known by hand, its texts with them, and a kernel that works on what
// another one wrote.

#include "pipeline/lesson_prose.h"

#include "pipeline/execution.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::pipeline {
namespace {

// 128 threads in two blocks: four warps. `stride` 8: each lane reads a sector of its own.
constexpr const char* kLesson = R"toml(title = "T"
[launch]
grid = [2]
block = [64]
arguments = ["in", "out", "i32: stride"]
buffers = [
  {name = "in", type = "f32", shape = ["128 * stride"], contents = "iota"},
  {name = "out", type = "f32", shape = [128], contents = "none"},
]
[[kernels]]
name = "gather"
label = "G"
file = "k.cu"
entry = "gather"
toggles = ["stride"]
[[kernels]]
name = "twice"
label = "D"
file = "k.cu"
entry = "twice"
toggles = ["stride"]
before = ["gather"]
[[toggles]]
name = "stride"
initial = "8"
label = "S"
hint = "h"
choices = [{value = "1"}, {value = "8"}]
[[questions]]
name = "one"
set = {stride = "1"}
answer = "read.sectors_per_request"
guesses = [1, 4, 32]
)toml";

constexpr const char* kKernels =
    R"(extern "C" __global__ void gather(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i * stride];  // @read one element
  out[i] = value;
}
extern "C" __global__ void twice(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * out[i];
}
)";

constexpr const char* kEnglish = R"(About {{blocks}} blocks.
# kernel gather
{{read.sectors_per_request}} sectors for {{read.lanes_per_request}} lanes, {{sectors}} in all.
## when stride == 1
Coalesced.
## when stride > 1
A stride of {{stride}}.
# kernel twice
Out: {{out[3]}}, sum {{sum.out}}.
# question one
How many sectors, not {{read.sectors}}?
## answer
{{read.sectors_per_request}} of {{global_load.lines_per_request}} line.
)";

std::string text_of(const std::vector<lesson::Paragraph>& paragraphs) {
  return lesson::plain_text(paragraphs, 200);
}

class LessonProseOfARun : public testing::Test {
 protected:
  LessonProseOfARun() {
    std::filesystem::create_directories(folder_ / "small");
    write("lesson.toml", kLesson);
    write("k.cu", kKernels);
    write("english.md", kEnglish);
    options_.cache = folder_ / "cache";
  }
  void write(const char* name, const char* text) const { std::ofstream(folder_ / "small" / name) << text; }
  Result<LessonProse> prose(const std::vector<std::pair<std::string, std::string>>& set) {
    TRY(const lesson::Lesson lesson, lesson::read_lesson(folder_ / "small"));
    TRY(const auto settings, lesson::with_toggles(lesson, lesson::initial_settings(lesson), set));
    TRY(const Job job, job_of(lesson, settings, options_));
    TRY(const auto run, execution_.run(job, device_, {}));
    return prose_of({lesson, settings, *run}, Language::English);
  }

  const tests::TemporaryFolder folder_{"lesson-prose"};
  Options options_ = tests::project_options();
  model::Device device_ = model::find_device(options_.assets / "devices", "h200").value();
  Execution execution_{options_};
};

TEST_F(LessonProseOfARun, has_the_numbers_of_the_run_and_the_sections_of_its_toggles) {
  const auto strided = prose({});
  ASSERT_TRUE(strided) << describe(strided.error());
  EXPECT_EQ(text_of(strided->introduction), "About 2 blocks.\n");
  // Four warps: 32 sectors each for the loads, 4 for the stores.
  EXPECT_EQ(text_of(strided->kernel), "32 sectors for 32 lanes, 144 in all.\n\nA stride of 8.\n");
  ASSERT_EQ(strided->questions.size(), 1u);
  EXPECT_EQ(text_of(strided->questions[0].text), "How many sectors, not …?\n");
  EXPECT_FALSE(strided->questions[0].is_set);
  EXPECT_FALSE(strided->questions[0].value);
  EXPECT_TRUE(strided->questions[0].answer.empty());
}

TEST(UnitWords, are_those_of_what_is_counted) {
  using enum model::CostUnits;
  const std::string text = "[[Wavefronts]]: 2 [[wavefronts]], 1 [[sector]], [[x]] and [[ a link";
  EXPECT_EQ(with_unit_words(text, Sectors, Language::English),
            "Wavefronts: 2 wavefronts, 1 sector, [[x]] and [[ a link");
  EXPECT_EQ(with_unit_words(text, Transactions, Language::English),
            "Passes: 2 passes, 1 transaction, [[x]] and [[ a link");
  EXPECT_EQ(with_unit_words("4 [[sectors]]", Sectors, Language::French), "4 secteurs");
  EXPECT_EQ(with_unit_words("4 [[sectors]]", Transactions, Language::French), "4 transactions");
}

TEST_F(LessonProseOfARun, answers_a_question_with_its_settings) {
  const auto plain = prose({{"stride", "1"}});
  ASSERT_TRUE(plain) << describe(plain.error());
  EXPECT_EQ(text_of(plain->kernel), "4 sectors for 32 lanes, 32 in all.\n\nCoalesced.\n");
  EXPECT_EQ(plain->questions[0].value, 4);
  EXPECT_EQ(text_of(plain->questions[0].answer), "4 of 1 line.\n");
}

TEST_F(LessonProseOfARun, has_the_counts_of_modelled_caches_where_the_lesson_asks_for_them) {
  const std::string text =
      "# kernel gather\n{{read.l1_hits}} {{read.l2_hits}} {{read.dram_sectors}} {{global_load.l1_hits}}\n"
      "# question one\n?\n## answer\n!\n";
  write("english.md", text.c_str());
  // Four warps load 32 sectors each, that nobody has loaded before.
  write("lesson.toml", ("caches = true\n" + std::string(kLesson)).c_str());
  const auto told = prose({});
  ASSERT_TRUE(told) << describe(told.error());
  EXPECT_EQ(text_of(told->kernel), "0 0 128 0\n");
  // Without the caches, and on a device whose caches are not known, the numbers are not known.
  write("lesson.toml", kLesson);
  EXPECT_EQ(text_of(prose({}).value().kernel), "– – – –\n");
  write("lesson.toml", ("caches = true\n" + std::string(kLesson)).c_str());
  device_ = model::find_device(options_.assets / "devices", "gt200").value();
  EXPECT_EQ(text_of(prose({}).value().kernel), "– – – –\n");
}

TEST_F(LessonProseOfARun, a_kernel_works_on_what_those_before_it_wrote) {
  const auto done = prose({{"kernel", "twice"}});
  ASSERT_TRUE(done) << describe(done.error());
  // out[i] = 2 * 8 i; the sum of 0 to 127 is 8128.
  EXPECT_EQ(text_of(done->kernel), "Out: 48, sum 130,048.\n");
}

TEST_F(LessonProseOfARun, a_number_that_the_run_does_not_have_is_an_error_with_its_line) {
  write("english.md",
        "# kernel gather\nx\n# kernel twice\ny {{read.sectors}}\n# question one\n?\n## answer\n!\n");
  const auto wrong = prose({{"kernel", "twice"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("// @read"), std::string::npos) << wrong.error().message;
  EXPECT_EQ(wrong.error().where->line, 3);
  for (const char* name :
       {"out[128]", "nothing[0]", "sum.nothing", "nothing", "partitions.nothing", "a.sectors", "a.l1_hits"}) {
    write("english.md",
          fmt::format("# kernel gather\n{{{{{}}}}}\n# question one\n?\n## answer\n!\n", name).c_str());
    const auto unknown = prose({});
    ASSERT_FALSE(unknown) << name;
    EXPECT_EQ(unknown.error().kind, ErrorKind::Usage) << name;
  }
}

TEST_F(LessonProseOfARun, partitions_of_a_device_without_a_known_map_are_unknown) {
  write("english.md", "# kernel gather\n{{partitions.count}}\n# question one\n?\n## answer\n!\n");
  EXPECT_EQ(text_of(prose({})->kernel), "–\n");
  device_ = model::find_device(options_.assets / "devices", "gt200").value();
  EXPECT_EQ(text_of(prose({})->kernel), "8\n");
}

}  // namespace
}  // namespace lanescope::pipeline
