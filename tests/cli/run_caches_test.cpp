// `lanescope run --caches`: a program's launches, one of which reads what the one before has stored.

#include "support/program.h"
#include "support/source_program_test.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using testing::HasSubstr;

// 32768 floats are 4096 sectors.
constexpr const char* kSetAndTwice = R"cu(
__global__ void set(float* a) { a[blockIdx.x * 256 + threadIdx.x] = threadIdx.x; }
__global__ void twice(float* a) { a[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  float* a;
  cudaMalloc(&a, 32768 * sizeof(float));
  set<<<128, 256>>>(a);
  twice<<<128, 256>>>(a);
  twice<<<128, 256>>>(a);
  return cudaDeviceSynchronize();
}
)cu";

class RunCaches : public tests::SourceProgramTest {
 protected:
  std::string program() const {
    const std::string path = (folder_ / "p.cu").string();
    std::ofstream(path) << kSetAndTwice;
    return path;
  }
  nlohmann::json launches(std::vector<std::string> options) const {
    std::vector<std::string> words{"run", "--caches", "--json", (folder_ / "run.json").string()};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(program());
    const tests::Finished done = tests::run_program(words);
    EXPECT_EQ(done.status, 0) << done.error;
    table_ = done.error;
    std::ifstream file(folder_ / "run.json");
    return nlohmann::json::parse(file).at("launches");
  }
  const tests::TemporaryFolder folder_{"run-caches"};
  mutable std::string table_;
};

TEST_F(RunCaches, launch_finds_in_the_l2_what_the_one_before_has_stored) {
  const nlohmann::json warm = launches({});
  ASSERT_EQ(warm.size(), 3u);
  constexpr int kSectors = 4096, kOfLaunch = 100;
  EXPECT_EQ(warm[1].at("caches").at("loaded_sectors"), kSectors);
  EXPECT_EQ(warm[1].at("caches").at("l2_to_l1_sectors"), kSectors);
  EXPECT_EQ(warm[1].at("caches").at("dram_read_sectors"), kOfLaunch);
  EXPECT_EQ(warm[2].at("caches").at("dram_read_sectors"), kOfLaunch);
  EXPECT_GT(warm[2].at("caches").at("least_seconds"), 0);
  EXPECT_THAT(table_, HasSubstr("caches and time (MODEL"));
  EXPECT_THAT(table_, HasSubstr("twice"));

  const nlohmann::json cold = launches({"--flush"});
  EXPECT_EQ(cold[1].at("caches").at("dram_read_sectors"), kSectors + kOfLaunch);
  EXPECT_EQ(cold[2].at("caches").at("dram_read_sectors"), kSectors + kOfLaunch);
}

TEST_F(RunCaches, trace_of_a_program_has_them_by_line) {
  tests::Finished done = tests::run_program({"trace", "--caches", "--launch", "2", program()});
  EXPECT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("caches and time (MODEL"));
  EXPECT_THAT(done.output, HasSubstr("caches (MODEL, rules measured on an H100 and an H200; NVIDIA H200)"));
  EXPECT_THAT(done.output, HasSubstr("launch 2: "));
  EXPECT_THAT(done.output, HasSubstr("time (MODEL, a lower bound)"));
  done = tests::run_program(
      {"trace", "--caches", "--launch", "2", "--json", (folder_ / "t.json").string(), program()});
  EXPECT_EQ(done.status, 0) << done.error;
  std::ifstream file(folder_ / "t.json");
  const nlohmann::json launches = nlohmann::json::parse(file).at("launches");
  EXPECT_FALSE(launches[0].contains("caches_by_line"));
  // Alone the launch finds an empty L2.
  EXPECT_EQ(launches[1].at("caches").at("dram_read_sectors"), 100);
  EXPECT_EQ(launches[1].at("caches_by_line").at("dram").at("read_sectors"), 4096 + 100);
}

TEST_F(RunCaches, what_cannot_be_is_one_sentence) {
  tests::Finished done = tests::run_program({"run", "--flush", program()});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.error, HasSubstr("--flush empties the modelled L2 before each launch: it needs --caches"));
  done = tests::run_program({"run", "--caches", "--devices", "2", program()});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.error, HasSubstr("--caches models one device"));
  done = tests::run_program({"run", "--caches", "--device", "pascal", program()});
  EXPECT_NE(done.status, 0);
  EXPECT_THAT(done.error, HasSubstr("are not known: their rules were measured on an H100 and an H200"));
}

}  // namespace
}  // namespace lanescope
