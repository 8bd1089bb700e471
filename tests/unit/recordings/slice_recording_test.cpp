// A recording of slices as text and back, what is said of a file that is none, and whether the kept ones obey
// the rule that they state.

#include "recordings/slice_recording.h"

#include "model/address_maps.h"
#include "support/project.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

/// The page that the model's formula of an H200 makes.
SliceRecording sample() {
  SliceRecording recording;
  recording.gpu.name = "NVIDIA Test";
  recording.gpu.compute_capability = "9.0";
  recording.gpu.driver = "580.1";
  recording.gpu.cuda = "13.0";
  recording.date = "2026-11-21";
  std::vector<model::MeasuredGranule> granules;
  for (uint32_t offset = 0; offset < model::kSlicePageBytes; offset += model::kSliceGranuleBytes) {
    const model::H200Slice slice = model::h200_slice_of(offset);
    recording.page.push_back({static_cast<uint8_t>(slice.pair), static_cast<uint8_t>(slice.home)});
    granules.push_back({offset, recording.page.back()});
  }
  recording.rule = model::learn_page(granules).value();
  recording.other_granules = 8192;
  recording.other_agreeing = 8192;
  recording.fitted_pages = 512;
  recording.l2 = {2048, 109, 2744, 0.5, 0.0125};
  recording.dram = {90000, 47, 3263, 0.5, 0.0125};
  return recording;
}

TEST(SliceRecording, a_written_recording_reads_back_equal) {
  const SliceRecording written = sample();
  const auto back = parse_slices(slices_text(written), "sample.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->page, written.page);
  EXPECT_EQ(back->rule.table, written.rule.table);
  EXPECT_EQ(back->rule.base, written.rule.base);
  EXPECT_EQ(back->dram.lines, 90000);
  EXPECT_EQ(back->dram.all_slices, 3263);
  EXPECT_EQ(slices_text(*back), slices_text(written));
}

TEST(SliceRecording, a_granule_has_one_slice) {
  const SliceRecording recording = sample();
  EXPECT_EQ(slice_of(recording, 0), recording.page[0]);
  EXPECT_EQ(slice_of(recording, 255), recording.page[0]);
  EXPECT_EQ(slice_of(recording, 256), recording.page[1]);
}

struct BrokenSlices {
  const char* name;
  std::string from, to;
  const char* word;
};
void PrintTo(const BrokenSlices& broken, std::ostream* out) { *out << broken.name; }

class BrokenSliceRecording : public testing::TestWithParam<BrokenSlices> {};

TEST_P(BrokenSliceRecording, is_an_error_that_names_the_file_and_what_was_expected) {
  std::string text = slices_text(sample());
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().from.size(), GetParam().to);
  const auto read = parse_slices(text, "sample.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::Syntax);
  EXPECT_NE(read.error().message.find(GetParam().word), std::string::npos) << read.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    all, BrokenSliceRecording,
    testing::Values(BrokenSlices{"not_json", "{", "[", "JSON"},
                    BrokenSlices{"no_gpu", "\"gpu\"", "\"gpus\"", "gpu"},
                    BrokenSlices{"a_short_page", "\"page\": \"", "\"page\": \"00\", \"rest\": \"",
                                 "granules"},
                    BrokenSlices{"a_pair_too_many", "\"page\": \"4", "\"page\": \"7", "granule 0"},
                    BrokenSlices{"no_digit", "\"page\": \"4", "\"page\": \"-", "granule 0"},
                    BrokenSlices{"no_rule", "\"rule\"", "\"rules\"", "rule"},
                    BrokenSlices{"a_short_row", "\"table\":[[", "\"table\":[[1,", "47 pairs"},
                    BrokenSlices{"a_home_too_many", "\"home\":", "\"home\":7", "home"},
                    BrokenSlices{"more_agree_than_were_measured", "\"other_agreeing\": 8192",
                                 "\"other_agreeing\": 8193", "other_agreeing"},
                    BrokenSlices{"a_negative_time", "3263", "-1", "all_slices"},
                    BrokenSlices{"no_reads", "\"dram\"", "\"drum\"", "dram"}),
    [](const auto& given) { return given.param.name; });

TEST(SliceRecording, kept_ones_obey_their_rule_and_camp) {
  const std::filesystem::path folder = tests::source_dir() / "assets/recordings/slices";
  size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto recording = read_slices(entry.path());
    ASSERT_TRUE(recording) << recording.error().message;
    ++read;
    for (uint32_t offset = 0; offset < model::kSlicePageBytes; offset += model::kSliceGranuleBytes)
      ASSERT_EQ(model::slice_in_page(recording->rule.table, recording->rule.base, offset),
                slice_of(*recording, offset))
          << entry.path() << " at " << offset;
    EXPECT_EQ(recording->other_agreeing, recording->other_granules);
    EXPECT_GT(recording->other_granules, 0u);
    EXPECT_GT(recording->l2.all_slices, 10 * recording->l2.one_slice);
    EXPECT_GT(recording->dram.all_slices, 10 * recording->dram.one_slice);
  }
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace lanescope::recordings
