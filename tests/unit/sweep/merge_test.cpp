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

/// Six combinations in parts of one, two and four, by files that stay open and by files that do not.
TEST_F(Merge, parts_of_the_numbers_are_merged_alike) {
  const fs::path a = make("a.sqlite", {example_row(0), example_row(3), example_row(4)});
  const fs::path b = make("b.sqlite", {example_row(1), example_row(3)});
  const fs::path c = make("c.sqlite", {example_row(4), example_row(5)});
  for (const uint64_t at_once : {1, 2, 4})
    for (const size_t open_files : {0, 3}) {
      const Merged merged =
          merge(std::vector{a, b, c}, folder_ / "all.sqlite", {at_once, at_once, open_files}).value();
      EXPECT_EQ(merged.rows, 5u);
      EXPECT_EQ(merged.repeated, 2u);
      const auto rows = Database::open(folder_ / "all.sqlite").value().rows().value();
      std::vector<uint64_t> numbers;
      for (const Row& row : rows) numbers.push_back(row.number);
      EXPECT_EQ(numbers, (std::vector<uint64_t>{0, 1, 3, 4, 5}));
      EXPECT_TRUE(agree(rows[2], example_row(3)));
    }
}

/// What was written before the rows that differ is taken away.
TEST_F(Merge, of_rows_that_differ_late_nothing_is_left) {
  Row other = example_row(5);
  other.totals[1].second.wavefronts = 99;
  const fs::path a = make("a.sqlite", {example_row(0), example_row(5)});
  const fs::path b = make("b.sqlite", {other});
  const auto merged = merge(std::vector{a, b}, folder_ / "all.sqlite", {1, 1, 16});
  ASSERT_FALSE(merged);
  EXPECT_FALSE(fs::exists(folder_ / "all.sqlite"));
  EXPECT_FALSE(fs::exists(folder_ / "all.sqlite.new"));
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

TEST_F(Merge, a_device_is_not_replaced) {
  std::filesystem::create_symlink("/dev/null", folder_ / "null.sqlite");
  const auto merged = merge({}, folder_ / "null.sqlite");
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().message.find("a regular file"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "null.sqlite"));
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
