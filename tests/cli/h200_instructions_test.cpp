// Counts of single instructions at the level of the machine code against an H200's counters:
// tests/data/h200/instructions.csv. Method: the program is run as a whole; NVIDIA's ptxas of the same release
// made the machine code there and here.

#include "support/h200_run.h"
#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <fstream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;

/// Counts of the launch under the names of the table.
uint64_t count_of(const Json& totals, const std::string& name) {
  const size_t at = name.rfind('_');
  const std::string of = name.substr(0, at);
  const auto value = [&](const std::string& operation) {
    const auto found = totals.find(operation);
    return found == totals.end() ? uint64_t{0} : found->value(name.substr(at + 1), uint64_t{0});
  };
  // The counters have the reads of asynchronous copies among the loads.
  return value(of) + (of == "global_load" ? value("global_async_copy") : 0);
}

using H200Instructions = tests::SourceProgramTest;

TEST_F(H200Instructions, are_counted_as_the_machine_code_makes_them) {
  const tests::TemporaryFolder folder("instructions");
  const std::string report = (folder.path() / "report.json").string();
  const auto data = tests::source_dir() / "tests/data/h200";
  const tests::Finished finished = tests::run_program(
      {"run", "--level", "sass", "--json", report, "-X", "-std=c++17", (data / "instructions.cu").string()});
  if (finished.error.contains("could not be fetched") || finished.error.contains("was not found"))
    GTEST_SKIP() << finished.error;
  ASSERT_EQ(finished.status, 0) << finished.error;
  std::ifstream file(report);
  const Json launches = Json::parse(file)["launches"];
  const auto table = tests::read_table(data / "instructions.csv");
  ASSERT_TRUE(table);
  ASSERT_EQ(launches.size(), table->size());

  std::set<std::string> differences;
  for (size_t n = 0; n < table->size(); ++n) {
    for (const auto& [name, text] : (*table)[n]) {
      if (name == "kernel") continue;
      const uint64_t ours = count_of(launches[n]["totals"], name);
      if (ours != std::stoull(text))
        differences.insert(fmt::format("{} {} {}: {} for {}", n, (*table)[n].at("kernel"), name, ours, text));
    }
  }
  // Which places a warp of the filter writes to depends on the order of warps, and the pipe repeats
  // wavefronts.
  const std::set<std::string> expected{"80 elect_filter global_store_sectors: 99 for 103",
                                       "80 elect_filter shared_atomic_wavefronts: 29 for 32"};
  EXPECT_EQ(differences, expected);
}

}  // namespace
}  // namespace lanescope
