// Tables of Nsight Compute, by hand.

#include "export/profile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::exporting {
namespace {

using testing::HasSubstr;
using trace::HardwareCount;

constexpr std::string_view kHead =
    R"x("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",)x"
    R"x("launch__registers_per_thread","dram__bytes.sum","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")x"
    "\n";
constexpr std::string_view kUnits =
    R"x("","","","","","","","","","","","register/thread","Mbyte","request")x"
    "\n";

std::string launch_row(std::string_view kernel, std::string_view requests) {
  return fmt::format(
      R"x("0","7","a.out","host","{}","1","7","(32, 8, 1)","(4, 2, 1)","0","9.0","40","1.05","{}")x"
      "\n",
      kernel, requests);
}

Result<Profile> read(const std::string& rows) {
  return read_profile("==PROF== Connected to process 7\nthe program's \"own\" words\n" + std::string(kHead) +
                          std::string(kUnits) + rows,
                      "p.csv");
}

TEST(Profile, a_row_below_the_units_is_a_launch) {
  const auto profile = read(launch_row("scale(float *, int)", "1,048,576") + launch_row("other(int)", "7"));
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->launches.size(), 2u);
  const ProfiledLaunch& launch = profile->launches[0];
  EXPECT_EQ(launch.kernel, "scale");
  EXPECT_EQ(launch.block, (Dim3{32, 8, 1}));
  EXPECT_EQ(launch.grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(launch.compute_capability, 90);
  EXPECT_EQ(launch.registers, 40u);
  EXPECT_EQ(launch.counts[HardwareCount::GlobalLoadRequests], 1048576u);
  EXPECT_FALSE(launch.counts[HardwareCount::GlobalStoreRequests]);
  EXPECT_EQ(profile->launches[1].counts[HardwareCount::GlobalLoadRequests], 7u);
  EXPECT_EQ(profile->other_metrics, 1u) << "the bytes of the DRAM";
}

TEST(Profile, digits_are_grouped_as_the_language_of_the_machine_does_it) {
  const auto requests = [](std::string_view text) {
    return read(launch_row("k", text)).value().launches[0].counts[HardwareCount::GlobalLoadRequests];
  };
  EXPECT_EQ(requests("27.595.520"), 27595520u);
  EXPECT_EQ(requests("27\u00a0595"), 27595u);
  EXPECT_EQ(requests("1.024"), 1024u);
  EXPECT_EQ(requests("1,024.00"), 1024u);
  EXPECT_EQ(requests("12.00"), 12u);
  EXPECT_EQ(requests("12.5"), std::nullopt) << "no count";
  EXPECT_EQ(requests("n/a"), std::nullopt);
  EXPECT_EQ(requests(""), std::nullopt);
}

TEST(Profile, the_name_of_a_kernel_is_without_its_type_parameters_and_casts) {
  EXPECT_EQ(kernel_of_signature("scale(float *, const float *, int)"), "scale");
  EXPECT_EQ(kernel_of_signature("void tile<(int)32, float, (bool)1>(const T2 *, T2 *)"),
            "tile<32, float, 1>");
  EXPECT_EQ(kernel_of_signature("a::b::k(int)"), "a::b::k");
  EXPECT_EQ(kernel_of_signature("(anonymous namespace)::k(int)"), "k");
  EXPECT_EQ(kernel_of_signature("_Z5scalePf"), "_Z5scalePf");
  EXPECT_EQ(kernel_of_signature("k"), "k");
  EXPECT_EQ(kernel_of_signature("k("), "k");
}

TEST(Profile, metrics_may_have_a_row_each) {
  // As ncu --csv --metrics prints them, without --page raw; the last row has no columns of a rule.
  const auto row = [](int launch, std::string_view grid, std::string_view metric, std::string_view value) {
    return fmt::format(
        R"x("{}","7","a.out","host","void tile<32>(float *)","1","7","(32, 1, 1)","{}","0","8.6",)x"
        R"x("Command line profiler metrics","{}","","{}")x"
        "\n",
        launch, grid, metric, value);
  };
  const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
  const auto profile = read_profile(
      "==PROF== Connected to process 7\n"
      R"x("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",)x"
      R"x("Device","CC","Section Name","Metric Name","Metric Unit","Metric Value")x"
      "\n" +
          row(0, "(4, 1, 1)", requests, "1,024") + row(0, "(4, 1, 1)", "dram__bytes.sum", "7") +
          row(0, "(4, 1, 1)", "launch__registers_per_thread", "40") + row(1, "(8, 1, 1)", requests, "2,048") +
          "==PROF== Disconnected from process 7\n",
      "p.csv");
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->launches.size(), 2u);
  EXPECT_EQ(profile->launches[0].kernel, "tile<32>");
  EXPECT_EQ(profile->launches[0].registers, 40u);
  EXPECT_EQ(profile->launches[0].counts[HardwareCount::GlobalLoadRequests], 1024u);
  EXPECT_EQ(profile->launches[1].grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(profile->launches[1].compute_capability, 86);
  EXPECT_EQ(profile->launches[1].counts[HardwareCount::GlobalLoadRequests], 2048u);
  EXPECT_EQ(profile->other_metrics, 1u);
}

TEST(Profile, fields_need_no_quotation_marks) {
  const auto profile = read_profile(
      "ID,Kernel Name,Block Size,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\n"
      "0,k,\"(32, 1, 1)\",12\n",
      "p.csv");
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_EQ(profile->launches.size(), 1u);
  EXPECT_EQ(profile->launches[0].counts[HardwareCount::GlobalLoadRequests], 12u);
}

void expect_refused(const std::string& text, const std::string& why) {
  const auto profile = read_profile(text, "p.csv");
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr(why));
  EXPECT_FALSE(profile.error().message.contains('\n'));
}

TEST(Profile, what_is_no_such_table_is_one_sentence) {
  expect_refused("", "p.csv: the file is empty");
  expect_refused(" \n\n", "the file is empty");
  expect_refused("hello, world\n", "no table of Nsight Compute was found");
  expect_refused("==ERROR== ERR_NVGPUCTRPERM", "no table of Nsight Compute was found");
  expect_refused(R"("ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value")",
                 "no row of this table, which has one for each metric");
  expect_refused(
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"k\",\"Memory Throughput\",\"%\",\"12\"\n",
      "no row of this table, which has one for each metric");
  expect_refused(
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"k\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"Msector\",\"1.31\"\n",
      "--print-units base");
  expect_refused("\"ID\",\"Time(%)\",\"Name\"\n\"1\",\"2\",\"3\"\n", "no column \"Kernel Name\"");
  expect_refused("\"ID\",\"Kernel Name\",\"sm__cycles_active.avg\"\n\"\",\"\",\"cycle\"\n\"0\",\"k\",\"1\"\n",
                 "none of its 1 metrics follows from addresses");
  expect_refused(std::string(kHead) + std::string(kUnits), "no launch below its header");
  expect_refused(
      "\"ID\",\"Kernel Name\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n"
      "\"\",\"\",\"Ksector\"\n\"0\",\"k\",\"131.07\"\n",
      "--print-units base");
}

TEST(Profile, a_quotation_mark_that_is_not_closed_ends_with_the_text) {
  EXPECT_FALSE(read_profile(std::string(kHead) + "\"0\",\"7", "p.csv"));
}

}  // namespace
}  // namespace lanescope::exporting
