// Studies: which runs they need, that outcomes are kept by content, and
// the bound against the recorded times of an H200.

#include "study/study.h"

#include "recordings/recording.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::study {
namespace {

using ::testing::HasSubstr;

const plot::Frame kFrame{.size = {800, 450}};

model::Device device(std::string_view name) {
  return model::find_device(tests::kProject / "assets/devices", name).value();
}

class StudyTest : public testing::Test {
 protected:
  Result<StudyPlan> plan(const StudyRequest& request, std::string_view name = "gt200") {
    return plan_study(request, {options_, device(name), nullptr});
  }
  plot::Figure carried_out(const StudyRequest& request) {
    StudyWork work(plan(request).value(), options_);
    while (!work.finished()) {
      const auto done = work.advance(execution_, cache_, {});
      if (!done) ADD_FAILURE() << done.error().message;
      if (!done) break;
    }
    return work.figure()(kFrame);
  }

  pipeline::Options options_ = tests::project_options(1);
  pipeline::Execution execution_{options_};
  StudyCache cache_;
};

TEST_F(StudyTest, every_study_has_a_name_that_finds_it) {
  for (const Study study : kStudies) EXPECT_EQ(find_study(name_of(study)), study);
  EXPECT_FALSE(find_study("weather"));
}

TEST_F(StudyTest, strides_need_no_run) {
  EXPECT_TRUE(plan({.study = Study::Strides})->runs.empty());
  const auto wrong = plan({.study = Study::Strides, .left_map = "gt300"});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("h200-all"));
  EXPECT_FALSE(plan({.study = Study::Strides, .accesses = 0}));
}

TEST_F(StudyTest, widths_go_from_1024_to_4096_for_two_kernels) {
  const auto sweep = plan({.study = Study::Widths, .width_step = 16});
  EXPECT_EQ(sweep->runs.size(), 2u * 193);
  EXPECT_FALSE(plan({.study = Study::Widths, .width_step = 0}));
}

TEST_F(StudyTest, a_sweep_is_drawn_as_it_grows_and_is_there_at_the_next_start) {
  const tests::TemporaryFolder folder("sweep");
  options_.cache = folder.path();
  const StudyRequest request{.study = Study::Widths, .width_step = 2048};
  StudyWork first(plan(request).value(), options_);
  ASSERT_EQ(first.runs(), 4u);  // two kernels of 1024 and 3072
  EXPECT_FALSE(first.has_figure());
  while (first.runs_done() < 2) ASSERT_TRUE(first.advance(execution_, cache_, {}));
  ASSERT_TRUE(first.has_figure());
  EXPECT_FALSE(first.finished());
  EXPECT_EQ(first.figure()(kFrame).table.rows.size(), 2u);
  while (!first.finished()) ASSERT_TRUE(first.advance(execution_, cache_, {}));
  const plot::Table whole = first.figure()(kFrame).table;
  ASSERT_EQ(whole.rows.size(), 4u);
  EXPECT_NE(whole.rows[0][2], whole.rows[1][2]) << "both widths have the outcome of one";

  // No kernel can run any more.
  std::stop_source stopped;
  stopped.request_stop();
  StudyCache empty;
  StudyWork second(plan(request).value(), options_);
  while (!second.finished()) ASSERT_TRUE(second.advance(execution_, empty, stopped.get_token()));
  EXPECT_EQ(second.figure()(kFrame).table.rows, first.figure()(kFrame).table.rows);
}

TEST_F(StudyTest, the_published_table_repeats_each_kernel_with_so_many_random_starts) {
  const auto table = plan({.study = Study::Published, .seeds = 3});
  ASSERT_EQ(table->runs.size(), 8u);
  for (const StudyRun& run : table->runs) {
    ASSERT_EQ(run.variants.size(), 3u);
    EXPECT_NE(run.variants[0].jitter_seed, run.variants[1].jitter_seed);
  }
  EXPECT_FALSE(plan({.study = Study::Published, .seeds = 1000}));
}
TEST_F(StudyTest, assumptions_are_switched_off_one_at_a_time) {
  const auto study = plan({.study = Study::Assumptions}, "c1060");
  ASSERT_EQ(study->runs.size(), 4u);
  for (const StudyRun& run : study->runs) {
    EXPECT_EQ(run.device.name, "gt200");  // the table is of that card
    ASSERT_EQ(run.variants.size(), model::kAssumptions);
    for (size_t n = 0; n < run.variants.size(); ++n)
      for (size_t m = 0; m < model::kAssumptions; ++m)
        EXPECT_EQ(run.variants[n].assumptions.holds(model::assumption_texts()[m].assumption), n != m);
  }
}
/// Several threads share the model's work, and the order of the outcomes is that of the runs.
TEST_F(StudyTest, the_number_of_threads_changes_nothing) {
  const auto speeds = [&](unsigned threads) {
    options_.threads = threads;
    StudyPlan plan{.runs = {}, .draw = [](const StudyOutcomes& outcomes, const plot::Frame&) {
                     plot::Figure figure;
                     for (const auto& outcome : outcomes) {
                       figure.table.rows.push_back({outcome->timing.seconds});
                       for (const auto& other : outcome->variants)
                         figure.table.rows.push_back({other.seconds});
                     }
                     return figure;
                   }};
    for (const char* kernel : {"padded", "copy", "diagonal"})
      plan.runs.push_back({.kernel = kernel,
                           .toggles = {{"size", "256"}},
                           .device = device("gt200"),
                           .done = {},
                           .variants = {{.jitter_seed = 1}, {.jitter_seed = 2}}});
    StudyWork work(std::move(plan), options_);
    StudyCache cache;
    while (!work.finished()) EXPECT_TRUE(work.advance(execution_, cache, {}));
    return work.figure()(kFrame).table.rows;
  };
  const auto alone = speeds(1);
  EXPECT_EQ(alone.size(), 9u);
  EXPECT_EQ(speeds(2), alone);
  EXPECT_EQ(speeds(5), alone);
}

TEST_F(StudyTest, a_device_without_a_timing_model_is_replaced_by_the_gtx_280) {
  EXPECT_EQ(plan({.study = Study::Queues}, "h200")->runs.front().device.name, "gt200");
  EXPECT_EQ(plan({.study = Study::Queues}, "c1060")->runs.front().device.name, "c1060");
  EXPECT_EQ(plan({.study = Study::Published}, "c1060")->runs.front().device.name, "gt200");
  EXPECT_FALSE(plan({.study = Study::Queues, .beside = "fastest"}));
}

TEST_F(StudyTest, traffic_is_of_a_run_and_says_so) {
  EXPECT_THAT(plan({.study = Study::Traffic}).error().message, HasSubstr("nothing has run yet"));
}

/// What padding the output's rows by a partition, diagonal order and another width do: the same writes, which
/// one partition took, are spread. Facts: first waves of such writes hit 1, 8, 8 and 8 partitions.
TEST_F(StudyTest, remedies_spread_the_writes) {
  const plot::Figure figure = carried_out({.study = Study::Remedies});
  ASSERT_EQ(figure.table.rows.size(), 4u);
  const auto number = [&](size_t row, size_t column) {
    return std::get<double>(figure.table.rows[row][column]);
  };
  EXPECT_LT(number(0, 4), 1.6);  // effective partitions, written
  for (size_t row = 1; row < 4; ++row) {
    EXPECT_GT(number(row, 4), 7) << row;
    EXPECT_GT(number(row, 1), 4 * number(0, 1)) << row;  // bandwidth
  }
}

/// The bound is fitted to only one cell of these kernels, of the naive transpose: it may be above the
/// recorded times by that kernel's error alone, and is off by a quarter at most for all but the plain copy.
TEST_F(StudyTest, the_bound_lies_below_the_recorded_times_of_an_h200) {
  const plot::Figure figure = carried_out({.study = Study::Bound});
  ASSERT_EQ(figure.table.rows.size(), 45u);  // nine kernels, five sizes
  size_t fitted = 0, within_a_quarter = 0;
  for (const auto& row : figure.table.rows) {
    const double error = std::get<double>(row[4]);
    EXPECT_LT(error, 0.1) << std::get<std::string>(row[0]) << " " << std::get<int64_t>(row[1]);
    EXPECT_GT(error, -0.3) << std::get<std::string>(row[0]) << " " << std::get<int64_t>(row[1]);
    within_a_quarter += std::abs(error) < 0.25;
    if (std::get<int64_t>(row[6]) == 1) {
      ++fitted;
      EXPECT_NEAR(error, 0, 0.01);
    }
  }
  EXPECT_EQ(fitted, 1u);
  EXPECT_GE(within_a_quarter, 41u);
}

/// The two numbers that the bound takes from the driver's copies follow from the recording.
TEST_F(StudyTest, the_fitted_numbers_of_the_h200_follow_from_its_recording) {
  const recordings::Recording recording =
      recordings::read_recording(tests::kProject / "assets/recordings/h200.json").value();
  const model::Device h200 = device("h200");
  const recordings::RecordedTimes& largest = recording.copies.rbegin()->second;
  const recordings::RecordedTimes& smallest = recording.copies.begin()->second;
  const double rate = static_cast<double>(largest.bytes) / largest.cold.median;
  EXPECT_NEAR(rate / *h200.memory_bytes_per_second, h200.bound->memory_share, 0.005);
  EXPECT_NEAR(smallest.cold.median - static_cast<double>(smallest.bytes) / rate, h200.bound->start_seconds,
              5e-8);
}

/// A sweep runs the first blocks alone; what they take must not depend on whether the others ran.
TEST_F(StudyTest, the_first_blocks_take_as_long_whether_the_others_run_or_not) {
  StudyRun all{.kernel = "padded", .toggles = {{"size", "512"}}, .device = device("gt200"), .done = {}};
  StudyRun first = all;
  first.most_blocks = 256;  // as many as there are
  const auto seconds_of = [&](const StudyRun& run) {
    StudyWork work({.runs = {run},
                    .draw =
                        [](const StudyOutcomes& outcomes, const plot::Frame&) {
                          plot::Figure figure;
                          figure.table.rows = {{outcomes[0]->timing.seconds}};
                          return figure;
                        }},
                   options_);
    EXPECT_TRUE(work.advance(execution_, cache_, {}));
    return std::get<double>(work.figure()(kFrame).table.rows[0][0]);
  };
  EXPECT_DOUBLE_EQ(seconds_of(first), seconds_of(all));
  first.most_blocks = 90;
  EXPECT_LT(seconds_of(first), seconds_of(all));
  EXPECT_GT(seconds_of(first), seconds_of(all) / 6);
}

TEST_F(StudyTest, outcomes_are_cached_by_content) {
  const StudyRun run{.kernel = "padded", .toggles = {{"size", "128"}}, .device = device("gt200"), .done = {}};
  StudyRun other = run;
  other.device.partitions.count = 6;
  EXPECT_EQ(cache_.find(run), nullptr);
  cache_.keep(run, std::make_shared<const StudyOutcome>());
  EXPECT_NE(cache_.find(run), nullptr);
  EXPECT_EQ(cache_.find(other), nullptr);
}

TEST_F(StudyTest, a_stopped_run_can_be_carried_out_again) {
  StudyWork work(plan({.study = Study::Queues}).value(), options_);
  std::stop_source stop;
  stop.request_stop();
  const auto done = work.advance(execution_, cache_, stop.get_token());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(work.runs_done(), 0u);
}

}  // namespace
}  // namespace lanescope::study
