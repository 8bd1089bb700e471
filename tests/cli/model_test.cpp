// `lanescope model` on the real kernels: NVIDIA's table for the GTX 280, and the JSON contract.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope {
namespace {

using Json = nlohmann::json;
using tests::Finished;
using tests::run_program;

Json model_of(const std::vector<std::string>& more) {
  std::vector<std::string> words{"model", "--device", "gt200"};
  words.insert(words.end(), more.begin(), more.end());
  words.emplace_back("--json");  // last: what follows it would be taken for its file
  const Finished done = run_program(words);
  EXPECT_EQ(done.status, 0) << done.error;
  return done.status == 0 ? Json::parse(done.output) : Json{};
}
Json transpose(const std::string& kernel, const std::string& size = "2048") {
  return model_of({"--lesson", "transpose", "--set", "kernel=" + kernel, "--set", "size=" + size});
}

/// NVIDIA, "Optimizing Matrix Transpose in CUDA", 2010, table of 2048 x 2048 floats on a GTX 280. Its "GB/s"
/// are GiB/s. `modelled` is the result of the model when it was fitted: a difference of 5 % is a change of
/// the model.
struct Published {
  const char* kernel;
  double gib_per_second;
  double modelled;
  bool fitted;
};

void PrintTo(const Published& published, std::ostream* out) { *out << published.kernel; }

class Gtx280 : public testing::TestWithParam<Published> {};

TEST_P(Gtx280, is_within_a_tenth_of_the_published_table) {
  const Published& expected = GetParam();
  const double found = transpose(expected.kernel)["gib_per_second"];
  EXPECT_NEAR(found, expected.gib_per_second, 0.1 * expected.gib_per_second);
  EXPECT_NEAR(found, expected.modelled, 0.05 * expected.modelled);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Gtx280,
    testing::Values(Published{"copy", 96.9, 94.7, true}, Published{"copy_shared", 80.9, 83.0, true},
                    Published{"naive", 2.2, 2.25, false}, Published{"tiled", 16.5, 16.6, true},
                    Published{"padded", 16.6, 17.0, false}, Published{"fine_grained", 80.4, 80.3, true},
                    Published{"coarse_grained", 16.7, 16.8, false}, Published{"diagonal", 69.5, 72.7, false}),
    [](const auto& tested) { return std::string(tested.param.kernel); });

/// The diagonal transpose as the paper prints it, for square matrices and without guards. The model is up to
/// 15 % too fast for it, since the cost of its remainder is an estimate; half and twice the estimate lie on
/// both sides of the published figure. app/docs/models.md says what else was tried.
class PlainDiagonal : public testing::Test {
 protected:
  static constexpr double kPublished = 69.5;
  PlainDiagonal() {
    std::ofstream(folder_ / "k.cu")
        << "__global__ void diagonal(float* out, const float* in, int width) {\n"
           "  __shared__ float tile[32][33];\n"
           "  const int row = blockIdx.x;\n"
           "  const int column = (blockIdx.x + blockIdx.y) % gridDim.x;\n"
           "  const int from = (row * 32 + threadIdx.y) * width + column * 32 + threadIdx.x;\n"
           "  const int to = (column * 32 + threadIdx.y) * width + row * 32 + threadIdx.x;\n"
           "  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[from + j * width];\n"
           "  __syncthreads();\n"
           "  for (int j = 0; j < 32; j += 8) out[to + j * width] = tile[threadIdx.x][threadIdx.y + j];\n"
           "}\n";
  }
  std::vector<std::string> words() const {
    return {(folder_ / "k.cu").string(),
            "--grid",
            "64,64",
            "--block",
            "32,8",
            "--arg",
            "out=f32[4194304]:zeros",
            "--arg",
            "f32[4194304]:iota",
            "--arg",
            "i32:2048"};
  }
  tests::TemporaryFolder folder_{"model"};
};

TEST_F(PlainDiagonal, is_at_most_15_percent_too_fast) {
  const Json report = model_of(words());
  const double found = report["gib_per_second"];
  EXPECT_GT(found, 0.95 * kPublished);
  EXPECT_LT(found, 1.15 * kPublished);
  EXPECT_GT(report["gib_per_second_by_division_cost"]["half"], found);
  EXPECT_LT(report["gib_per_second_by_division_cost"]["double"], kPublished);
}
TEST_F(PlainDiagonal, report_says_that_the_cost_of_its_division_is_an_estimate) {
  std::vector<std::string> line{"model", "--device", "gt200"};
  const auto more = words();
  line.insert(line.end(), more.begin(), more.end());
  const Finished text = run_program(line);
  EXPECT_NE(text.output.find("the cost of a division (36 instructions) is an estimate"), std::string::npos)
      << text.output;
  line.insert(line.end(), {"--without", "divisions"});
  EXPECT_EQ(run_program(line).output.find("estimate"), std::string::npos);
  EXPECT_FALSE(transpose("padded", "256").contains("gib_per_second_by_division_cost"));
}

/// CUDA C Best Practices Guide 4.0: offsetCopy on a GTX 280, decimal GB/s; nothing was fitted to it.
class OffsetCopy : public testing::Test {
 protected:
  static double speed(int offset) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("lanescope_offset_copy." + std::to_string(getpid()) + ".cu");
    std::ofstream(file)
        << "extern \"C\" __global__ void offsetCopy(float* out, const float* in, int offset) {\n"
           "  int x = blockIdx.x * blockDim.x + threadIdx.x + offset;\n"
           "  out[x] = in[x];\n"
           "}\n";
    const Json report =
        model_of({file.string(), "--grid", "16384", "--block", "256", "--arg", "out=f32[4194560]:zeros",
                  "--arg", "in=f32[4194560]:iota", "--arg", "i32:" + std::to_string(offset)});
    std::filesystem::remove(file);
    return report["gb_per_second"];
  }
};

TEST_F(OffsetCopy, aligned_is_120_gb_per_second) { EXPECT_NEAR(speed(0), 120, 12); }
TEST_F(OffsetCopy, one_word_off_is_70_gb_per_second) { EXPECT_NEAR(speed(1), 70, 7); }

/// Which widths camp follows from the map: a row that is a round of the partitions puts a column into one. By
/// the first 90 tiles' writes: 2048 and 1536 hit one partition, 1024 has 71 % in one, 1920 hits four evenly,
/// 2080 and 2112 all eight (tests/unit/model/partitions_test.cpp). Nothing was fitted to widths other than
/// 2048.
TEST(Widths, that_are_multiples_of_512_floats_camp_and_others_do_not) {
  const auto speed = [](const char* width) {
    return transpose("padded", width)["gib_per_second"].get<double>();
  };
  double slowest_spread = 1e9;
  for (const char* width : {"2080", "2112"}) slowest_spread = std::min(slowest_spread, speed(width));
  double fastest_camped = 0;
  for (const char* width : {"2048", "1536", "1024"}) fastest_camped = std::max(fastest_camped, speed(width));
  EXPECT_LT(fastest_camped, 25);
  EXPECT_GT(slowest_spread, 3 * fastest_camped);
  const double four_partitions = speed("1920");
  EXPECT_GT(four_partitions, 2 * fastest_camped);
  EXPECT_LT(four_partitions, slowest_spread);
}

TEST(Model, report_has_the_names_of_the_contract) {
  const Json report = transpose("tiled", "256");
  for (const char* name :
       {"lanescope", "kernel", "device", "launch", "provenance", "seconds", "useful_bytes", "gib_per_second",
        "gb_per_second", "percent_of_peak", "transactions", "bytes_moved", "partitions"})
    EXPECT_TRUE(report.contains(name)) << name;
  EXPECT_EQ(report["provenance"], "modelled");
  EXPECT_EQ(report["device"], "gt200");
  EXPECT_EQ(report["useful_bytes"], 2 * 256 * 256 * 4);
  ASSERT_EQ(report["partitions"].size(), 8u);
  uint64_t bytes = 0;
  for (const Json& partition : report["partitions"]) {
    for (const char* name : {"reads", "writes", "bytes", "busy_share", "mean_queue"})
      EXPECT_TRUE(partition.contains(name)) << name;
    bytes += partition["bytes"].get<uint64_t>();
  }
  EXPECT_EQ(report["bytes_moved"], bytes);
}

TEST(Model, of_a_later_device_is_a_bound) {
  const Finished done = run_program({"model", "--lesson", "transpose", "--set", "size=256", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  EXPECT_EQ(report["device"], "h200");
  EXPECT_EQ(report["method"], "bound");
  EXPECT_TRUE(report["partitions"].empty());
  EXPECT_EQ(report["bound"]["level_seconds"].size(), 7u);
  EXPECT_FALSE(report.contains("recorded"));  // 256 x 256 was not recorded
}
TEST(Model, bound_by_the_modelled_caches_reads_reused_data_once) {
  const std::vector<std::string> words{"model", "--lesson", "matrix_product", "--set", "kernel=naive",
                                       "--set", "size=256", "--device",       "h100",  "--json"};
  const Finished once = run_program(words);
  ASSERT_EQ(once.status, 0) << once.error;
  std::vector<std::string> with_caches = words;
  with_caches.push_back("--caches");
  const Finished by_caches = run_program(with_caches);
  ASSERT_EQ(by_caches.status, 0) << by_caches.error;
  const Json wanted = Json::parse(once.output)["bound"], moved = Json::parse(by_caches.output)["bound"];
  EXPECT_EQ(wanted["bytes"], "useful");
  EXPECT_EQ(moved["bytes"], "caches");
  // 256 x 256 x 256 times two loads of 4 bytes, of which the DRAM moves two matrices and writes a third.
  const auto memory = [](const Json& bound) { return bound["level_seconds"]["memory"].get<double>(); };
  EXPECT_LT(memory(moved), memory(wanted) / 50);
  const Finished old = run_program({"model", "--lesson", "transpose", "--device", "gt200", "--caches"});
  EXPECT_NE(old.status, 0);
  EXPECT_NE(old.error.find("GTX 280"), std::string::npos) << old.error;
}

TEST(Model, of_a_later_device_is_printed_with_the_recorded_time) {
  const Finished done = run_program(
      {"model", "--lesson", "transpose", "--set", "kernel=tiled", "--set", "size=2048", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json report = Json::parse(done.output);
  EXPECT_EQ(report["bound"]["limit"], "shared_memory");  // 32 wavefronts a request
  // assets/recordings/h200.json: 24.1 us with a cold L2.
  EXPECT_NEAR(report["recorded"]["seconds"].get<double>(), 24.06e-6, 0.01e-6);
  EXPECT_NEAR(report["recorded"]["error"].get<double>(), -0.16, 0.005);
}

/// The rules of wavefronts are measured only on an H200; for other devices since 5.0 the report says so.
TEST(WavefrontRules, say_where_the_rules_of_shared_memory_were_measured) {
  const auto rules_of = [](const char* device) {
    const Finished done =
        run_program({"trace", "--lesson", "transpose", "--set", "size=64", "--device", device, "--json"});
    return Json::parse(done.output).value("wavefront_rules", "");
  };
  EXPECT_EQ(rules_of("h200"), "measured on an H200");
  EXPECT_EQ(rules_of("volta"), "measured on an H200, not on this device");
  EXPECT_EQ(rules_of("gt200"), "");  // it has its own: device_counts
}

/// The last thread of the 41st block writes past the end, or races with the previous thread.
std::vector<std::string> words_of(const char* verb, const std::filesystem::path& kernel, int size) {
  return {verb,       kernel.string(),
          "--grid",   "60",
          "--block",  "256",
          "--arg",    "f32[15360]:iota",
          "--arg",    "out=f32[15360]:zeros",
          "--arg",    "i32:" + std::to_string(size),
          "--device", "gt200"};
}

TEST(Model, of_a_failing_or_racing_kernel_reports_the_hazard) {
  const tests::TemporaryFolder folder("model");
  std::ofstream(folder / "k.cu") << "__global__ void k(const float* in, float* out, int n) {\n"
                                    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  out[i] = in[i];\n"
                                    "  if (i == 40 * 256 + 3) out[n] = 1;\n"
                                    "}\n";
  EXPECT_EQ(run_program(words_of("model", folder / "k.cu", 40 * 256 + 3)).status, 0) << "its own element";

  const Finished fault = run_program(words_of("model", folder / "k.cu", 15360));
  EXPECT_EQ(fault.status, 1);
  EXPECT_EQ(fault.output, "") << "there is no time of a part of a run";
  EXPECT_NE(fault.error.find("k.cu:4: the kernel was stopped before its end"), std::string::npos)
      << fault.error;

  const Finished race = run_program(words_of("model", folder / "k.cu", 5));
  EXPECT_EQ(race.status, 1);
  EXPECT_NE(race.output.find("GiB/s"), std::string::npos) << "its traffic is whole";
  EXPECT_NE(race.error.find("k.cu:"), std::string::npos) << race.error;

  for (const char* figure : {"totals", "traffic"}) {
    const auto plotted = [&](int size) {
      std::vector<std::string> words = words_of("plot", folder / "k.cu", size);
      words.insert(words.end(), {"--figure", figure, "-o", (folder / "x.csv").string()});
      return run_program(words);
    };
    const Finished broken = plotted(15360);
    EXPECT_EQ(broken.status, 1) << figure;
    EXPECT_NE(broken.error.find("k.cu:4: the kernel was stopped before its end"), std::string::npos)
        << broken.error;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.csv")) << figure;
    EXPECT_EQ(plotted(5).status, 1) << figure;
    EXPECT_TRUE(std::filesystem::exists(folder / "x.csv")) << figure;
    EXPECT_EQ(plotted(40 * 256 + 3).status, 0) << figure;
    std::filesystem::remove(folder / "x.csv");
  }
}

/// A division is a subroutine on a GTX 280; the second kernel and the second instance have none.
TEST(Model, of_a_kernel_excludes_the_divisions_of_other_kernels) {
  const tests::TemporaryFolder folder("model");
  const std::string body = "{ const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; b[i] = a[i]";
  const std::string parameters = "(const unsigned* a, unsigned* b, unsigned n)";
  std::ofstream(folder / "k.cu") << "extern \"C\" __global__ void k_div" << parameters << body
                                 << " / n + a[i] % (n + 1); }\n"
                                 << "extern \"C\" __global__ void k" << parameters << body << "; }\n"
                                 << "template <int N> __global__ void t" << parameters << body
                                 << " / (N == 1 ? n : 4) + a[i] % (N == 1 ? n + 1 : 4); }\n"
                                 << "template __global__ void t<1>(const unsigned*, unsigned*, unsigned);\n"
                                 << "template __global__ void t<2>(const unsigned*, unsigned*, unsigned);\n";
  const auto seconds = [&](const char* kernel) {
    return model_of({(folder / "k.cu").string(), "--kernel", kernel, "--grid", "60", "--block", "256",
                     "--arg", "u32[15360]:iota", "--arg", "b=u32[15360]:zeros", "--arg", "u32:3"})["seconds"]
        .get<double>();
  };
  EXPECT_GT(seconds("k_div"), 1.5 * seconds("k"));
  EXPECT_GT(seconds("t<1>"), 1.5 * seconds("t<2>"));
}

TEST(Model, lists_its_assumptions_and_refuses_unknown_ones) {
  const Finished list = run_program({"model", "--without", "help"});
  EXPECT_EQ(list.status, 0);
  EXPECT_NE(list.output.find("write-port"), std::string::npos);
  const Finished wrong = run_program({"model", "--lesson", "transpose", "--without", "gravity"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.error.find("write-port"), std::string::npos);
}

}  // namespace
}  // namespace lanescope
