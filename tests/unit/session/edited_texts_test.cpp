// Texts that are edited in the window: run from memory, saved in place or as a copy, and never over what
// another program wrote.

#include "session/edited_texts.h"

#include "compile/compiler.h"
#include "session/failed_run.h"
#include "session/opened_file.h"
#include "session/session.h"
#include "support/project_options.h"
#include "support/shown_once.h"
#include "support/temporary_folder.h"
#include "support/two_kernels.h"
#include "trace/traffic.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class EditedTextsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!compile::find_compiler(tests::project_options().fetched)) GTEST_SKIP() << "there is no NVRTC";
    pipeline::Options options = tests::project_options(1);
    options.submissions = folder_ / "own";
    options.own_launches = folder_ / "launches";
    session_ = std::make_unique<Session>(options);
  }
  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static std::string read(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_->post(command);
    session_->wait_until_idle();
    return session_->latest();
  }
  static std::string replaced(std::string text, std::string_view what, std::string_view by) {
    return text.replace(text.find(what), what.size(), by);
  }
  static const SourceText& source(const Snapshot& now, size_t number = 0) {
    return now.sources->files.at(number);
  }
  static uint64_t stores(const Snapshot& now) {
    return trace::total_of(*now.run->trace, trace::Space::Global, trace::Traffic::Store).requests;
  }

  tests::TemporaryFolder folder_{"edited-texts"};
  std::unique_ptr<Session> session_;
};

/// Half of the elements.
const std::string kHalf = [] {
  std::string text = tests::kTwoKernels;
  const std::string_view all = "if (i < n) y[i]";
  return text.replace(text.find(all), all.size(), "if (i < n / 2) y[i]");
}();

TEST_F(EditedTextsTest, an_edited_file_runs_from_memory_and_is_saved_in_place) {
  const fs::path file = write("two.cu", tests::kTwoKernels);
  auto now = after(OpenFile{file});
  ASSERT_NE(now->sources, nullptr);
  EXPECT_EQ(source(*now).path, file);
  EXPECT_EQ(*source(*now).text, tests::kTwoKernels);
  EXPECT_FALSE(source(*now).is_edited);
  now = after(SetText{file, kHalf, 7});
  EXPECT_EQ(stores(*now), 8u);
  EXPECT_EQ(now->run->source_text, kHalf);
  EXPECT_TRUE(source(*now).is_edited);
  EXPECT_FALSE(source(*now).is_saved);
  EXPECT_EQ(source(*now).edit, 7u);
  EXPECT_EQ(source(*now).target, file);
  EXPECT_EQ(read(file), tests::kTwoKernels);
  now = after(SaveText{file});
  EXPECT_EQ(read(file), kHalf);
  EXPECT_FALSE(source(*now).is_edited);
  EXPECT_TRUE(source(*now).is_saved);
}

TEST_F(EditedTextsTest, what_does_not_compile_leaves_the_run_before_and_comes_back_when_it_does) {
  const fs::path file = write("two.cu", tests::kTwoKernels);
  after(OpenFile{file});
  auto now = after(SetText{file, replaced(tests::kTwoKernels, "y[i] += a", "y[i] += b"), 1});
  ASSERT_NE(now->failed, nullptr);
  ASSERT_EQ(now->failed->errors.size(), 1u);
  EXPECT_EQ(now->failed->errors[0].line, 8);
  EXPECT_EQ(now->run->source_text, tests::kTwoKernels);
  EXPECT_THAT(*source(*now).text, HasSubstr("y[i] += b"));
  now = after(SetText{file, tests::kTwoKernels, 2});
  EXPECT_EQ(now->failed, nullptr);
  EXPECT_FALSE(source(*now).is_edited) << "it is as in the file again";
}

TEST_F(EditedTextsTest, another_parameter_gets_a_guess_and_the_other_arguments_stay) {
  const fs::path file = write("two.cu", "__global__ void f(float* x) { x[threadIdx.x] = 1; }\n");
  after(OpenFile{file});
  const auto now = after(SetText{file, "__global__ void f(float* x, int k) { x[threadIdx.x] = k; }\n", 1});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.file->launches.launches[0].arguments.size(), 2u);
}

TEST_F(EditedTextsTest, a_file_that_another_program_changed_is_not_overwritten_unasked) {
  const fs::path file = write("two.cu", tests::kTwoKernels);
  const std::string other = replaced(tests::kTwoKernels, "*= 2", "*= 3");
  after(OpenFile{file});
  after(SetText{file, kHalf, 1});
  write("two.cu", other);
  auto now = after(SaveText{file});
  EXPECT_EQ(source(*now).dispute, Dispute::FileChanged);
  EXPECT_EQ(read(file), other);
  now = after(ChooseText{file, ChooseText::Which::Edited});
  EXPECT_EQ(source(*now).dispute, Dispute::None);
  now = after(SaveText{file});
  EXPECT_EQ(read(file), kHalf);
  EXPECT_EQ(now->run->source_text, kHalf);
}

TEST_F(EditedTextsTest, a_change_on_disk_is_noticed_while_there_are_edits_and_can_be_taken) {
  const fs::path file = write("two.cu", tests::kTwoKernels);
  const std::string other = replaced(tests::kTwoKernels, "*= 2", "*= 3");
  after(OpenFile{file});
  after(SetText{file, kHalf, 1});
  write("two.cu", other);
  auto now =
      tests::once(*session_, [](const Snapshot& s) { return source(s).dispute == Dispute::FileChanged; });
  ASSERT_EQ(source(*now).dispute, Dispute::FileChanged);
  session_->wait_until_idle();
  EXPECT_EQ(session_->latest()->run->source_text, kHalf) << "edits stay until the person chooses";
  now = after(ChooseText{file, ChooseText::Which::Original});
  EXPECT_EQ(now->run->source_text, other);
  EXPECT_FALSE(source(*now).is_edited);
  EXPECT_EQ(source(*now).dispute, Dispute::None);
}

TEST_F(EditedTextsTest, ends_of_lines_tabs_and_bytes_that_are_no_text_are_saved_as_they_are) {
  const std::string text =
      "\xef\xbb\xbf// caf\xe9\r\n__global__ void f(float* x) {\r\n\tx[threadIdx.x] = 1;\n}";
  const fs::path file = write("odd.cu", text);
  auto now = after(OpenFile{file});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(*source(*now).text, text);
  const std::string edited = replaced(text, "= 1", "= 2");
  after(SetText{file, edited, 1});
  now = after(SaveText{file});
  EXPECT_EQ(read(file), edited);
}

TEST_F(EditedTextsTest, saving_elsewhere_opens_that_file_with_the_same_launches) {
  const fs::path file = write("two.cu", tests::kTwoKernels);
  auto now = after(OpenFile{file});
  pipeline::LaunchFile launches = now->choices.file->launches;
  launches.launches[0].grid = "2";
  after(SetLaunches{launches});
  after(SetText{file, kHalf, 1});
  now = after(SaveText{file, folder_ / "other.cu"});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->choices.file->path, folder_ / "other.cu");
  EXPECT_EQ(now->choices.file->launches.launches[0].grid, "2");
  EXPECT_EQ(now->run->source_text, kHalf);
  EXPECT_EQ(read(file), tests::kTwoKernels);
  EXPECT_EQ(read(folder_ / "other.cu"), kHalf);
  EXPECT_FALSE(source(*now).is_edited);
}

TEST_F(EditedTextsTest, a_folder_that_cannot_be_written_is_said) {
  const fs::path file = write("two.cu", tests::kTwoKernels);
  after(OpenFile{file});
  after(SetText{file, kHalf, 1});
  const auto now = after(SaveText{file, folder_ / "two.cu/inside.cu"});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("another name"));
  EXPECT_FALSE(source(*now).is_saved);
}

TEST_F(EditedTextsTest, a_lessons_kernel_is_edited_in_memory_with_its_toggles_and_checks) {
  after(OpenLesson{"transpose"});
  auto now = after(SetDevice{"h200"});
  const fs::path file = source(*now).path;
  const std::string original = *source(*now).text;
  const std::string edited = replaced(original, "+ x] = element", "+ x] = element + 1");
  now = after(SetText{file, edited, 1});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(now->run->output_correct, false);
  EXPECT_EQ(now->timings.bandwidth, nullptr) << "the recorded times are of another text";
  now = after(SetToggle{"padding", "1"});
  EXPECT_EQ(now->run->source_text, edited);
  EXPECT_EQ(now->run->output_correct, false);
  EXPECT_EQ(read(file), original);
  now = after(ChooseText{file, ChooseText::Which::Original});
  EXPECT_EQ(now->run->output_correct, true);
  EXPECT_NE(now->timings.bandwidth, nullptr);
}

TEST_F(EditedTextsTest, a_lessons_kernel_is_saved_as_a_copy_that_is_found_again) {
  auto now = after(OpenLesson{"transpose"});
  const fs::path file = source(*now).path;
  const std::string original = *source(*now).text;
  const std::string edited = "// mine\n" + original;
  EXPECT_EQ(source(*now).target,
            pipeline::edited_name(folder_ / "own/my_kernels/transpose/transpose_tiled.cu"));
  EXPECT_FALSE(source(*now).has_copy);
  after(SetText{file, edited, 1});
  now = after(SaveText{file});
  EXPECT_TRUE(source(*now).has_copy);
  EXPECT_TRUE(source(*now).is_saved);
  EXPECT_EQ(read(source(*now).target), edited);
  EXPECT_EQ(read(file), original);
  // Another session finds the copy, and does not replace it unasked.
  SetUp();
  now = after(OpenLesson{"transpose"});
  EXPECT_TRUE(source(*now).has_copy);
  EXPECT_EQ(now->run->source_text, original);
  after(SetText{file, "// other\n" + original, 1});
  now = after(SaveText{file});
  EXPECT_EQ(source(*now).dispute, Dispute::CopyExists);
  EXPECT_EQ(read(source(*now).target), edited);
  now = after(ChooseText{file, ChooseText::Which::Target});
  EXPECT_EQ(now->run->source_text, edited);
  EXPECT_TRUE(source(*now).is_saved);
}

TEST_F(EditedTextsTest, a_header_of_a_lesson_and_of_a_persons_file_is_edited_too) {
  auto now = after(OpenLesson{"transpose"});
  ASSERT_EQ(now->sources->files.size(), 2u);
  EXPECT_EQ(source(*now, 1).name, "tile.h");
  now = after(SetText{
      source(*now, 1).path,
      replaced(*source(*now, 1).text, "SWIZZLE ? column ^ (row % TILE)", "1 ? column ^ (row % TILE)"), 1});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(trace::total_of(*now->run->trace, trace::Space::Shared, trace::Traffic::Load).wavefronts,
            trace::total_of(*now->run->trace, trace::Space::Shared, trace::Traffic::Load).requests);
  const fs::path header = write("count.h", "#define COUNT 32\n");
  const fs::path file = write("own.cu",
                              "#include \"count.h\"\n__global__ void f(float* x) {\n"
                              "  for (int i = 0; i < COUNT; i += 32) x[i] = 1;\n}\n");
  now = after(OpenFile{file});
  ASSERT_FALSE(now->error) << describe(*now->error);
  ASSERT_EQ(now->sources->files.size(), 2u);
  EXPECT_EQ(source(*now, 1).path, header);
  const uint64_t before = stores(*now);
  now = after(SetText{header, "#define COUNT 64\n", 1});
  ASSERT_FALSE(now->error) << describe(*now->error);
  EXPECT_EQ(stores(*now), 2 * before);
  ASSERT_EQ(now->sources->files.size(), 2u);
  EXPECT_EQ(source(*now, 1).path, header);
  EXPECT_EQ(*source(*now, 1).text, "#define COUNT 64\n");
  EXPECT_EQ(read(header), "#define COUNT 32\n");
}

TEST_F(EditedTextsTest, a_toggle_says_which_line_its_macro_rules) {
  const auto now = after(OpenLesson{"transpose"});
  const auto line = [&](const char* toggle) -> std::pair<std::string, std::string> {
    for (const ToggleLine& one : now->sources->toggles) {
      if (one.toggle != toggle) continue;
      std::istringstream text(*now->sources->files[one.file].text);
      std::string found;
      for (int n = 0; n < one.line; ++n) std::getline(text, found);
      return {now->sources->files[one.file].name, found};
    }
    return {};
  };
  EXPECT_EQ(line("order").first, "tile.h");
  EXPECT_THAT(line("order").second, HasSubstr("if (!DIAGONAL)"));
  EXPECT_THAT(line("swizzle").second, HasSubstr("SWIZZLE ? column"));
  EXPECT_EQ(line("padding").first, "transpose_tiled.cu");
  EXPECT_THAT(line("padding").second, HasSubstr("TILE + PADDING"));
}

TEST_F(EditedTextsTest, include_folders_are_searched_kept_and_checked) {
  fs::create_directories(folder_ / "headers");
  write("headers/far.h", "#define FAR 3\n");
  const fs::path file =
      write("own.cu", "#include \"far.h\"\n__global__ void f(float* x) { x[threadIdx.x] = FAR; }\n");
  auto now = after(OpenFile{file});
  EXPECT_EQ(now->run, nullptr);
  now = after(OpenFile{file, {(folder_ / "headers").string()}});
  ASSERT_FALSE(now->error) << describe(*now->error);
  SetUp();
  now = after(OpenFile{file});
  ASSERT_FALSE(now->error) << "kept with the launches: " << describe(*now->error);
  pipeline::LaunchFile launches = now->choices.file->launches;
  EXPECT_THAT(launches.include_directories, ElementsAre((folder_ / "headers").string()));
  launches.include_directories = {"no_such"};
  now = after(SetLaunches{launches});
  ASSERT_TRUE(now->error);
  EXPECT_THAT(now->error->message, HasSubstr("no_such"));
  launches.include_directories = {"headers"};  // relative to the file
  now = after(SetLaunches{launches});
  EXPECT_FALSE(now->error);
}

}  // namespace
}  // namespace lanescope::session
