#include "study/study_store.h"

#include "support/temporary_folder.h"

#include <fstream>

#include <gtest/gtest.h>

namespace lanescope::study {
namespace {

StudyOutcome outcome() {
  StudyOutcome outcome;
  outcome.timing.seconds = 0.1 + 0.2;  // has no short decimal form
  outcome.timing.useful_bytes = uint64_t{1} << 63;
  outcome.timing.blocks = 1024;
  outcome.timing.partitions = {{1, 2, 3, 4, 0.5, 1.0 / 3}, {}};
  outcome.work.l2_bytes = 17;
  outcome.work.blocks_in_flight = 90;
  outcome.key = "k";
  return outcome;
}

TEST(StudyStore, an_outcome_is_read_as_it_was_written) {
  const tests::TemporaryFolder folder("studies");
  EXPECT_EQ(read_outcome(folder / "deep/er", "n"), nullptr);
  write_outcome(folder / "deep/er", "n", outcome());
  const auto found = read_outcome(folder / "deep/er", "n");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->timing.seconds, 0.1 + 0.2);
  EXPECT_EQ(found->timing.useful_bytes, uint64_t{1} << 63);
  ASSERT_EQ(found->timing.partitions.size(), 2u);
  EXPECT_EQ(found->timing.partitions[0].mean_queue, 1.0 / 3);
  EXPECT_EQ(found->timing.partitions[0].written_bytes, 4u);
  EXPECT_EQ(found->work, outcome().work);
  EXPECT_EQ(found->key, "k");
}

TEST(StudyStore, a_file_that_was_cut_counts_as_none) {
  const tests::TemporaryFolder folder("studies");
  write_outcome(folder.path(), "n", outcome());
  std::string text;
  std::getline(std::ifstream(folder / "n.json"), text);
  for (const std::string& bad : {text.substr(0, text.size() / 2), std::string(), std::string("[]"),
                                 std::string("{\"timing\": 3, \"work\": {}, \"key\": \"\"}")}) {
    std::ofstream(folder / "n.json") << bad;
    EXPECT_EQ(read_outcome(folder.path(), "n"), nullptr) << bad;
  }
}

TEST(StudyStore, the_name_follows_the_text_the_launch_the_toggles_the_device_and_the_blocks) {
  StudyRun run{.kernel = "k", .toggles = {}, .device = {}, .most_blocks = 8, .done = {}};
  run.device.sources = {{"a.b", "1", "paper"}};
  pipeline::Job job;
  job.kernel = "k";
  job.source.text = "text";
  const std::string name = name_of_outcome(run, job, "shapes");
  EXPECT_EQ(name.size(), 32u);
  EXPECT_EQ(name, name_of_outcome(run, job, "shapes"));
  EXPECT_NE(name, name_of_outcome(run, job, "other"));
  StudyRun blocks = run;
  blocks.most_blocks = 9;
  EXPECT_NE(name, name_of_outcome(blocks, job, "shapes"));
  StudyRun toggles = run;
  toggles.toggles = {{"size", "2048"}};
  EXPECT_NE(name, name_of_outcome(toggles, job, "shapes"));
  StudyRun device = run;
  device.device.sources[0].value = "2";
  EXPECT_NE(name, name_of_outcome(device, job, "shapes"));
  job.source.text = "texts";
  EXPECT_NE(name, name_of_outcome(run, job, "shapes"));
}

TEST(StudyStore, runs_of_sweeps_are_kept) {
  StudyRun run{.kernel = "k", .toggles = {}, .device = {}, .most_blocks = 8, .done = {}};
  EXPECT_FALSE(is_kept(run)) << "the device has no timing model";
  run.device.timing.emplace();
  EXPECT_TRUE(is_kept(run));
  run.most_blocks = 0;
  EXPECT_FALSE(is_kept(run)) << "its figure shows windows of time";
}

}  // namespace
}  // namespace lanescope::study
