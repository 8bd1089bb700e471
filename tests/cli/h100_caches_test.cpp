// The modelled caches against the counters of an H100: tests/data/caches/README.md. No number of the model
// was fitted to single launches of the table, and the shares below are those that the model is to reach.

#include "support/program.h"
#include "support/project.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;

struct Launch {
  std::string name, kernel, grid, block, shared_bytes, arguments, run;
  double load_sectors = 0, load_hits = 0, l2_to_l1 = 0, store_sectors = 0, store_hits = 0, dram_read = 0;
};

/// The launches whose `run` is this.
std::vector<Launch> launches(const std::string& run) {
  std::ifstream file(tests::source_dir() / "tests/data/caches/h100.csv");
  std::vector<Launch> all;
  std::string text;
  std::getline(file, text);
  while (std::getline(file, text)) {
    std::istringstream line(text);
    const auto field = [&] {
      std::string word;
      const char end = line.peek() == '"' ? '"' : ',';
      if (end == '"') line.get();
      std::getline(line, word, end);
      if (end == '"') line.get();
      return word;
    };
    Launch launch;
    for (std::string* word : {&launch.name, &launch.kernel, &launch.grid, &launch.block, &launch.shared_bytes,
                              &launch.arguments, &launch.run})
      *word = field();
    for (double* number : {&launch.load_sectors, &launch.load_hits, &launch.l2_to_l1, &launch.store_sectors,
                           &launch.store_hits, &launch.dram_read})
      *number = std::stod(field());
    if (launch.run == run) all.push_back(std::move(launch));
  }
  return all;
}

std::string with_commas(std::string extent) {
  std::ranges::replace(extent, 'x', ',');
  return extent;
}

/// Numbers below `below` that a hash of the index gives, as a file.
std::string hashed_numbers(const std::filesystem::path& folder, size_t count, uint64_t below, uint64_t seed) {
  const auto path = folder / fmt::format("mod_{}_{}_{}.bin", count, below, seed);
  if (exists(path)) return path.string();
  std::vector<int32_t> numbers;
  for (uint64_t n = 0; n < count; ++n) {
    uint64_t bits = n * 16 + seed;
    bits = (bits ^ bits >> 33) * 0xff51afd7ed558ccdU;
    bits = (bits ^ bits >> 33) * 0xc4ceb9fe1a85ec53U;
    numbers.push_back(static_cast<int32_t>((bits ^ bits >> 33) % below));
  }
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(count * sizeof(int32_t)));
  return path.string();
}

std::string argument_of(const std::string& written, const std::filesystem::path& folder) {
  size_t count = 0;
  unsigned long long below = 0, seed = 0;
  if (std::sscanf(written.c_str(), "i32[%zu]:mod(%llu,%llu)", &count, &below, &seed) != 3) return written;
  return fmt::format("i32[{}]:file({})", count, hashed_numbers(folder, count, below, seed));
}

/// Launches that the model gives within the limits, of those that have such a count.
struct Score {
  int right = 0;
  int all = 0;
  void add(bool is_right) {
    ++all;
    right += is_right ? 1 : 0;
  }
  double share() const { return all == 0 ? 1 : static_cast<double>(right) / all; }
};

class H100Caches : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("lanescope_h100_caches.{}", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// The model's report; null without a compiler.
  Json report_of(const Launch& launch) {
    const bool is_of_lesson = launch.kernel.contains('/');
    const auto source = is_of_lesson ? tests::source_dir() / "assets" / (launch.kernel + ".ptx")
                                     : tests::source_dir() / "tests/data/caches/kernels.cu";
    std::vector<std::string> words{"trace",   source.string(),           "--grid",   with_commas(launch.grid),
                                   "--block", with_commas(launch.block), "--shared", launch.shared_bytes};
    if (!is_of_lesson) words.insert(words.end(), {"--kernel", launch.kernel});
    std::istringstream arguments(launch.arguments);
    for (std::string word; arguments >> word;)
      words.insert(words.end(), {"--arg", argument_of(word, folder_)});
    words.insert(words.end(), {"--checks", "none", "--device", "h100", "--caches", "--json"});
    const tests::Finished finished = tests::run_program(words);
    if (finished.error.contains("NVRTC") && finished.error.contains("not found")) return nullptr;
    EXPECT_EQ(finished.status, 0) << launch.name << ": " << finished.error;
    return finished.status == 0 ? Json::parse(finished.output).at("caches") : Json(nullptr);
  }

  /// Runs the launches; false without a compiler.
  bool compare(const std::string& run) {
    for (const Launch& launch : launches(run)) {
      const Json report = report_of(launch);
      if (report.is_null()) return false;
      const double scale =
          report.at("of_multiprocessors").get<double>() / report.at("multiprocessors").get<double>();
      const Json& loads = report.at("l1").at("global_loads");
      const double sectors = loads.at("sectors").get<double>(), hits = loads.at("hits").get<double>();
      const double read = report.at("l2_to_l1_sectors").get<double>() * scale;
      std::string wrong;
      if (launch.load_sectors != 0) {
        const double points = 100 * (hits / sectors - launch.load_hits / launch.load_sectors);
        hit_rate_.add(std::abs(points) <= 5);
        if (std::abs(points) > 5) wrong += fmt::format(" hit rate {:+.1f} points", points);
      }
      if (launch.l2_to_l1 != 0 || read != 0) {
        const double error = (read - launch.l2_to_l1) / std::max(launch.l2_to_l1, 1.0);
        l2_reads_.add(std::abs(error) <= .05);
        if (std::abs(error) > .05) wrong += fmt::format(" reads from the L2 {:+.1f} %", 100 * error);
      }
      if (report.contains("dram")) {
        const double dram = report.at("dram").at("read_sectors").get<double>();
        const double error = dram - launch.dram_read;
        const double tolerance = std::max(.05 * launch.dram_read, 100.0);
        const bool is_right = std::abs(error) <= tolerance;
        const double low = report.at("dram").at("read_sectors_low"),
                     high = report.at("dram").at("read_sectors_high");
        const bool is_in_band =
            low != high && low - tolerance <= launch.dram_read && launch.dram_read <= high + tolerance;
        dram_reads_.add(is_right);
        dram_bands_.add(is_right || is_in_band);
        if (!is_right)
          wrong += fmt::format(" DRAM reads {:+.1f} %{}", 100 * error / launch.dram_read,
                               is_in_band ? ", in the band" : "");
      }
      if (!wrong.empty()) fmt::print("{}:{}\n", launch.name, wrong);
    }
    fmt::print(
        "{}: hit rate {} of {}, reads from the L2 {} of {}, DRAM reads {} of {}, or in their band {}\n", run,
        hit_rate_.right, hit_rate_.all, l2_reads_.right, l2_reads_.all, dram_reads_.right, dram_reads_.all,
        dram_bands_.right);
    return true;
  }

  std::filesystem::path folder_;
  Score hit_rate_, l2_reads_;
  Score dram_reads_, dram_bands_;  // dram_bands_: the number is right, or what was read is in the band
};

TEST_F(H100Caches, are_as_the_model_says_for_one_launch_of_each_behavior) {
  if (!compare("fast")) GTEST_SKIP() << "no NVRTC";
  EXPECT_GT(hit_rate_.all, 30);
  EXPECT_GE(hit_rate_.share(), .97);
  EXPECT_GE(l2_reads_.share(), .95);
  EXPECT_GE(dram_reads_.share(), .87);
  EXPECT_GE(dram_bands_.share(), .93);
}

class SlowH100Caches : public H100Caches {};

TEST_F(SlowH100Caches, are_as_the_model_says) {
  if (!compare("slow")) GTEST_SKIP() << "no NVRTC";
  EXPECT_GE(hit_rate_.share(), .97);
  EXPECT_GE(l2_reads_.share(), .95);
  EXPECT_GE(dram_reads_.share(), .93);
}

TEST_F(SlowH100Caches, are_as_the_model_says_for_long_launches) {
  const char* const asked = std::getenv("LANESCOPE_CACHES");
  if (asked == nullptr || std::string(asked) != "long") GTEST_SKIP() << "6 minutes: LANESCOPE_CACHES=long";
  if (!compare("long")) GTEST_SKIP() << "no NVRTC";
  EXPECT_GE(hit_rate_.share(), .9);
  EXPECT_GE(dram_bands_.share(), .87);
}

}  // namespace
}  // namespace lanescope
