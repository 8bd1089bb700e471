// A sweep's database: what is stored, what is refused, and what a failure leaves.

#include "sweep/database.h"

#include "support/temporary_folder.h"
#include "unit/sweep/row_example.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::example_row;
using tests::example_sweep;

class SweepDatabase : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "sweep.sqlite"; }
  /// The sentence of a failure to go on with `definition`.
  std::string refusal(const Definition& definition) const {
    const auto database = Database::open_or_create(file(), definition);
    return database ? std::string() : describe(database.error());
  }
  tests::TemporaryFolder folder_{"sweep"};
};

TEST_F(SweepDatabase, rows_are_there_again) {
  {
    auto database = Database::open_or_create(file(), example_sweep()).value();
    Row failed{.number = 4, .problem = "no such kernel"};
    ASSERT_TRUE(database.insert(std::vector{example_row(1), failed}));
    ASSERT_TRUE(database.insert(std::vector{example_row(0)}));
  }
  auto database = Database::open(file()).value();
  EXPECT_EQ(difference(database.definition(), example_sweep(), "A", "B"), "");
  EXPECT_THAT(database.done().value(), ElementsAre(true, true, false, false, true, false));
  const auto rows = database.rows().value();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_TRUE(agree(rows[1], example_row(1)));
  EXPECT_EQ(rows[2].problem, "no such kernel");
  auto more = Database::open_or_create(file(), example_sweep()).value();
  EXPECT_TRUE(more.insert(std::vector{example_row(2)}));
}

TEST_F(SweepDatabase, a_transaction_is_whole_or_not_there) {
  auto database = Database::open_or_create(file(), example_sweep()).value();
  ASSERT_TRUE(database.insert(std::vector{example_row(0)}));
  const auto twice = database.insert(std::vector{example_row(1), example_row(0)});
  ASSERT_FALSE(twice);
  EXPECT_THAT(describe(twice.error()), HasSubstr("another process stored combination 0 meanwhile"));
  EXPECT_EQ(database.rows().value().size(), 1u);
  EXPECT_TRUE(database.insert(std::vector{example_row(1)}));
}

TEST_F(SweepDatabase, another_sweep_is_refused) {
  ASSERT_EQ(refusal(example_sweep()), "");
  Definition other = example_sweep();
  other.axes[0].values.pop_back();
  EXPECT_THAT(refusal(other), HasSubstr("has another sweep"));
  other = example_sweep();
  other.options = {};
  EXPECT_THAT(refusal(other), HasSubstr("has another sweep"));
  other = example_sweep();
  other.sources = "11";
  EXPECT_THAT(refusal(other), HasSubstr("a file of lesson transpose changed"));
  other = example_sweep();
  other.version = "9.9.9";
  EXPECT_THAT(refusal(other), HasSubstr("version 0.1.0 of the program, and this command of version 9.9.9"));
  other = example_sweep();
  other.shard = {1, 2};
  EXPECT_THAT(refusal(other), HasSubstr("has the whole sweep, not shard 1/2"));
}

TEST_F(SweepDatabase, other_files_are_refused) {
  std::ofstream(file()) << std::string(1000, 'x');
  EXPECT_THAT(refusal(example_sweep()), HasSubstr("sweep.sqlite: the file is no database"));
  std::filesystem::remove(file());
  EXPECT_THAT(describe(Database::open(file()).error()), HasSubstr("there is no such file"));
  {
    auto other = Connection::open(file(), Connection::Mode::Write).value();
    ASSERT_TRUE(other.run("", "CREATE TABLE accesses (cta INTEGER)"));
  }
  EXPECT_THAT(refusal(example_sweep()), HasSubstr("the database is not that of a sweep"));
}

/// A process that was killed before its first transaction leaves an empty file.
TEST_F(SweepDatabase, an_empty_file_becomes_one) {
  std::ofstream(file()).close();
  EXPECT_EQ(refusal(example_sweep()), "");
  EXPECT_TRUE(Database::open(file()));
}

}  // namespace
}  // namespace lanescope::sweep
