// Databases of one sweep as one.

#include "sweep/merge.h"

#include "support/temporary_folder.h"
#include "sweep/database.h"
#include "unit/sweep/row_example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using tests::example_row;
using tests::example_sweep;

class Merge : public testing::Test {
 protected:
  fs::path make(const char* name, const std::vector<Row>& rows,
                const Definition& definition = example_sweep()) {
    auto database = Database::open_or_create(folder_ / name, definition).value();
    EXPECT_TRUE(database.insert(rows));
    return folder_ / name;
  }
  std::string refusal(const std::vector<fs::path>& files) const {
    const auto merged = merge(files, folder_ / "all.sqlite");
    return merged ? std::string() : describe(merged.error());
  }
  tests::TemporaryFolder folder_{"merge"};
};

TEST_F(Merge, rows_of_all_parts_are_there_once) {
  Definition part = example_sweep();
  part.shard = {1, 2};
  const fs::path a = make("a.sqlite", {example_row(0), example_row(1)}, part);
  part.shard = {2, 2};
  Row slower = example_row(1);
  slower.seconds = 7;
  const fs::path b = make("b.sqlite", {slower, example_row(5)}, part);
  const Merged merged = merge(std::vector{a, b}, folder_ / "all.sqlite").value();
  EXPECT_EQ(merged.rows, 3u);
  EXPECT_EQ(merged.repeated, 1u);
  EXPECT_EQ(merged.combinations, 6u);
  auto all = Database::open(folder_ / "all.sqlite").value();
  EXPECT_EQ(all.definition().shard, Shard{});
  const auto rows = all.rows().value();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_TRUE(agree(rows[2], example_row(5)));
}

TEST_F(Merge, rows_that_differ_are_refused) {
  Row other = example_row(1);
  other.totals[1].second.wavefronts = 99;
  const fs::path a = make("a.sqlite", {example_row(1)});
  const fs::path b = make("b.sqlite", {other});
  EXPECT_THAT(
      refusal({a, b}),
      HasSubstr("other results (8 sectors, 99 wavefronts, 0 findings) for size=64, order=diagonal than"));
  EXPECT_FALSE(fs::exists(folder_ / "all.sqlite"));
}

TEST_F(Merge, other_sweeps_and_its_own_output_are_refused) {
  Definition definition = example_sweep();
  definition.sources = "11";
  const fs::path a = make("a.sqlite", {example_row(1)});
  const fs::path b = make("b.sqlite", {example_row(2)}, definition);
  EXPECT_THAT(refusal({a, b}), HasSubstr("only parts of one sweep are merged"));
  const fs::path all = make("all.sqlite", {example_row(3)});
  EXPECT_THAT(refusal({a, all}), HasSubstr("is one of the files that are merged"));
  EXPECT_THAT(refusal({a, folder_ / "none.sqlite"}), HasSubstr("there is no such file"));
}

}  // namespace
}  // namespace lanescope::sweep
