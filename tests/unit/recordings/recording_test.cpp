// A recording as text and back, and what is said of a file that is none.

#include "recordings/recording.h"

#include "pipeline/execution.h"
#include "pipeline/stored_ptx.h"
#include "recordings/kernel_key.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

Recording sample() {
  Recording recording;
  recording.gpu.name = "NVIDIA \"Test\"";
  recording.gpu.compute_capability = "9.0";
  recording.gpu.driver = "580.1";
  recording.gpu.cuda = "13.0";
  recording.date = "2026-11-21";
  recording.repetitions = 15;
  recording.copies[4096] = {8192, {1e-6, 1.5e-6, 2e-6, 3e-6}, {1e-6, 1e-6, 1e-6, 1e-6}};
  trace::HardwareCounts counts;
  counts[trace::HardwareCount::GlobalLoadSectors] = 131072;
  counts[trace::HardwareCount::DramReadBytes] = 4'194'304;
  recording.texts["00ff"] = {"transpose",
                             {"TILE=32"},
                             {{1024, {8192, {4e-6, 4e-6, 5e-6, 6e-6}, {3e-6, 3e-6, 3e-6, 3e-6}}}},
                             {{1024, counts}}};
  return recording;
}

TEST(Recording, a_written_recording_reads_back_equal) {
  const auto back = parse_recording(recording_text(sample()), "sample.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, sample());
}

TEST(Recording, times_are_found_by_text_and_size) {
  const Recording recording = sample();
  ASSERT_NE(find_times(recording, "00ff", 1024), nullptr);
  EXPECT_EQ(find_times(recording, "00ff", 1024)->cold.median, 5e-6);
  EXPECT_EQ(find_times(recording, "00ff", 2048), nullptr);
  EXPECT_EQ(find_times(recording, "0000", 1024), nullptr);
  ASSERT_NE(find_copy(recording, 8192), nullptr);
  EXPECT_EQ(find_copy(recording, 8192)->cold.median, 2e-6);
  EXPECT_EQ(find_copy(recording, 4096), nullptr);
}

TEST(Recording, counts_are_found_by_text_and_size) {
  const Recording recording = sample();
  const trace::HardwareCounts* counts = find_counts(recording, "00ff", 1024);
  ASSERT_NE(counts, nullptr);
  EXPECT_EQ((*counts)[trace::HardwareCount::GlobalLoadSectors], 131072);
  EXPECT_FALSE((*counts)[trace::HardwareCount::L2Sectors]) << "not counted, which is not zero";
  EXPECT_EQ(find_counts(recording, "00ff", 2048), nullptr);
  EXPECT_EQ(find_counts(recording, "0000", 1024), nullptr);
}

TEST(Recording, an_unknown_count_is_skipped) {
  std::string text = recording_text(sample());
  const std::string known = "\"global_load_sectors\"";
  text.replace(text.find(known), known.size(), "\"global_load_miracles\"");
  const auto read = parse_recording(text, "newer.json");
  ASSERT_TRUE(read) << read.error().message;
  const trace::HardwareCounts* counts = find_counts(*read, "00ff", 1024);
  ASSERT_NE(counts, nullptr);
  EXPECT_FALSE((*counts)[trace::HardwareCount::GlobalLoadSectors]);
  EXPECT_EQ((*counts)[trace::HardwareCount::DramReadBytes], 4'194'304);
}

struct Broken {
  const char* name;
  std::string from, to;
  std::string word;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

class BrokenRecording : public testing::TestWithParam<Broken> {};

TEST_P(BrokenRecording, is_an_error_that_names_the_file_and_what_was_expected) {
  std::string text = recording_text(sample());
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().from.size(), GetParam().to);
  const auto read = parse_recording(text, "sample.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::Syntax);
  EXPECT_NE(read.error().message.find(GetParam().word), std::string::npos) << read.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    all, BrokenRecording,
    testing::Values(Broken{"not_json", "{", "[", "JSON"}, Broken{"no_gpu", "\"gpu\"", "\"gpus\"", "gpu"},
                    Broken{"gpu_is_a_number", "\"NVIDIA \\\"Test\\\"\"", "7", "gpu"},
                    Broken{"repetitions", "15", "-1", "repetitions"},
                    Broken{"size_is_a_word", "\"1024\"", "\"large\"", "large"},
                    Broken{"size_is_too_large", "\"1024\"", "\"99999999999999999999\"", "size"},
                    Broken{"too_few_times", "[8192, 4e-06, ", "[8192, ", "8 times"},
                    Broken{"a_negative_time", "4e-06", "-4e-06", "8 times"},
                    Broken{"a_count_too_few", "131072,", "",
                           fmt::format("{} counts", trace::kHardwareCounts)},
                    Broken{"a_negative_count", "131072,", "-131072,", "counts were expected"},
                    Broken{"a_column_without_name", "\"global_load_sectors\"", "7", "counts"},
                    Broken{"defines", "\"defines\"", "\"macros\"", "defines"},
                    Broken{"no_texts", "\"texts\"", "\"text\"", "texts"}),
    [](const auto& given) { return given.param.name; });

TEST(Recording, a_folder_gives_its_recordings_and_errors_for_broken_files) {
  const tests::TemporaryFolder own("recordings");
  const std::filesystem::path folder = own.path();
  std::ofstream(folder / "test.json") << recording_text(sample());
  std::ofstream(folder / "bad.json") << "nothing";
  std::ofstream(folder / "README.md") << "text";
  const Recordings found = read_recordings(folder);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(found.by_name.size(), 1);
  EXPECT_EQ(found.by_name.begin()->first, "test");
  EXPECT_EQ(found.errors.size(), 1);
  EXPECT_TRUE(read_recordings(folder).by_name.empty());
}

/// The recordings that are kept hold the times of the kernels as they are, and nothing else.
TEST(Recording, kept_recordings_know_every_kernel_of_every_lesson) {
  const pipeline::Options options = tests::project_options(1);
  pipeline::Execution execution(options);
  std::map<std::string, std::string> keys;  // and what they are of
  for (const std::string& name : lesson::lesson_names(options.assets / "lessons")) {
    const auto lesson = lesson::find_lesson(options.assets / "lessons", name).value();
    for (const lesson::Settings& settings : lesson::settings_to_record(lesson)) {
      if (lesson::kernel_of(lesson, settings).hazards) continue;
      const auto job = pipeline::text_job_of(lesson, settings, options).value();
      const auto ptx = execution.compiler().ptx_text(job);
      if (!ptx && ptx.error().kind == ErrorKind::File) GTEST_SKIP() << ptx.error().message;
      ASSERT_TRUE(ptx) << describe(ptx.error());
      keys[kernel_key(*ptx, job.kernel, launch_shapes(lesson, settings).value())] =
          fmt::format("{} {} {}", name, settings.kernel, fmt::join(job.options.defines, " "));
    }
  }
  const Recordings kept = read_recordings(options.assets / "recordings");
  EXPECT_TRUE(kept.errors.empty());
  ASSERT_FALSE(kept.by_name.empty());
  for (const auto& [name, recording] : kept.by_name) {
    EXPECT_EQ(recording.texts.size(), keys.size());
    for (const auto& [key, what] : keys)
      EXPECT_TRUE(recording.texts.contains(key))
          << name << ": " << what << " has changed since; record again";
  }
}

TEST(Recording, files_of_one_name_are_one_recording) {
  const tests::TemporaryFolder folder("recordings");
  Recording more = sample();
  more.date = "2026-11-22";
  more.texts = {{"0101", more.texts.at("00ff")}};
  more.copies = {{8192, more.copies.at(4096)}};
  std::ofstream(folder / "test.lessons.json") << recording_text(more);
  std::ofstream(folder / "test.json") << recording_text(sample());
  const Recordings found = read_recordings(folder.path());
  ASSERT_EQ(found.by_name.size(), 1u);
  const Recording& whole = found.by_name.at("test");
  EXPECT_EQ(whole.date, "2026-11-21");
  EXPECT_EQ(whole.texts.at("00ff").date, "");
  EXPECT_EQ(whole.texts.at("0101").date, "2026-11-22");
  EXPECT_NE(find_copy(whole, 8192), nullptr);
}

}  // namespace
}  // namespace lanescope::recordings
