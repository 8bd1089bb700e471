// The least time of a launch of which few loads are under way, against what an H200 took:
// tests/data/caches/README.md.

#include "support/program.h"
#include "support/project.h"

#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;

struct Row {
  int loads = 0, warps = 0;
  double gb_per_second = 0;
};

std::vector<Row> rows() {
  std::ifstream file(tests::source_dir() / "tests/data/caches/h200_streams.csv");
  std::string text;
  std::getline(file, text);
  std::vector<Row> all;
  char comma = 0;
  for (Row row; file >> row.loads >> comma >> row.warps >> comma >> row.gb_per_second;) all.push_back(row);
  return all;
}

TEST(H200Streams, take_at_least_as_long_as_the_bound_says) {
  constexpr int kWords = 1 << 22;  // 16 MiB; the H200 read 1 GiB
  int explained = 0;
  const std::vector<Row> all = rows();
  ASSERT_EQ(all.size(), 24u);
  for (const Row& row : all) {
    const tests::Finished finished =
        tests::run_program({"trace",    (tests::source_dir() / "tests/data/caches/kernels.cu").string(),
                            "--kernel", fmt::format("stream{}", row.loads),
                            "--grid",   "132",
                            "--block",  std::to_string(32 * row.warps),
                            "--shared", "122880",
                            "--arg",    fmt::format("f32[{}]:zeros", kWords + 8 * 132 * 1024),
                            "--arg",    "f32[1]:zeros",
                            "--arg",    fmt::format("i32:{}", kWords),
                            "--checks", "none",
                            "--device", "h200",
                            "--caches", "--json"});
    if (finished.error.contains("NVRTC") && finished.error.contains("not found")) GTEST_SKIP() << "no NVRTC";
    ASSERT_EQ(finished.status, 0) << finished.error;
    const Json time = Json::parse(finished.output).at("caches").at("time");
    const Json& levels = time.at("bound").at("level_seconds");
    const double seconds = std::max(levels.at("latency").get<double>(), levels.at("memory").get<double>());
    const double share = 4.0 * kWords / seconds * 1e-9;  // GB/s at most
    EXPECT_LT(row.gb_per_second, 1.05 * share) << row.loads << " loads, " << row.warps << " warps";
    EXPECT_EQ(time.contains("under_way"), row.warps * row.loads < 128)
        << row.loads << " loads, " << row.warps;
    EXPECT_GT(row.gb_per_second, .6 * share) << row.loads << " loads, " << row.warps << " warps";
    if (row.gb_per_second > .75 * share) ++explained;
    fmt::print("{} loads, {} warps: {:.1f} GB/s, at most {:.1f}\n", row.loads, row.warps, row.gb_per_second,
               share);
  }
  EXPECT_GE(explained, 12);
}

}  // namespace
}  // namespace lanescope
