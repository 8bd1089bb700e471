// Launches of a file as a page carries them, and the run that its module makes of them.

#include "handout/packed_launches.h"

#include "handout/lab.h"
#include "support/project_options.h"
#include "support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::handout {
namespace {

using Json = nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

/// Each lane is STRIDE words from the one before.
const char* const kSource =
    "#ifndef STRIDE\n#define STRIDE 1\n#endif\n"
    "extern \"C\" __global__ void k(const float* in, float* out) {\n"
    "  out[threadIdx.x] = in[threadIdx.x * STRIDE];\n}\n";

class PackedLaunches : public testing::Test {
 protected:
  PackedLaunches() {
    std::ofstream(folder_ / "k.cu") << kSource;
    launches_.launches.launches.push_back({.file = (folder_ / "k.cu").string(),
                                           .kernel = "k",
                                           .grid = "2",
                                           .block = "32",
                                           .arguments = {"in=f32[256]:iota", "out=f32[32]:zeros"}});
    launches_.macros = {{"STRIDE", {"1", "8"}}};
  }
  Result<PackedFiles> pack() {
    pipeline::Execution execution(options_);
    return files_of(launches_, device_, options_, execution);
  }
  /// The answer of a lab that reads what was packed, in a place without a compiler.
  Json answer_of(const PackedFiles& files, const char* stride) {
    for (const auto* all : {&files.texts, &files.bytes})
      for (const auto& [name, text] : *all)
        if (name.starts_with("/file/")) std::ofstream(folder_ / name.substr(6), std::ios::binary) << text;
    pipeline::Options there;
    there.assets = options_.assets;
    there.threads = 1;
    auto launches = read_packed_launches(folder_ / files.subject.substr(6), there);
    if (!launches) return {{"error", describe(launches.error())}};
    Lab lab(there, *std::move(launches), device_);
    const Json request = {{"settings", {{"kernel", ""}, {"STRIDE", stride}}},
                          {"change", nullptr},
                          {"a", nullptr},
                          {"block", 1},
                          {"warp", 0},
                          {"access", 0},
                          {"language", "en"},
                          {"width", 640},
                          {"whole_width", 500},
                          {"whole", true}};
    return Json::parse(answer(lab, request.dump()));
  }

  tests::TemporaryFolder folder_{"packed"};
  pipeline::Options options_ = tests::project_options(1);
  model::Device device_ = *model::find_device(options_.assets / "devices", "h200");
  FileLaunches launches_;
};

/// 32 lanes of 4 bytes: 4 sectors one beside the other, and 32 at 8 words from each other.
TEST_F(PackedLaunches, run_again_without_a_compiler_for_each_value_of_a_macro) {
  const auto files = pack();
  ASSERT_TRUE(files) << describe(files.error());
  EXPECT_EQ(files->without_ptx, 0u) << files->reason;
  const Json one = answer_of(*files, "1");
  EXPECT_EQ(one["grid"], 2) << one;
  EXPECT_EQ(one["applies"], Json::array({"STRIDE"}));
  EXPECT_EQ(one["line"], 5);
  EXPECT_THAT(one["step"][0].get<std::string>(), HasSubstr("4 sectors; ideal 4"));
  EXPECT_THAT(one["head"][0].get<std::string>(), HasSubstr("STRIDE=1"));
  EXPECT_THAT(answer_of(*files, "8")["step"][0].get<std::string>(), HasSubstr("32 sectors; ideal 4"));
  EXPECT_THAT(answer_of(*files, "4")["error"].get<std::string>(), HasSubstr("no PTX of"));
}

TEST_F(PackedLaunches, name_no_folder_of_this_machine) {
  const auto files = pack();
  ASSERT_TRUE(files) << describe(files.error());
  for (const auto& [name, text] : files->texts)
    EXPECT_THAT(text, Not(HasSubstr(folder_.path().string()))) << name;
}

TEST_F(PackedLaunches, carry_the_files_that_buffers_begin_with) {
  std::ofstream(folder_ / "in.raw", std::ios::binary) << std::string(1024, '\1');
  launches_.launches.launches.front().arguments.front() =
      "in=f32[256]:file(" + (folder_ / "in.raw").string() + ")";
  const auto files = pack();
  ASSERT_TRUE(files) << describe(files.error());
  EXPECT_THAT(files->bytes, ElementsAre(Pair("/file/array0.raw", std::string(1024, '\1'))));
  EXPECT_THAT(files->texts.at("/file/run.json"), HasSubstr("file(/file/array0.raw)"));
  EXPECT_THAT(files->texts, Contains(Key("/assets/devices/h200.toml")));
}

TEST_F(PackedLaunches, refuse_files_that_are_too_large_for_a_page) {
  const auto file = folder_ / "in.raw";
  std::ofstream(file) << "1";
  std::filesystem::resize_file(file, kMostArrayBytes + 4);
  launches_.launches.launches.front().arguments.front() = "in=f32[1048577]:file(" + file.string() + ")";
  EXPECT_THAT(pack().error().message, HasSubstr("more than 4 MiB"));
}

TEST_F(PackedLaunches, begin_with_the_value_that_a_definition_gave) {
  launches_.options.defines = {"FAST", "STRIDE=16", "STRIDES=2"};
  EXPECT_THAT(take_macros(launches_).values, ElementsAre(Pair("STRIDE", "16")));
  EXPECT_THAT(launches_.options.defines, ElementsAre("FAST", "STRIDES=2"));
  EXPECT_THAT(launches_.macros, ElementsAre(Pair("STRIDE", ElementsAre("16", "1", "8"))));
  EXPECT_THAT(take_macros(launches_).values, ElementsAre(Pair("STRIDE", "16")));
}

TEST(Macros, are_names_with_values) {
  EXPECT_THAT(*parse_macros({"TILE=16,32", "N=4"}),
              ElementsAre(Pair("TILE", ElementsAre("16", "32")), Pair("N", ElementsAre("4"))));
  for (const char* wrong : {"TILE", "TILE=", "=1", "2D=1", "A B=1", ""})
    EXPECT_THAT(parse_macros({wrong}).error().message, HasSubstr("TILE=16,32")) << wrong;
  EXPECT_FALSE(parse_macros({"A=1", "A=2"}));
  EXPECT_THAT(parse_macros({"A=1,2,3,4,5,6,7,8", "B=1,2,3,4,5,6,7,8,9"}).error().message, HasSubstr("64"));
}

TEST_F(PackedLaunches, that_are_damaged_are_a_sentence) {
  pipeline::Options there;
  std::ofstream(folder_ / "run.json") << "{";
  EXPECT_THAT(read_packed_launches(folder_ / "run.json", there).error().message, HasSubstr("not JSON"));
}

}  // namespace
}  // namespace lanescope::handout
