// Bandwidths of the chosen device: modelled where it has a timing model, recorded where there is a recording
// of it, else those of another GPU, which say so.

#include "plot/figures.h"
#include "session/session.h"
#include "support/bandwidth_picture.h"
#include "support/project_options.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

class ModelledBandwidthTest : public testing::Test {
 protected:
  /// Posts, and waits until the bandwidths are modelled too.
  std::shared_ptr<const Snapshot> after(const Command& command) {
    session_.post(command);
    session_.wait_until_modelled();
    return session_.latest();
  }
  static double rate_of(const plot::Bandwidth& bandwidth) {
    return std::ranges::find(bandwidth.bars, true, &plot::Bandwidth::Bar::current)->gb_per_second;
  }
  Session session_{tests::project_options(1)};
};

TEST_F(ModelledBandwidthTest, on_a_gt200_the_diagonal_order_is_several_times_as_fast) {
  after(OpenLesson{"transpose"});
  after(SetToggle{"kernel", "padded"});
  auto now = after(SetToggle{"size", "2048"});
  ASSERT_EQ(now->choices.device.name, "gt200");
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Modelled);
  EXPECT_EQ(now->timings.bandwidth->gpu, now->choices.device.title);
  EXPECT_TRUE(now->timings.bandwidth->chosen_gpu.empty());
  EXPECT_EQ(now->timings.bandwidth->bars.size(), now->choices.lesson->kernels.size());
  const double rows = rate_of(*now->timings.bandwidth);
  now = after(SetToggle{"order", "diagonal"});
  const double diagonal = rate_of(*now->timings.bandwidth);
  // NVIDIA, "Optimizing Matrix Transpose in CUDA": 16.6 and 69.5 GiB/s; app/docs/numbers.md has the model's.
  const double gib = 1.073741824;
  EXPECT_NEAR(rows / gib, 16.6, 2.5);
  EXPECT_NEAR(diagonal / gib, 69.5, 10);
}

/// Of each lesson that opens on a device with a timing model, with every kernel in the sizes of the menu up
/// to `largest`.
class ModelledPictures : public ModelledBandwidthTest {
 protected:
  size_t walk(int largest) {
    size_t pictures = 0;
    const auto first = session_.latest();
    for (const std::string& name : first->available.lessons) {
      const auto opened = after(OpenLesson{name});
      if (!opened->choices.device.timing) continue;
      const lesson::Lesson& lesson = *opened->choices.lesson;
      for (const lesson::Kernel& kernel : lesson.kernels)
        for (const lesson::Choice& size : lesson::find_toggle(lesson, lesson.size_toggle)->choices) {
          if (std::atoi(size.value.c_str()) > largest) continue;
          const auto now = after(SetToggles{{{"kernel", kernel.name}, {lesson.size_toggle, size.value}}});
          if (!now->timings.bandwidth) continue;
          EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Modelled);
          ++pictures;
          tests::expect_consistent(plot::bandwidth_figure(*now->timings.bandwidth, {.size = {1600, 900}}),
                                   name + " " + kernel.name + " " + size.value);
        }
    }
    return pictures;
  }
};
TEST_F(ModelledPictures, never_contradict_themselves) { EXPECT_GT(walk(512), 10u); }

class SlowModelledPictures : public ModelledPictures {};
TEST_F(SlowModelledPictures, of_larger_sizes_never_contradict_themselves) { EXPECT_GT(walk(1024), 20u); }

TEST_F(ModelledBandwidthTest, without_a_copy_of_as_many_bytes_nothing_is_said_of_one) {
  after(OpenLesson{"partitions"});
  const auto now = after(SetToggle{"size", "512"});
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->copy_gb_per_second, 0) << "the lesson has no kernel that copies";
  const plot::Figure figure = plot::bandwidth_figure(*now->timings.bandwidth, {});
  EXPECT_EQ(figure.explanation.find("copy"), std::string::npos) << figure.explanation;
  EXPECT_NE(figure.explanation.find("GB/s"), std::string::npos) << figure.explanation;
  EXPECT_TRUE(std::ranges::none_of(figure.marks, [](const plot::Mark& mark) {
    const auto* label = std::get_if<plot::Label>(&mark);
    return label != nullptr && label->text.ends_with('%');
  }));
}

TEST_F(ModelledBandwidthTest, on_an_h200_they_are_recorded) {
  after(OpenLesson{"transpose"});
  const auto now = after(SetDevice{"h200"});
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Recorded);
  EXPECT_EQ(now->timings.bandwidth->gpu, "NVIDIA H200");
  EXPECT_TRUE(now->timings.bandwidth->chosen_gpu.empty());
}

TEST_F(ModelledBandwidthTest, of_a_device_without_times_and_model_the_header_names_the_other_one) {
  after(OpenLesson{"transpose"});
  const auto now = after(SetDevice{"volta"});
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->gpu, "NVIDIA H200");
  EXPECT_EQ(now->timings.bandwidth->chosen_gpu, now->choices.device.title);
  const plot::Figure figure = plot::bandwidth_figure(*now->timings.bandwidth, {});
  EXPECT_TRUE(figure.subtitle.starts_with("NVIDIA H200, not the Tesla V100 (Volta)")) << figure.subtitle;
}

TEST_F(ModelledBandwidthTest, a_recording_that_is_asked_for_is_shown_until_another_device_is_chosen) {
  after(OpenLesson{"transpose"});
  auto now = after(SetRecording{"h200"});
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Recorded);
  now = after(SetDevice{"gt200"});
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Modelled);
}

TEST_F(ModelledBandwidthTest, a_lesson_chooses_the_device_that_its_text_is_about) {
  EXPECT_EQ(after(OpenLesson{"partitions"})->choices.device.name, "gt200");
  EXPECT_EQ(after(OpenLesson{"banks"})->choices.device.name, "h200");
}

TEST_F(ModelledBandwidthTest, devices_are_listed_by_title_from_the_oldest_on) {
  const auto& devices = session_.latest()->available.devices;
  ASSERT_FALSE(devices.empty());
  EXPECT_TRUE(std::ranges::is_sorted(devices, {}, &Available::DeviceName::compute_capability));
  const auto gt200 = std::ranges::find(devices, "gt200", &Available::DeviceName::name);
  ASSERT_NE(gt200, devices.end());
  EXPECT_EQ(gt200->title, "GeForce GTX 280 (GT200)");
  EXPECT_TRUE(gt200->has_partition_map);
}

}  // namespace
}  // namespace lanescope::session
