// The sheet of a device: every number, its source, and what is marked.

#include "plot/model_figures.h"
#include "support/figure_labels.h"
#include "support/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using tests::labels_of;

model::Device device(std::string_view name) {
  return model::find_device(tests::source_dir() / "assets/devices", name).value();
}
TEST(DeviceFigure, has_a_row_for_each_number_with_its_whole_source_in_the_tip) {
  const model::Device gt200 = device("gt200");
  const Figure figure = device_figure(gt200, {.size = {960, 800}});
  ASSERT_EQ(figure.picks.size(), gt200.sources.size());
  ASSERT_EQ(figure.table.rows.size(), gt200.sources.size());
  for (size_t n = 0; n < gt200.sources.size(); ++n)
    EXPECT_THAT(figure.picks[n].tip, HasSubstr(gt200.sources[n].source));
  EXPECT_THAT(labels_of(figure), Contains("multiprocessors.count"));
  EXPECT_THAT(labels_of(figure), Contains("30"));
}
TEST(DeviceFigure, counts_assumed_numbers_and_numbers_without_a_source) {
  // reserved shared memory, instructions, divisions, queue, credits, port, dispatch
  EXPECT_THAT(device_figure(device("gt200"), {.size = {960, 800}}).explanation,
              HasSubstr("7 assumed by the model (undocumented), 0 not yet verified"));
  EXPECT_THAT(device_figure(device("maxwell"), {.size = {960, 800}}).explanation,
              HasSubstr("5 not yet verified"));
}
TEST(DeviceFigure, says_how_many_rows_have_no_room) {
  const Figure figure = device_figure(device("gt200"), {.size = {400, 60}});
  EXPECT_THAT(labels_of(figure), Contains(HasSubstr("more, in the exported table")));
  EXPECT_EQ(figure.table.rows.size(), device("gt200").sources.size());
}

}  // namespace
}  // namespace lanescope::plot
