// `lanescope layout`: the table, the search, the JSON contract, and what is wrong on the command line.

#include "support/program.h"
#include "support/temporary_folder.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using tests::Finished;
using tests::run_program;

Finished layout(const std::vector<std::string>& more) {
  std::vector<std::string> words{"layout"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

TEST(LayoutVerb, counts_with_and_without_the_swizzle) {
  const Finished done = layout(
      {"(8,64):(64,1)", "--swizzle", "3,3,3", "--element", "f16", "--access", "ldmatrix.x4", "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json json = Json::parse(done.output);
  const Json& access = json["accesses"][0];
  EXPECT_EQ(access["requests"], 2);
  EXPECT_EQ(access["wavefronts"], 8);
  EXPECT_EQ(access["wavefronts_of_a_request"], 4);
  EXPECT_EQ(access["plain"]["wavefronts"], 64);
  EXPECT_EQ(access["plain"]["wavefronts_of_a_request"], 32);
  EXPECT_EQ(json["size_bytes"], 1024);
  EXPECT_EQ(json["provenance"], "modelled");
}

TEST(LayoutVerb, search_prints_what_serves_and_what_it_costs) {
  const Finished done = layout({"(8,64):(64,1)", "--search"});
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("smallest swizzle: Swizzle<3,3,3>; 0 bytes more"));
  EXPECT_THAT(done.output,
              HasSubstr("smallest padding: 8 elements (16 bytes) after each row; 128 bytes more"));
}

TEST(LayoutVerb, search_says_when_none_serves) {
  const Finished done = layout(
      {"(32,32):(32,1)", "--element", "f32", "--access", "st.row.16", "--access", "ld.column.4", "--search"});
  ASSERT_EQ(done.status, 0) << done.error;
  EXPECT_THAT(done.output, HasSubstr("smallest swizzle: none serves all accesses"));
  EXPECT_THAT(done.output, HasSubstr("smallest padding: none serves all accesses"));
  EXPECT_THAT(done.output, HasSubstr("wavefronts above the ideal"));
}

TEST(LayoutVerb, impossible_access_ends_with_status_1_and_its_reason) {
  const Finished done = layout({"(8,64):(64,1)", "--pad", "1", "--access", "ldmatrix.x4"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("impossible: takes 16 bytes at a multiple of 16, and element (1,0)"));
}

TEST(LayoutVerb, wrong_command_lines_end_with_status_2_and_one_sentence) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "the layout is missing"},
      {{"(8,64"}, "lacks a ')'"},
      {{"(8,64):(64,1)", "--swizzle", "3,3"}, "a swizzle is B,M,S"},
      {{"(8,64):(64,1)", "--swizzle", "3,3,3", "--pad", "8"}, "only one of the three"},
      {{"(8,64):(64,1)", "--element", "half"}, "no element type 'half'"},
      {{"(8,64):(64,1)", "--access", "ldmatrix.x3"}, "no access 'ldmatrix.x3'"},
      {{"(8,64):(0,1)"}, "have the same offset"},
      {{"(512,512):(512,1)"}, "more than 232448 elements"},
  };
  for (const auto& [words, reason] : cases) {
    const Finished done = layout(words);
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_THAT(done.error, HasSubstr(reason));
    EXPECT_EQ(std::ranges::count(done.error, '\n'), 1) << done.error;
  }
}

TEST(LayoutVerb, kernels_are_run_and_written_and_the_file_is_traced_like_any_other) {
  const tests::TemporaryFolder folder("layout");
  const std::string file = (folder / "tile.cu").string();
  const Finished done = layout({"(8,64):(64,1)", "--swizzle", "3,3,3", "--access", "ldmatrix.x4", "--access",
                                "st.row.16", "--run", "--kernel", file, "--json"});
  ASSERT_EQ(done.status, 0) << done.error;
  const Json json = Json::parse(done.output);
  for (const Json& access : json["accesses"]) EXPECT_EQ(access["emulated"]["wavefronts"], 8) << access;
  const Finished traced =
      run_program({"trace", file, "--kernel", "ldmatrix_x4", "--grid", "1", "--block", "32", "--shared",
                   "1024", "--arg", "in=u16[512]:iota", "--arg", "out=u16[512]:none", "--json"});
  ASSERT_EQ(traced.status, 0) << traced.error;
  uint64_t wavefronts = 0;
  const Json trace = Json::parse(traced.output);
  for (const Json& site : trace["sites"])
    if (site["ptx"].get<std::string>().starts_with("ldmatrix"))
      wavefronts += site["wavefronts"].get<uint64_t>();
  EXPECT_EQ(wavefronts, 8u);
}

TEST(LayoutVerb, an_impossible_access_has_no_kernel) {
  const Finished done = layout({"(8,64):(64,1)", "--pad", "1", "--access", "ldmatrix.x4", "--run"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.error, HasSubstr("no kernel for an impossible access: ldmatrix.x4 takes 16 bytes"));
}

TEST(LayoutVerb, help_lists_every_access) {
  const Finished done = layout({"--access", "help"});
  EXPECT_EQ(done.status, 0);
  for (const char* name :
       {"ld.row.4\n", "st.row.16\n", "cp.async.16\n", "ldmatrix.x4.trans\n", "stmatrix.x4\n"})
    EXPECT_THAT(done.output, HasSubstr(name));
}

}  // namespace
}  // namespace lanescope
