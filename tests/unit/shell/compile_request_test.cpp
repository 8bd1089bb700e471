#include "shell/classroom/compile_request.h"

#include "base/file.h"
#include "base/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Json request_of(const std::string& text) { return {{"name", "scale.cu"}, {"text", text}}; }

std::string refusal_of(const Json& json) {
  const auto request = read_compile_request(json.dump());
  return request ? std::string() : describe(request.error());
}

/// What check_includes() says of a source that has the header tile.h; empty: nothing.
std::string said_of(const std::string& text, const std::vector<std::filesystem::path>& cuda = {}) {
  Json json = request_of(text);
  json["headers"] = {{{"name", "tile.h"}, {"text", "#pragma once\n"}}};
  const auto request = read_compile_request(json.dump());
  if (!request) return describe(request.error());
  const auto checked = check_includes(*request, cuda);
  return checked ? std::string() : describe(checked.error());
}

TEST(CompileRequest, a_request_has_its_texts_and_macros) {
  Json json = request_of("__global__ void k() {}");
  json["headers"] = {{{"name", "lib/tile.h"}, {"text", "int n;"}}};
  json["defines"] = {"TILE=32"};
  json["arch"] = "sm_100a";
  const auto request = read_compile_request(json.dump());
  ASSERT_TRUE(request) << describe(request.error());
  EXPECT_EQ(request->source.file_name, "scale.cu");
  EXPECT_EQ(request->source.headers.at(0).name, "lib/tile.h");
  EXPECT_EQ(request->options.defines.at(0), "TILE=32");
  EXPECT_EQ(request->options.arch, "sm_100a");
  EXPECT_TRUE(request->options.more.empty());
}

TEST(CompileRequest, rubbish_is_a_sentence) {
  for (const char* text : {"", "[]", "{", "{}", "7", R"({"name":"a.cu"})", R"({"name":1,"text":"x"})"}) {
    const auto request = read_compile_request(text);
    ASSERT_FALSE(request) << text;
    EXPECT_THAT(request.error().message, HasSubstr("a source with its headers was expected")) << text;
  }
}

TEST(CompileRequest, names_that_lead_out_of_a_folder_and_options_in_disguise_are_refused) {
  for (const char* name : {"../a.cu", "/a.cu", "b/a.cu", "b\\a.cu", "", "a\n.cu", "a\".cu"}) {
    Json json = request_of("");
    json["name"] = name;
    EXPECT_NE(refusal_of(json), "") << name;
  }
  for (const char* define : {"A B=1", "A\n=1", "-I/etc", "=1"}) {
    Json json = request_of("");
    json["defines"] = {define};
    EXPECT_NE(refusal_of(json), "") << define;
  }
  Json json = request_of("");
  json["arch"] = "sm_90 -I/etc";
  EXPECT_NE(refusal_of(json), "");
  json = request_of("");
  json["headers"] = {{{"name", "../../tile.h"}, {"text", ""}}};
  EXPECT_NE(refusal_of(json), "");
}

TEST(CompileRequest, a_name_is_what_browsers_and_students_give_files) {
  for (const char* name : {"own (1).cu", "Zoé’s kernel, v2 [final].cu", "a & b = c.cu"}) {
    Json json = request_of("");
    json["name"] = name;
    EXPECT_EQ(refusal_of(json), "") << name;
  }
}

TEST(CompileRequest, headers_of_the_lesson_and_of_cuda_are_included) {
  const auto folder = TemporaryFolder::make("cuda");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_file(folder->path() / "cuda_fp16.h", ""));
  EXPECT_EQ(said_of("#include \"tile.h\"\n#include <cuda_fp16.h>\n#include <stdint.h>\n", {folder->path()}),
            "");
}

TEST(CompileRequest, a_file_of_the_machine_is_refused_and_not_quoted) {
  for (const char* line :
       {"#include \"/etc/hostname\"", "#include </etc/hostname>", "#  include <../../../etc/hostname>",
        "#include \\\n\"/etc/hostname\"", "%:include \"/etc/hostname\"", "?\?=include \"/etc/hostname\"",
        "#define F \"/etc/hostname\"\n#include F", "#define S(x) #x\n#include S(/etc/hostname)",
        "#include __FILE__", "#embed \"/etc/hostname\"", "#include_next <hostname>",
        "#if __has_include(\"/etc/hostname\")\n#endif", "#if __has_include(<../etc/hostname>)\n#endif"}) {
    const std::string said = said_of(std::string("int n;\n") + line + "\n");
    EXPECT_THAT(said, HasSubstr("neither the lesson's nor CUDA's")) << line;
    EXPECT_THAT(said, Not(HasSubstr("hostname"))) << line;
  }
}

TEST(CompileRequest, an_answer_leaves_out_the_folders_of_the_machine) {
  compile::Compilation compilation;
  compilation.log = "/opt/cuda/include/cuda_fp16.h(3): error: no\n";
  const Json answer = Json::parse(answer_of(compilation, {"/opt/cuda/include"}));
  EXPECT_TRUE(answer["ptx"].is_null());
  EXPECT_EQ(answer["log"], "cuda_fp16.h(3): error: no\n");
}

}  // namespace
}  // namespace lanescope::shell
