// The table of a run and its run.json.

#include "driver/server/launch_record.h"

#include "driver/server/launch_table.h"
#include "driver/server/program_log.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::driver {
namespace {

using testing::HasSubstr;

LaunchRecord record(const std::string& kernel, uint32_t blocks, uint64_t sectors, uint64_t ideal) {
  LaunchRecord one;
  one.kernel = kernel;
  one.grid = {blocks, 1, 1};
  one.block = {32, 8, 1};
  one.cost.sectors = sectors;
  one.cost.ideal_sectors = ideal;
  one.seconds = 0.002;
  return one;
}

TEST(LaunchTable, sums_by_kernel_in_the_order_of_their_first_launch) {
  auto failed = record("copy", 4, 0, 0);
  failed.error = "it stopped";
  failed.findings = {"a race"};
  auto copy = record("copy", 4, 10, 10);
  copy.number = 1;
  const std::string table =
      table_of({record("transpose", 4, 80, 10), copy, record("transpose", 8, 80, 10), failed});
  EXPECT_EQ(table,
            "launch  kernel     launches  grid, block         sectors           wavefronts  hazards          "
            "  emulated\n"
            "1       transpose  2         4, 32x8 and 1 more  160 (8.0x ideal)  -           none             "
            "  4.0 ms\n"
            "2       copy       2         4, 32x8             10 (ideal)        -           1 found, 1 "
            "failed  4.0 ms\n");
}

TEST(LaunchTable, kernels_of_one_name_in_different_modules_have_rows_of_their_own) {
  auto first = record("copy", 4, 10, 10), second = record("copy", 4, 30, 10);
  first.module = 1;
  second.module = 2;
  const std::string table = table_of({first, second, first});
  EXPECT_THAT(table, HasSubstr("copy      2         4, 32x8      20 (ideal)"));
  EXPECT_THAT(table, HasSubstr("copy (2)  1         4, 32x8      30 (3.0x ideal)"));
}

TEST(LaunchTable, kernels_that_took_the_time_are_named_where_it_was_long) {
  auto first = record("copy", 4, 10, 10), second = record("sum", 4, 10, 10), third = record("set", 4, 1, 1);
  first.seconds = 1;
  second.seconds = 9;
  EXPECT_THAT(table_of({first, second, third}), HasSubstr("most of 10.00 s: sum 90 %, copy 10 %\n"));
  second.seconds = 3;
  EXPECT_THAT(table_of({first, second, third}), testing::Not(HasSubstr("most of")));
}

TEST(LaunchTable, a_long_name_shows_its_beginning_and_its_end) {
  const std::string name = "library::" + std::string(200, 'a') + "::kernel<float, 4>";
  const std::string table = table_of({record(name, 4, 10, 10)});
  EXPECT_THAT(table, HasSubstr("library::aaaaaaaaaaaaaaaaaaaaaaaaaaa...aaa::kernel<float, 4>  1  "));
}

TEST(LaunchTable, calls_of_libraries_come_last_and_have_no_counts) {
  std::vector<LibraryCalls> calls;
  add_call(calls, "cublasSgemm", 0.002, "");
  add_call(calls, "cublasSscal", 0.001, "no handle");
  add_call(calls, "cublasSgemm", 0.002, "");
  const std::string table = table_of({record("copy", 4, 10, 10)}, calls);
  EXPECT_THAT(table, testing::ContainsRegex(
                         "library +cublasSgemm +2 +4.0 ms\nlibrary +cublasSscal +1 +1 failed +1.0 ms"));
  EXPECT_EQ(failure_text(calls[1]), "cublasSscal failed: no handle");
  add_call(calls, "cublasSscal", 0, "another");
  EXPECT_EQ(failure_text(calls[1]), "cublasSscal failed 2 times, first: no handle");
}

TEST(ProgramLog, modules_are_numbered_in_the_order_of_their_first_launches) {
  ProgramLog log({}, {"x"}, "A100");
  for (const uint64_t contents : {uint64_t{1} << 60, uint64_t{7}, uint64_t{1} << 60, uint64_t{0}}) {
    auto one = record("copy", 4, 10, 10);
    one.module = contents;
    log.add(one);
  }
  const auto launches = log.json()["launches"];
  EXPECT_EQ(launches[0]["module"], 1);
  EXPECT_EQ(launches[1]["module"], 2);
  EXPECT_EQ(launches[2]["module"], 1);
  EXPECT_FALSE(launches[3].contains("module"));
}

TEST(ProgramLog, is_written_as_json_with_a_status_at_the_end) {
  const tests::TemporaryFolder folder("program-log");
  ProgramLog log(folder.path(), {"python", "x.py"}, "A100");
  log.add(record("copy", 4, 10, 10));
  log.add_unsupported("cuArrayCreate", 2);
  log.add_note("relink it");
  log.add_source("x.py", "def copy(): pass\n");
  const auto read = [&] { return nlohmann::json::parse(std::ifstream(folder / "run.json")); };
  EXPECT_FALSE(read().contains("status"));
  log.end(3);
  ASSERT_TRUE(log.write());
  const auto json = read();
  EXPECT_EQ(json["status"], 3);
  EXPECT_EQ(json["command"][1], "x.py");
  EXPECT_EQ(json["launches"][0]["sectors"], 10);
  EXPECT_EQ(json["unsupported"][0]["calls"], 2);
  EXPECT_EQ(json["notes"][0], "relink it");
  EXPECT_EQ(json["sources"]["x.py"], "def copy(): pass\n");
}

}  // namespace
}  // namespace lanescope::driver
