// What of a sweep is shown: by one axis or two, best combinations, and what is refused.

#include "sweep/selection.h"

#include "unit/sweep/row_example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::example_row;
using tests::example_sweep;

/// All rows but that of size=256, order=row, the fifth, which failed.
std::vector<Row> rows() {
  std::vector<Row> rows;
  for (uint64_t n = 0; n < 6; ++n)
    rows.push_back(n == 4 ? Row{.number = 4, .problem = "no"} : example_row(n));
  return rows;
}

std::string refusal(const Question& question) {
  const auto selection = select(example_sweep(), rows(), question);
  return selection ? std::string() : selection.error().message;
}

TEST(Selection, a_number_by_two_axes) {
  const Selection selection =
      select(example_sweep(), rows(), {.x = "size", .by = "order", .y = "wavefronts", .where = {}}).value();
  EXPECT_THAT(selection.x, ElementsAre("64", "128", "256"));
  EXPECT_THAT(selection.by, ElementsAre("row", "diagonal"));
  // Combination n has 10 n wavefronts; order is the fast axis.
  EXPECT_EQ(selection.cells[0][1]->value, 20);
  EXPECT_EQ(selection.cells[1][1]->value, 30);
  EXPECT_EQ(selection.cells[1][2]->number, 5u);
  EXPECT_FALSE(selection.cells[0][2]);
  EXPECT_EQ(selection.missing, 1u);
  EXPECT_EQ(selection.provenance, Provenance::Emulated);
}

TEST(Selection, an_axis_that_is_not_shown_has_one_value) {
  EXPECT_EQ(refusal({.x = "size", .by = "", .y = "sectors", .where = {}}),
            "'order' has 2 values, and a figure shows one: give --where order=row, or --by order");
  const Selection selection =
      select(example_sweep(), rows(),
             {.x = "size", .by = "", .y = "sectors", .where = {{"order", "diagonal"}}})
          .value();
  ASSERT_EQ(selection.cells.size(), 1u);
  EXPECT_EQ(selection.cells[0][2]->value, 24);  // combination 5 has 6 requests of 4 sectors
  EXPECT_EQ(selection.missing, 0u);
}

TEST(Selection, numbers_have_names_and_ratios) {
  const auto value = [](const char* name) {
    return select(example_sweep(), rows(), {.x = "size", .by = "order", .y = name, .where = {}})
        .value()
        .cells[1][1]
        ->value;
  };
  EXPECT_EQ(value("global_load_requests"), 4);
  EXPECT_EQ(value("requests"), 5);
  EXPECT_EQ(value("sectors/ideal_sectors"), 4);
  EXPECT_EQ(value("warp_instructions"), 1003);
  EXPECT_EQ(value("findings"), 0);
}

TEST(Selection, what_the_caches_count_is_modelled) {
  std::vector<Row> all = rows();
  all[0].caches = CacheCounts{.dram_read_bytes = 64};
  const Selection selection =
      select(example_sweep(), all, {.x = "size", .by = "order", .y = "dram_read_bytes", .where = {}}).value();
  EXPECT_EQ(selection.provenance, Provenance::Modelled);
  EXPECT_EQ(selection.cells[0][0]->value, 64);
}

TEST(Selection, what_there_is_not_is_refused_with_what_there_is) {
  EXPECT_EQ(refusal({.x = "sise", .by = "", .y = "sectors", .where = {}}),
            "--x: the sweep has no axis 'sise'; it has: size, order");
  EXPECT_THAT(refusal({.x = "size", .by = "size", .y = "sectors", .where = {}}),
              HasSubstr("both are 'size'"));
  EXPECT_THAT(refusal({.x = "size", .by = "order", .y = "sector", .where = {}}),
              HasSubstr("there is no number 'sector'; choose one of these, or A/B: bytes, findings"));
  EXPECT_EQ(refusal({.x = "size", .by = "", .y = "sectors", .where = {{"order", "spiral"}}}),
            "--where: 'order' has no value 'spiral'; it has: row, diagonal");
}

TEST(Selection, the_best_are_all_that_have_the_least) {
  std::vector<Row> all = rows();
  all[1].totals = all[0].totals;  // size=64: both orders alike
  const Question question{.x = "size", .by = "", .y = "sectors", .where = {}};
  const auto least = best(example_sweep(), all, question, Order::Least).value();
  ASSERT_EQ(least.size(), 3u);
  EXPECT_EQ(least[0].value, 4);
  EXPECT_THAT(least[0].numbers, ElementsAre(0, 1));
  EXPECT_THAT(least[1].numbers, ElementsAre(2));
  EXPECT_THAT(least[2].numbers, ElementsAre(5));  // the other one failed
  EXPECT_EQ(least[2].compared, 1u);
  const auto largest =
      best(example_sweep(), all, {.x = "", .by = "", .y = "sectors", .where = {}}, Order::Largest).value();
  ASSERT_EQ(largest.size(), 1u);
  EXPECT_THAT(largest[0].numbers, ElementsAre(5));
  EXPECT_EQ(largest[0].compared, 5u);
}

}  // namespace
}  // namespace lanescope::sweep
