#include "shell/classroom/service_client.h"

#include "shell/classroom/compile_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::shell {
namespace {

TEST(ServiceClient, the_service_reads_what_the_page_asks) {
  const compile::Source source{"/kept/files/scale.cu", "#include \"tile.h\"\n", {{"tile.h", "int n;"}}};
  compile::Options options;
  options.arch = "sm_80";
  options.standard = "c++20";
  options.defines = {"TILE=32"};
  options.instances = {"scale<3>"};
  options.launched_instances_of = "scale";
  const auto read = read_compile_request(request_text(source, options));
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->source.file_name, "scale.cu");
  EXPECT_EQ(read->source.text, source.text);
  EXPECT_EQ(read->source.headers.at(0).text, "int n;");
  EXPECT_EQ(read->options.arch, "sm_80");
  EXPECT_EQ(read->options.standard, "c++20");
  EXPECT_EQ(read->options.defines, options.defines);
  EXPECT_EQ(read->options.instances, options.instances);
  EXPECT_EQ(read->options.launched_instances_of, "scale");
}

TEST(ServiceClient, the_page_reads_what_the_service_answers) {
  const auto compiled = read_compile_answer(answer_of({.ptx = ".version 8.0", .log = "a warning"}, {}));
  ASSERT_TRUE(compiled) << describe(compiled.error());
  EXPECT_EQ(compiled->ptx, ".version 8.0");
  EXPECT_EQ(compiled->log, "a warning");
  const auto refused = read_compile_answer(answer_of({.ptx = {}, .log = "scale.cu(1): error: x"}, {}));
  ASSERT_TRUE(refused) << describe(refused.error());
  EXPECT_FALSE(refused->ptx);
  EXPECT_EQ(refused->log, "scale.cu(1): error: x");
}

TEST(ServiceClient, a_refusal_is_its_sentence_and_rubbish_is_one) {
  const auto refused = read_compile_answer(R"({"error": "too many sources wait"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "too many sources wait");
  for (const char* text : {"", "<html>", "[]", "{}", R"({"ptx": 1, "log": ""})", R"({"ptx": null})"}) {
    const auto read = read_compile_answer(text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, testing::HasSubstr("something else came")) << text;
  }
}

}  // namespace
}  // namespace lanescope::shell
