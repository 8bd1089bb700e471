// Measured bars with a GPU of scripted answers: what is requested of it, and how its answers are used and its
// errors.

#include "recordings/measurement.h"

#include "plot/figures.h"
#include "session/recording_list.h"
#include "session/session.h"
#include "session/study_state.h"
#include "support/project.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

const std::filesystem::path kProject = tests::source_dir();

/// Each kernel takes a microsecond more than the one before; a copy takes one.
class ScriptedGpu : public gpu::Gpu {
 public:
  struct Log {
    size_t times = 0, copies = 0, counts = 0;
    bool may_count = true;
    bool faults = false;
    std::function<void()> described, first_timed;  // called from the worker's thread
  };
  explicit ScriptedGpu(Log& log) : log_(log) {}

  Result<gpu::Description> describe() override {
    if (log_.described) log_.described();
    gpu::Description description;
    description.name = "NVIDIA Scripted";
    description.driver = "1.2";
    return description;
  }
  Result<gpu::Timing> time(const gpu::Kernel&, const launch::Launch&, const gpu::TimingOptions&) override {
    if (log_.faults) return fail(ErrorKind::Memory, "the kernel faulted");
    if (log_.times == 0 && log_.first_timed) log_.first_timed();
    return gpu::Timing{{static_cast<double>(++log_.times) * 1e-6}};
  }
  Result<gpu::Timing> time_copy(uint64_t, const gpu::TimingOptions&) override {
    ++log_.copies;
    return gpu::Timing{{1e-6}};
  }
  Result<trace::HardwareCounts> count(const gpu::Kernel&, const launch::Launch&, gpu::Filling) override {
    if (!log_.may_count) return fail(ErrorKind::Unsupported, "not permitted");
    trace::HardwareCounts counts;
    counts[trace::HardwareCount::GlobalLoadSectors] = ++log_.counts;
    return counts;
  }
  Result<gpu::TracedRun> trace(const gpu::Kernel&, const launch::Launch&, const trace::Trace&,
                               const trace::Keep&) override {
    return fail(ErrorKind::Unsupported, "measuring needs no trace");
  }

 private:
  Log& log_;
};

class Measuring : public testing::Test {
 protected:
  Measuring() {
    options_.assets = kProject / "assets";
    options_.fetched = kProject / ".cache/third_party";
    options_.cache = kProject / ".cache/ptx";
    options_.kernels = kProject / "kernels";
    options_.open_gpu = [this](const std::stop_token&) -> Result<std::unique_ptr<gpu::Gpu>> {
      return std::make_unique<ScriptedGpu>(log_);
    };
  }
  std::shared_ptr<const Snapshot> measured(const std::string& size) {
    Session session(options_);
    session.post(OpenLesson{"transpose"});
    session.post(SetToggle{"size", size});
    session.post(MeasureKernels{});
    session.wait_until_idle();
    return session.latest();
  }
  ScriptedGpu::Log log_;
  pipeline::Options options_;
};

TEST_F(Measuring, every_kernel_gets_a_measured_bar_with_its_counts) {
  const auto now = measured("128");
  ASSERT_FALSE(now->error) << now->error->message;
  EXPECT_TRUE(now->available.has_gpu);
  EXPECT_FALSE(now->timings.measuring);
  ASSERT_NE(now->timings.bandwidth, nullptr);
  const plot::Bandwidth& bandwidth = *now->timings.bandwidth;
  EXPECT_EQ(bandwidth.provenance, Provenance::Measured);
  EXPECT_EQ(bandwidth.gpu, "NVIDIA Scripted");
  EXPECT_EQ(bandwidth.bars.size(), now->choices.lesson->kernels.size());
  EXPECT_EQ(log_.times, 2 * now->choices.lesson->kernels.size()) << "with a cold and a warm L2";
  // 128 x 128 floats, read and written, in the first microsecond.
  EXPECT_NEAR(bandwidth.bars[0].gb_per_second, 2 * 128 * 128 * 4 / 1e-6 * 1e-9, 1e-6);
  EXPECT_TRUE(std::ranges::all_of(bandwidth.bars, [](const auto& bar) { return bar.counts.has_value(); }));
}

TEST_F(Measuring, without_permission_for_counters_only_times_are_measured) {
  log_.may_count = false;
  const auto now = measured("128");
  ASSERT_FALSE(now->error);
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_FALSE(now->timings.bandwidth->bars[0].counts);
}

TEST_F(Measuring, a_kernel_that_faults_is_reported_and_the_recorded_bars_stay) {
  log_.faults = true;
  const auto now = measured("1024");
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->error->message, "the kernel faulted");
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Recorded);
}

TEST_F(Measuring, a_matrix_that_is_not_square_is_a_usage_error) {
  const auto now = measured("128x256");
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->error->kind, ErrorKind::Usage);
  EXPECT_EQ(log_.times, 0);
}

TEST_F(Measuring, a_request_to_stop_is_kept) {
  ScriptedGpu gpu(log_);
  const auto lesson = lesson::find_lesson(options_.assets / "lessons", "transpose").value();
  const auto settings = lesson::with_toggle(lesson, lesson::initial_settings(lesson), "size", "128").value();
  pipeline::Execution execution(options_);
  recordings::KernelKeys keys;
  recordings::Recording measured;
  std::stop_source stop;
  const recordings::MeasureRequest request{.lesson = lesson,
                                           .settings = settings,
                                           .options = options_,
                                           .stop = stop.get_token(),
                                           .progress = [&](size_t done, size_t total) {
                                             EXPECT_EQ(total, 2 * lesson.kernels.size());
                                             if (done == 2) stop.request_stop();
                                           }};
  const auto result = recordings::measure_kernels(gpu, request, execution, keys, measured);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(log_.times, 6) << "three kernels, cold and warm";
}

/// A session that gets commands while its kernels are measured.
class MeasuringSession : public Measuring {
 protected:
  MeasuringSession() : session_(options_) {
    session_.post(OpenLesson{"transpose"});
    session_.post(SetToggle{"size", "128"});
    session_.wait_until_idle();
  }
  std::shared_ptr<const Snapshot> after_measuring(const std::vector<Command>& meanwhile) {
    log_.first_timed = [this, meanwhile] {
      for (const Command& command : meanwhile) session_.post(command);
    };
    session_.post(MeasureKernels{});
    session_.wait_until_idle();
    return session_.latest();
  }
  size_t times_of_all() const { return 2 * session_.latest()->choices.lesson->kernels.size(); }

  Session session_;
};

TEST_F(MeasuringSession, the_number_of_measurements_is_shown_before_the_first) {
  std::optional<MeasureProgress> shown;
  log_.described = [&] { shown = session_.latest()->timings.measuring; };
  const auto now = after_measuring({});
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->done, 0u);
  EXPECT_EQ(shown->total, times_of_all()) << "as many as times and counts of the kernels";
  EXPECT_FALSE(now->timings.measuring);
}

TEST_F(MeasuringSession, a_device_and_a_study_wait_until_measuring_ends) {
  const auto now = after_measuring({SetDevice{"h200"}, ShowStudy{{.study = study::Study::Device}}});
  EXPECT_EQ(log_.times, times_of_all()) << "once";
  ASSERT_NE(now->timings.bandwidth, nullptr);
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Measured);
  EXPECT_EQ(now->timings.bandwidth->bars.size(), now->choices.lesson->kernels.size());
  EXPECT_EQ(now->choices.device.name, "h200");
  EXPECT_TRUE(now->study->make);
}

TEST_F(MeasuringSession, a_toggle_preempts_measuring_which_then_starts_again) {
  const auto now = after_measuring({SetToggle{"padding", "3"}});
  EXPECT_EQ(now->run->defines[2], "PADDING=3");
  EXPECT_EQ(log_.times, 2 + times_of_all()) << "one kernel before the toggle";
  EXPECT_EQ(now->timings.bandwidth->provenance, Provenance::Measured);
  EXPECT_EQ(now->timings.bandwidth->bars.size(), now->choices.lesson->kernels.size());
  EXPECT_FALSE(now->timings.measuring);
}

TEST_F(MeasuringSession, stopping_ends_measuring_and_a_queued_one) {
  const auto now = after_measuring({MeasureKernels{}, StopMeasuring{}});
  EXPECT_EQ(log_.times, 2u) << "one kernel";
  EXPECT_FALSE(now->timings.measuring);
  EXPECT_FALSE(now->error);
}

TEST_F(MeasuringSession, a_pending_run_precedes_measuring) {
  std::string ran;
  log_.described = [&] { ran = session_.latest()->run->defines[2]; };
  session_.post(SetToggle{"padding", "3"});
  session_.post(SetDevice{"h200"});
  after_measuring({});
  EXPECT_EQ(ran, "PADDING=3");
}

TEST_F(Measuring, only_the_chosen_kernel_has_emulated_counts) {
  const auto now = measured("128");
  for (const auto& bar : now->timings.bandwidth->bars)
    EXPECT_EQ(bar.emulated.has_value(), bar.current) << bar.kernel;
  const auto current = std::ranges::find(now->timings.bandwidth->bars, true, &plot::Bandwidth::Bar::current);
  // 128 x 128 floats are 2048 sectors.
  EXPECT_EQ((*current->emulated)[trace::HardwareCount::GlobalLoadSectors], 2048);
}

TEST_F(Measuring, a_recording_that_is_not_there_is_a_usage_error_and_the_chosen_one_stays) {
  Session session(options_);
  session.post(OpenLesson{"transpose"});
  session.post(SetRecording{"gt200"});
  session.wait_until_idle();
  const auto now = session.latest();
  ASSERT_TRUE(now->error);
  EXPECT_EQ(now->error->kind, ErrorKind::Usage);
  EXPECT_NE(now->error->message.find("no recording 'gt200'; those are h200"), std::string::npos)
      << now->error->message;
  EXPECT_EQ(now->timings.recordings->chosen, "h200");
}

TEST_F(Measuring, without_a_gpu_the_error_says_how_to_use_that_of_another_machine) {
  options_.open_gpu = {};
  const auto now = measured("128");
  ASSERT_TRUE(now->error);
  EXPECT_NE(now->error->message.find("--host"), std::string::npos) << now->error->message;
}

TEST_F(Measuring, recordings_are_listed_with_their_sizes_and_broken_files) {
  const tests::TemporaryFolder folder("own");
  const std::filesystem::path own = folder.path();
  std::filesystem::copy_file(kProject / "assets/recordings/h200.json", own / "mine.json",
                             std::filesystem::copy_options::overwrite_existing);
  {
    std::FILE* bad = std::fopen((own / "bad.json").c_str(), "w");
    std::fputs("nothing", bad);
    std::fclose(bad);
  }
  options_.own_recordings = own;
  Session session(options_);
  session.post(OpenLesson{"transpose"});
  session.post(SetDevice{"h200"});
  session.post(SetRecording{"mine"});
  session.wait_until_idle();
  const auto now = session.latest();
  ASSERT_NE(now->timings.recordings, nullptr);
  EXPECT_EQ(now->timings.recordings->names, (std::vector<std::string>{"h200", "mine"}));
  EXPECT_EQ(now->timings.recordings->chosen, "mine");
  EXPECT_TRUE(now->timings.recordings->sizes.empty()) << "there are times of this size";
  session.post(SetToggle{"size", "96"});
  session.wait_until_idle();
  EXPECT_EQ(session.latest()->timings.recordings->sizes,
            (std::vector<uint32_t>{1024, 2048, 4096, 8192, 16384}));
  EXPECT_EQ(now->timings.recordings->errors.size(), 1);
}

}  // namespace
}  // namespace lanescope::session
